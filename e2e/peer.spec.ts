import { handoffs } from '../harness/playwright.ts';

// Two windows are two views of one ask.
handoffs(
  'peer',
  'while a command waits for approval, the person acts in a second window',
  async (handoff) => {
    await handoff.untilTheAskIsOpen();
    await handoff.supersede();
    await handoff.observe();
    await handoff.aftermath();
    await handoff.holdsTheContract();
  },
);
