import { handoffs } from '../harness/playwright.ts';

// An ask outlives its process, or is ended once; no restart brings a settled one back.
handoffs(
  'restart',
  'while a command waits for approval, the agent ends and starts again',
  async (handoff) => {
    await handoff.untilTheAskIsOpen();
    await handoff.supersede();
    await handoff.observe();
    await handoff.aftermath();
    await handoff.holdsTheContract();
  },
);
