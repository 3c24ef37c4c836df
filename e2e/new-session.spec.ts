import { handoffs } from '../harness/playwright.ts';

// The old conversation is left behind; nothing of it may reach into the fresh one.
handoffs(
  'new-session',
  'while a command waits for approval, the person starts a new task',
  async (handoff) => {
    await handoff.untilTheAskIsOpen();
    await handoff.supersede();
    await handoff.observe();
    await handoff.aftermath();
    await handoff.holdsTheContract();
  },
);
