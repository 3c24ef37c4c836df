import { answerLive } from '../answers.ts';
import { type Action, plain } from './action.ts';

/** A control: the plain no, after which the tool never runs. */
export const deny: Action = {
  name: 'deny',
  ...plain('denies it', {
    leaves: 'settled',
    control: 'deny',
    moments: ['ask-open', 'second-of-two'],
    perform: async (stage) => {
      await answerLive(stage, 'A', 'deny');
      return 'done';
    },
  }),
};
