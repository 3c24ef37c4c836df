import { handoffs } from '../harness/playwright.ts';

// Conversation and files go back together, and what was rewound is not told to the model again.
handoffs(
  'checkpoint-restore',
  'while a command waits for approval, the person restores the checkpoint before the message',
  async (handoff) => {
    await handoff.untilTheAskIsOpen();
    await handoff.supersede();
    await handoff.observe();
    await handoff.aftermath();
    await handoff.holdsTheContract();
  },
);
