import { handoffs } from '../harness/playwright.ts';

// The ask is there again, or it is explicitly ended.
handoffs('reload', 'while a command waits for approval, the person reloads the page', async (handoff) => {
  await handoff.untilTheAskIsOpen();
  await handoff.supersede();
  await handoff.observe();
  await handoff.aftermath();
  await handoff.holdsTheContract();
});
