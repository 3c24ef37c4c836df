import { answerLive } from '../answers.ts';
import { effectSeen } from '../observe.ts';
import { callsTurn } from '../stage.ts';
import { arriveAtAsks, listed, type MomentPlan } from './moment.ts';

/** Two asks of one turn; the first has been approved and has had its effect, the second is still open. */
export const secondOfTwo: MomentPlan = {
  name: 'second-of-two',
  title: 'while the second of two asks is open',
  calls: ['A2'],
  fits: (variant) => {
    if (variant.calls || variant.script) return 'its turn of message A is one of its own';
    return listed('second-of-two', variant);
  },
  script: (stage) => [callsTurn(stage, ['A2', 'A'])],
  arrive: async (stage, prepareLate) => {
    await arriveAtAsks(stage, ['A2', 'A'], prepareLate);
    await answerLive(stage, 'A2', 'approve');
    await effectSeen(stage, 'A2');
    stage.world.check();
    await stage.driver.look();
  },
  land: (_stage, perform) => perform(),
};
