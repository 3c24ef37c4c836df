import { type Action, byDriver, plain } from './action.ts';

/** The conversation is left for a fresh one. */
export const newSession: Action = {
  name: 'new-session',
  ...plain('starts a new task', { leaves: 'settled', perform: byDriver('new-session') }),
};
