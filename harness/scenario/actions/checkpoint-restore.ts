import { answerLive } from '../answers.ts';
import { asked, effectSeen } from '../observe.ts';
import { callTurn } from '../stage.ts';
import { type Action, byDriver } from './action.ts';

const title = 'goes back to the checkpoint before the message';

/** Conversation and files go back to before the message; its ask cannot outlive it. */
export const checkpointRestore: Action = {
  name: 'checkpoint-restore',
  title,
  variants: {
    plain: { title, leaves: 'settled', perform: byDriver('checkpoint-restore') },
    /** The run has already changed a file, with approval, which must be as before afterwards. */
    files: {
      title: `${title}, after an approved change of files`,
      leaves: 'settled',
      asks: ['command', 'edit'],
      moments: ['ask-open'],
      calls: ['A2'],
      script: (stage) => [callTurn(stage, 'A2'), callTurn(stage, 'A')],
      onTheWay: async (stage) => {
        await asked(stage, ['A2']);
        await answerLive(stage, 'A2', 'approve');
        await effectSeen(stage, 'A2');
      },
      perform: byDriver('checkpoint-restore'),
    },
  },
};
