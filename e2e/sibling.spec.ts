import { handoffs } from '../harness/playwright.ts';

// One answer is an answer to one ask; the others stay open, or are ended one by one.
handoffs('sibling', 'several asks of one turn are open at once', async (handoff) => {
  await handoff.untilTheAskIsOpen();
  await handoff.supersede();
  await handoff.observe();
  await handoff.aftermath();
  await handoff.holdsTheContract();
});
