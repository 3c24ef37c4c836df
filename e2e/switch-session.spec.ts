import { handoffs } from '../harness/playwright.ts';

// Another task is looked at; whatever the client makes of the ask, it never waits unseen.
handoffs(
  'switch-session',
  'while a command waits for approval, the person goes to another task and comes back',
  async (handoff) => {
    await handoff.untilTheAskIsOpen();
    await handoff.supersede();
    await handoff.observe();
    await handoff.aftermath();
    await handoff.holdsTheContract();
  },
);
