import { type Action, byDriver, type Variant } from './action.ts';

const restarted = (title: string): Variant => ({
  title,
  leaves: 'either',
  moments: ['ask-open', 'call-streaming', 'second-of-two', 'result-in-flight'],
  perform: byDriver('restart'),
});

/** The agent ends with its ask open and is started again on the same data. */
export const restart: Action = {
  name: 'restart',
  title: 'sees the agent end and start again',
  variants: {
    sigterm: restarted('sees the agent end in order and start again'),
    sigkill: restarted('sees the agent killed and started again'),
    twice: { ...restarted('sees the agent killed and started again, twice'), moments: ['ask-open'] },
  },
};
