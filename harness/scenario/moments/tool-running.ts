import { answerLive } from '../answers.ts';
import { arriveAtAsks, listed, type MomentPlan, plainScript } from './moment.ts';

/** The call was approved, and its command is at work: its effect has not happened yet. */
export const toolRunning: MomentPlan = {
  name: 'tool-running',
  title: 'while the approved tool is at work',
  fits: (variant, ask) => {
    if (ask !== 'command') return 'only a command can be held in the middle';
    if (variant.leaves === 'open') return 'there is no ask left to leave open';
    return listed('tool-running', variant);
  },
  script: plainScript,
  arrive: async (stage, prepareLate) => {
    const { world, recorder, limits } = stage;
    await arriveAtAsks(stage, ['A'], prepareLate);
    world.hold('A');
    await answerLive(stage, 'A', 'approve');
    await recorder.until(() => world.counts() && recorder.last('world.started', ({ call }) => call === 'A'), {
      what: 'the tool of call A to be at work',
      limit: limits.ready,
    });
  },
  land: async (stage, perform) => {
    try {
      return await perform();
    } finally {
      stage.world.letGo('A');
    }
  },
};
