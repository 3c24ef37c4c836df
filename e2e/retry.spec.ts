import { handoffs } from '../harness/playwright.ts';

// The same message again, in a new run; the old run's call belongs to nobody any more.
handoffs(
  'retry',
  'while a command waits for approval, the person has the same message run again',
  async (handoff) => {
    await handoff.untilTheAskIsOpen();
    await handoff.supersede();
    await handoff.observe();
    await handoff.aftermath();
    await handoff.holdsTheContract();
  },
);
