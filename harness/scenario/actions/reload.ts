import { type Action, byDriver, plain } from './action.ts';

/** The page is loaded again. The ask is there again, or explicitly ended. */
export const reload: Action = {
  name: 'reload',
  ...plain('reloads the page', {
    leaves: 'either',
    moments: ['ask-open', 'call-streaming', 'ask-arriving', 'ask-overtaken', 'second-of-two'],
    perform: byDriver('reload'),
  }),
};
