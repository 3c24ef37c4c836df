import { type Action, byDriver } from './action.ts';

/** The run is stopped while its ask is open. */
export const stop: Action = {
  name: 'stop',
  title: 'presses Stop',
  carriesNext: false,
  perform: byDriver('stop'),
};
