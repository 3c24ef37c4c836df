import type { Stage } from '../stage.ts';
import { type Action, byDriver, driven, type Variant } from './action.ts';

const change = (variant: Omit<Variant, 'perform' | 'afterwards'>, back: string): Variant => ({
  ...variant,
  asks: ['command', 'edit'],
  moments: ['ask-open'],
  perform: byDriver('mode-change'),
  afterwards: async (stage: Stage) => {
    await driven(stage, 'mode-change', back);
    stage.recorder.record({ type: 'person.did', what: `changes the mode back: ${back}` });
  },
});

/** The rule of what needs an approval changes under an open ask, which has to be judged again by the new rule. */
export const modeChange: Action = {
  name: 'mode-change',
  title: 'changes the mode',
  variants: {
    /** A mode that forbids what is asked for: the ask must not be blocked and hidden. */
    'to-plan': change({ title: 'changes to a mode that only plans', leaves: 'open' }, 'to-act'),
    /** A rule that allows commands, and no edits. */
    'auto-approve-commands': change(
      { title: 'turns on the automatic approval of commands', leaves: 'either' },
      'auto-approve-off',
    ),
  },
};
