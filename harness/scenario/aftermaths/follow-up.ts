import { answerLate } from '../answers.ts';
import { observe, say } from '../observe.ts';
import { textTurn } from '../stage.ts';
import type { Aftermath } from './aftermath.ts';

/** The new run has ended and the person sends the next ordinary message; it is followed to the model. */
export const followUp: Aftermath = {
  name: 'follow-up',
  title: 'the new run ends; the next message is sent; late answers go to the old ask',
  script: () => ({ B: [textTurn('The second check needs no tool.')], C: [textTurn('It went well.')] }),
  goal: 'done',
  play: async (stage, late) => {
    if ((await say(stage, 'C')) !== 'stuck') await observe(stage, 'C', 'done');
    await answerLate(stage, 'A', late);
  },
};
