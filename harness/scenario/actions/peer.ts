import { answerIn } from '../answers.ts';
import { needed } from '../capability.ts';
import { messageText, type Stage } from '../stage.ts';
import type { Action } from './action.ts';

const second = async (stage: Stage) => {
  const open = needed(stage, stage.driver.second, 'second window');
  return open();
};

const acts = async (stage: Stage, name: 'stop' | 'edit') => {
  const hands = await second(stage);
  const act = needed(stage, hands.actions[name], `${name} in the second window`);
  return act({ role: 'B', text: messageText(stage.header, 'B') });
};

/** A second window does it; the first one must follow. */
export const peer: Action = {
  name: 'peer',
  title: 'uses a second window',
  variants: {
    answers: {
      title: 'approves it in a second window',
      leaves: 'settled',
      runsOn: true,
      moments: ['ask-open', 'second-of-two'],
      perform: async (stage) => {
        await answerIn(stage, await second(stage), 'A', 'approve');
        return 'done';
      },
    },
    stops: {
      title: 'presses Stop in a second window',
      leaves: 'settled',
      moments: ['ask-open', 'answer-in-flight'],
      perform: (stage) => acts(stage, 'stop'),
    },
    edits: {
      title: 'edits the message in a second window and sends it again',
      leaves: 'settled',
      carriesNext: true,
      moments: ['ask-open', 'answer-in-flight'],
      perform: (stage) => acts(stage, 'edit'),
    },
  },
};
