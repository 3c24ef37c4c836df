import { type Action, byDriver, plain } from './action.ts';

/** A message that was sent before the ask appeared waits for the run to end. It answers nothing. */
export const queuedMessage: Action = {
  name: 'queued-message',
  ...plain('has already sent the next message, which waits for the run to end', {
    leaves: 'open',
    carriesNext: true,
    moments: ['call-streaming'],
    perform: byDriver('queued-message'),
  }),
};
