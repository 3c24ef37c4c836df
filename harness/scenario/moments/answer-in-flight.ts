import { answerInFlight } from '../answers.ts';
import { arriveAtAsks, listed, type MomentPlan, plainScript } from './moment.ts';

/** The person has just approved, and the answer reaches the client only after the action. */
export const answerInFlightMoment: MomentPlan = {
  name: 'answer-in-flight',
  title: 'while an answer to the ask is on its way',
  fits: (variant) => {
    if (variant.leaves !== 'settled') return 'an ask that it leaves open may still be answered';
    return listed('answer-in-flight', variant);
  },
  script: plainScript,
  arrive: (stage, prepareLate) => arriveAtAsks(stage, ['A'], prepareLate),
  land: async (stage, perform) => {
    const letGo = await answerInFlight(stage, 'A', 'approve');
    const outcome = await perform();
    await letGo();
    return outcome;
  },
};
