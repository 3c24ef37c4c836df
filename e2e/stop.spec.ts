import { handoffs } from '../harness/playwright.ts';

// Stop is a plain no to everything that is still open.
handoffs('stop', 'while a command waits for approval, the person presses Stop', async (handoff) => {
  await handoff.untilTheAskIsOpen();
  await handoff.supersede();
  await handoff.observe();
  await handoff.aftermath();
  await handoff.holdsTheContract();
});
