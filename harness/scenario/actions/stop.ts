import { type Action, byDriver, plain } from './action.ts';

/** The run is stopped while its ask is open. */
export const stop: Action = {
  name: 'stop',
  ...plain('presses Stop', { leaves: 'settled', perform: byDriver('stop') }),
};
