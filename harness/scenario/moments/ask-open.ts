import { arriveAtAsks, listed, type MomentPlan, plainScript } from './moment.ts';

/** The plain case: the ask is on the screen, and the client waits for nothing else. */
export const askOpen: MomentPlan = {
  name: 'ask-open',
  title: 'while the ask is open',
  fits: (variant) => listed('ask-open', variant),
  script: plainScript,
  arrive: (stage, prepareLate) =>
    arriveAtAsks(
      stage,
      // Those that were answered on the way are no longer to be seen.
      ['A', ...(stage.variant.onTheWay ? [] : (stage.variant.calls ?? []))],
      prepareLate,
    ),
  land: (_stage, perform) => perform(),
};
