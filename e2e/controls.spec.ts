import { handoffs } from '../harness/playwright.ts';

// The controls supersede nothing and must simply work; a harness that finds them broken would be the broken one.
for (const [action, title] of [
  ['approve', 'the person approves the command, and it runs once'],
  ['deny', 'the person denies the command, and it never runs'],
] as const)
  handoffs(action, title, async (handoff) => {
    await handoff.untilTheAskIsOpen();
    await handoff.supersede();
    await handoff.observe();
    await handoff.aftermath();
    await handoff.holdsTheContract();
  });
