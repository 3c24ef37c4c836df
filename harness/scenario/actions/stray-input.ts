import { type Action, byDriver, plain } from './action.ts';

/** Keys that were meant for nothing: none of them is an answer. */
export const strayInput: Action = {
  name: 'stray-input',
  ...plain('types letters, digits, Enter and Escape beside it', {
    leaves: 'open',
    moments: ['ask-open'],
    perform: byDriver('stray-input'),
  }),
};
