import { textTurn } from '../stage.ts';
import { type Action, byDriver, plain } from './action.ts';

/** The same message is run again. The run that asked is over; the one that follows is a new run of message A. */
export const retry: Action = {
  name: 'retry',
  ...plain('has the same message run again', {
    leaves: 'settled',
    again: () => [textTurn('The first check needs no tool after all.')],
    perform: byDriver('retry'),
  }),
};
