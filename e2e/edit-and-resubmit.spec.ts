import { handoffs } from '../harness/playwright.ts';

// The origin of it all (cline/cline #12836): the old run must be denied, once, before the new one takes input.
handoffs(
  'edit',
  'while a command waits for approval, the person edits the message and sends it again',
  async (handoff) => {
    await handoff.untilTheAskIsOpen();
    await handoff.supersede();
    await handoff.observe();
    await handoff.aftermath();
    await handoff.holdsTheContract();
  },
);
