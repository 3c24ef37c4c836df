import { answerLive } from '../answers.ts';
import { callTurn, type Stage, textTurn } from '../stage.ts';
import { type Action, driven, type Variant } from './action.ts';

/** Message A's run gives a task to a run of its own, and it is that one which asks. */
const child = (variant: Omit<Variant, 'asks' | 'moments' | 'script'>): Variant => ({
  ...variant,
  asks: ['command', 'edit', 'question'],
  moments: ['ask-open'],
  script: (stage: Stage) => [
    { parts: [{ subtask: `A subtask of ${stage.header.messages.A?.marker}: run check A.` }] },
    callTurn(stage, 'A'),
    textTurn('The subtask is over.', { optional: !variant.runsOn }),
  ],
});

/** A run's own child asks. What ends the parent ends the child and its ask. */
export const subagent: Action = {
  name: 'subagent',
  title: 'acts on a run whose subtask asks',
  variants: {
    'parent-edit': child({
      title: 'edits the message whose subtask asks',
      leaves: 'settled',
      carriesNext: true,
      perform: (stage) => driven(stage, 'edit'),
    }),
    'parent-stop': child({
      title: 'stops the run whose subtask asks',
      leaves: 'settled',
      perform: (stage) => driven(stage, 'stop'),
    }),
    answered: child({
      title: 'approves what the subtask asks',
      leaves: 'settled',
      runsOn: true,
      perform: async (stage) => {
        await answerLive(stage, 'A', 'approve');
        return 'done';
      },
    }),
  },
};
