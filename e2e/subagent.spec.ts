import { handoffs } from '../harness/playwright.ts';

// What ends the parent ends the child, and the child's ask with it.
handoffs(
  'subagent',
  "a run's own subtask asks, and the person acts on it or on its parent",
  async (handoff) => {
    await handoff.untilTheAskIsOpen();
    await handoff.supersede();
    await handoff.observe();
    await handoff.aftermath();
    await handoff.holdsTheContract();
  },
);
