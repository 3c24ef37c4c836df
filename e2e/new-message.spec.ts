import { handoffs } from '../harness/playwright.ts';

// Words are never a yes: the message goes to the model, and the open ask is settled, or visibly kept.
handoffs(
  'new-message',
  'while a command waits for approval, the person sends another message',
  async (handoff) => {
    await handoff.untilTheAskIsOpen();
    await handoff.supersede();
    await handoff.observe();
    await handoff.aftermath();
    await handoff.holdsTheContract();
  },
);
