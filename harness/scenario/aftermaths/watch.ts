import { answerLate } from '../answers.ts';
import { calm } from '../observe.ts';
import { textTurn } from '../stage.ts';
import type { Aftermath } from './aftermath.ts';

/** The new run ends and nobody does anything for a while; then the old ask is answered late, into an idle client. */
export const watch: Aftermath = {
  name: 'watch',
  title: 'the new run ends; nothing is done for a while; late answers go to the old ask',
  script: () => ({ B: [textTurn('The second check needs no tool.')] }),
  goal: 'done',
  play: async (stage, late) => {
    await calm(stage);
    await answerLate(stage, 'A', late);
  },
};
