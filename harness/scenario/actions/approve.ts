import { answerLive } from '../answers.ts';
import { type Action, plain } from './action.ts';

/** A control: the plain yes, after which the tool runs once. */
export const approve: Action = {
  name: 'approve',
  ...plain('approves it', {
    leaves: 'settled',
    control: 'approve',
    runsOn: true,
    moments: ['ask-open', 'second-of-two'],
    perform: async (stage) => {
      await answerLive(stage, 'A', 'approve');
      return 'done';
    },
  }),
};
