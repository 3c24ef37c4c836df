import { handoffs } from '../harness/playwright.ts';

// Text that was sent before the ask is no answer to it.
handoffs('queued-message', 'a message is already waiting when the ask comes up', async (handoff) => {
  await handoff.untilTheAskIsOpen();
  await handoff.supersede();
  await handoff.observe();
  await handoff.aftermath();
  await handoff.holdsTheContract();
});
