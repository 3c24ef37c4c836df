import { answerLive } from '../answers.ts';
import type { Action } from './action.ts';

/** A control: the plain no, after which the tool never runs. */
export const deny: Action = {
  name: 'deny',
  title: 'denies it',
  carriesNext: false,
  control: 'deny',
  perform: async (stage) => {
    await answerLive(stage, 'A', 'deny');
    return 'done';
  },
};
