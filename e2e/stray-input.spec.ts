import { handoffs } from '../harness/playwright.ts';

// Keys that were meant for nothing answer nothing.
handoffs('stray-input', 'while an ask is open, the person types beside it', async (handoff) => {
  await handoff.untilTheAskIsOpen();
  await handoff.supersede();
  await handoff.observe();
  await handoff.aftermath();
  await handoff.holdsTheContract();
});
