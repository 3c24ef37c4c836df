import { answerLive } from '../answers.ts';
import type { Action } from './action.ts';

/** A control: the plain yes, after which the tool runs once. */
export const approve: Action = {
  name: 'approve',
  title: 'approves it',
  carriesNext: false,
  control: 'approve',
  perform: async (stage) => {
    await answerLive(stage, 'A', 'approve');
    return 'done';
  },
};
