import { settledOnScreen } from '../observe.ts';
import { type Action, plain } from './action.ts';

/** Nobody answers until the client gives up on its ask. That is an end, and never a yes. */
export const timeout: Action = {
  name: 'timeout',
  ...plain('does not answer until the client gives up', {
    leaves: 'settled',
    asks: ['command', 'edit', 'question'],
    moments: ['ask-open'],
    perform: async (stage) => ((await settledOnScreen(stage, 'A')) ? 'done' : 'stuck'),
  }),
};
