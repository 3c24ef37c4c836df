import type { CallRole } from '../../history/events.ts';
import { answerLive } from '../answers.ts';
import { askOrRest, settledOnScreen, showsAsk } from '../observe.ts';
import { callsTurn, type Stage } from '../stage.ts';
import { type Action, driven, type Variant } from './action.ts';

type Answers = [CallRole, 'approve' | 'deny'][];

/** Several asks of one turn, answered in this order; each one that is left must still be answerable. */
const answers = (calls: CallRole[], given: Answers): Pick<Variant, 'calls' | 'script' | 'perform'> => ({
  ...together(calls),
  perform: async (stage: Stage) => {
    for (const [call, decision] of given) {
      // One that an earlier answer has taken along cannot be answered any more; the history tells.
      await askOrRest(stage, call);
      if (!showsAsk(stage, call)) continue;
      await answerLive(stage, call, decision);
      await settledOnScreen(stage, call);
    }
    return 'done';
  },
});

const together = (calls: CallRole[]): Pick<Variant, 'calls' | 'script' | 'asks' | 'moments'> => ({
  calls: calls.filter((call) => call !== 'A'),
  script: (stage) => [callsTurn(stage, calls)],
  asks: ['command', 'edit', 'mcp', 'question'],
  moments: ['ask-open'],
});

/** Several asks are open at once. One answer is an answer to one ask. */
export const sibling: Action = {
  name: 'sibling',
  title: 'has several asks of one turn before them',
  variants: {
    'deny-first': {
      title: 'denies the first of two and approves the second',
      leaves: 'settled',
      runsOn: true,
      ...answers(
        ['A', 'A2'],
        [
          ['A', 'deny'],
          ['A2', 'approve'],
        ],
      ),
    },
    'approve-second': {
      title: 'approves the second of two and leaves the first open',
      leaves: 'open',
      ...answers(['A', 'A2'], [['A2', 'approve']]),
    },
    'three-middle': {
      title: 'denies the middle one of three, then approves the last and denies the first',
      leaves: 'settled',
      runsOn: true,
      ...answers(
        ['A2', 'A', 'A3'],
        [
          ['A', 'deny'],
          ['A3', 'approve'],
          ['A2', 'deny'],
        ],
      ),
    },
    'edit-all': {
      title: 'edits the message while two asks are open',
      leaves: 'settled',
      carriesNext: true,
      ...together(['A', 'A2']),
      perform: (stage) => driven(stage, 'edit'),
    },
  },
};
