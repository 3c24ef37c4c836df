import { handoffs } from '../harness/playwright.ts';

// Open asks are judged again by the new rule: never all approved at once, never blocked and hidden.
handoffs(
  'mode-change',
  'while an ask is open, the person changes the mode or turns on automatic approval',
  async (handoff) => {
    await handoff.untilTheAskIsOpen();
    await handoff.supersede();
    await handoff.observe();
    await handoff.aftermath();
    await handoff.holdsTheContract();
  },
);
