import { handoffs } from '../harness/playwright.ts';

// A run that failed leaves the person with a client that takes the next message.
handoffs('provider-error', 'the provider fails right after the denial', async (handoff) => {
  await handoff.untilTheAskIsOpen();
  await handoff.supersede();
  await handoff.observe();
  await handoff.aftermath();
  await handoff.holdsTheContract();
});
