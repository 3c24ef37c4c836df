import { handoffs } from '../harness/playwright.ts';

// Silence is never a yes.
handoffs('timeout', 'nobody answers until the client gives up on its ask', async (handoff) => {
  await handoff.untilTheAskIsOpen();
  await handoff.supersede();
  await handoff.observe();
  await handoff.aftermath();
  await handoff.holdsTheContract();
});
