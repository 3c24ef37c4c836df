import type { Moment } from '../../history/vocabulary.ts';
import { askSeen } from '../observe.ts';
import { callTurn } from '../stage.ts';
import { heldInCall } from './call-streaming.ts';
import { GATE, listed, type MomentPlan } from './moment.ts';

/** Both orders of the same race begin alike. */
const race = (name: Moment): Pick<MomentPlan, 'name' | 'fits' | 'script' | 'arrive'> => ({
  name,
  fits: (variant) => listed(name, variant),
  script: (stage) => [callTurn(stage, 'A', GATE)],
  arrive: heldInCall,
});

/** The ask has come up just now, before the person can have read it. */
export const askArriving: MomentPlan = {
  ...race('ask-arriving'),
  title: 'in the instant in which the ask comes up',
  land: async (stage, perform) => {
    stage.model.gate(GATE).open();
    await stage.recorder.until(() => askSeen(stage, 'A'), {
      what: 'any witness to see ask A',
      limit: stage.limits.ready,
      every: 1,
    });
    return perform();
  },
};

/** The person acts, and the ask is already on its way to the screen. */
export const askOvertaken: MomentPlan = {
  ...race('ask-overtaken'),
  title: 'in the instant before the ask comes up',
  land: async (stage, perform) => {
    const acting = perform();
    stage.model.gate(GATE).open();
    return acting;
  },
};
