import { answerLive } from '../answers.ts';
import { callTurn } from '../stage.ts';
import { arriveAtAsks, GATE, listed, type MomentPlan } from './moment.ts';

/** The ask was denied, and the request that tells the model so has no answer yet. */
export const resultInFlight: MomentPlan = {
  name: 'result-in-flight',
  title: 'while the model is being told of the denial',
  fits: (variant) => {
    if (variant.leaves === 'open') return 'there is no ask left to leave open';
    return listed('result-in-flight', variant);
  },
  script: (stage) => [
    callTurn(stage, 'A'),
    // A client may also end the run at a denial; then nothing is on its way.
    { parts: [{ gate: GATE }, { text: 'I will leave check A.' }], optional: true },
  ],
  arrive: async (stage, prepareLate) => {
    const { recorder, model, limits } = stage;
    await arriveAtAsks(stage, ['A'], prepareLate);
    await answerLive(stage, 'A', 'deny');
    await recorder.until(
      () => model.gate(GATE).held || (recorder.quietFor() > limits.quiet && model.inFlight() === 0),
      { what: 'the model to be told of the denial', limit: limits.ready },
    );
  },
  land: async (stage, perform) => {
    const outcome = await perform();
    stage.model.gate(GATE).open();
    return outcome;
  },
};
