import { type Action, byDriver } from './action.ts';

/** The conversation is left for a fresh one. */
export const newSession: Action = {
  name: 'new-session',
  title: 'starts a new task',
  carriesNext: false,
  perform: byDriver('new-session'),
};
