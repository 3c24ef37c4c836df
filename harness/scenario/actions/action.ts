import type { ActionOutcome } from '../../clients/define.ts';
import type { ActionName } from '../../history/vocabulary.ts';
import { messageText, type Stage } from '../stage.ts';

/** A supersession or a control: one file each, one line in the registry. */
export interface Action {
  name: ActionName;
  /** What the person does, to end the sentence "while the ask is open, the person ...". */
  title: string;
  /** Whether the action itself delivers message B. If not, the person types it once the client rests. */
  carriesNext: boolean;
  /** How the action answers the ask live: a control supersedes nothing. */
  control?: 'approve' | 'deny';
  perform(stage: Stage): Promise<ActionOutcome>;
}

/**
 * Performs the action with the client's own driver.
 *
 * @throws Error when the profile offers what the driver does not perform: an error, never a silence.
 */
export function byDriver(name: ActionName): Action['perform'] {
  return async ({ driver, client, header }) => {
    const act = driver.actions[name];
    if (!act)
      throw new Error(`the profile of ${client.id} offers ${name}, but its driver does not perform it`);
    return act({ role: 'B', text: messageText(header, 'B') });
  };
}
