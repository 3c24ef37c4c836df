import type { Decision } from '../../clients/define.ts';
import { answerIn, answerLive, answerTogether } from '../answers.ts';
import { needed } from '../capability.ts';
import type { Stage } from '../stage.ts';
import type { Action, Variant } from './action.ts';

const atOnce = (title: string, decisions: readonly [Decision, Decision]): Variant => ({
  title,
  leaves: 'settled',
  runsOn: decisions[0] === 'approve',
  asks: ['command', 'edit', 'mcp'],
  moments: ['ask-open'],
  perform: async (stage: Stage) => {
    await answerTogether(stage, 'A', decisions);
    return 'done';
  },
});

/** More than one answer to one ask: the first one counts, and only that. */
export const duplicateAnswer: Action = {
  name: 'duplicate-answer',
  title: 'answers it twice',
  variants: {
    'double-click': atOnce('approves it with a double click', ['approve', 'approve']),
    'deny-then-approve': atOnce('denies it and approves it in the same instant', ['deny', 'approve']),
    'two-windows': {
      title: 'approves it in two windows at once',
      leaves: 'settled',
      runsOn: true,
      asks: ['command', 'edit', 'mcp'],
      moments: ['ask-open'],
      perform: async (stage) => {
        const other = await needed(stage, stage.driver.second, 'second window')();
        await Promise.all([answerLive(stage, 'A', 'approve'), answerIn(stage, other, 'A', 'approve')]);
        return 'done';
      },
    },
  },
};
