import { handoffs } from '../harness/playwright.ts';

// However often it is answered: one settlement, and the tool runs once at most.
handoffs('duplicate-answer', 'an ask is answered twice, in one window or in two', async (handoff) => {
  await handoff.untilTheAskIsOpen();
  await handoff.supersede();
  await handoff.observe();
  await handoff.aftermath();
  await handoff.holdsTheContract();
});
