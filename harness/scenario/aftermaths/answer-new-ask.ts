import { answerLate, answerLive } from '../answers.ts';
import { observe, showsAsk } from '../observe.ts';
import { callTurn, textTurn } from '../stage.ts';
import type { Aftermath } from './aftermath.ts';

/** The new run asks as well. The old ask is answered late while the new one is open, then the new one is answered. */
export const answerNewAsk: Aftermath = {
  name: 'answer-new-ask',
  title: 'the new run asks; late answers go to the old ask, then the new ask is answered',
  script: (stage) => ({ B: [callTurn(stage, 'B'), textTurn('Check B is done.')] }),
  goal: 'ask',
  play: async (stage, late) => {
    await answerLate(stage, 'A', late);
    if (!showsAsk(stage, 'B')) return;
    await answerLive(stage, 'B', 'approve');
    await observe(stage, 'B', 'done');
  },
};
