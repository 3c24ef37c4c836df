import type { ActionOutcome } from '../../clients/define.ts';
import type { CallRole, MessageRole } from '../../history/events.ts';
import type { ActionName, AskKind, Leaves, Moment } from '../../history/vocabulary.ts';
import type { Turn } from '../../model/script.ts';
import { messageText, type Stage } from '../stage.ts';

/** A supersession or a control: one file each, one line in the registry. */
export interface Action {
  name: ActionName;
  /** What the person does, to end the sentence "while the ask is open, the person ...". */
  title: string;
  /** By name; `plain` when there is only one. The order is that of the lists. */
  variants: Record<string, Variant>;
}

/** One way of doing the action. */
export interface Variant {
  /** What the person does in this variant, to end the same sentence. */
  title: string;
  /** What the action may leave of the open ask. */
  leaves: Leaves;
  /** Whether the action itself delivers message B. If not, the person types it once the client rests. */
  carriesNext?: boolean;
  /** How the action answers the ask live and does nothing else: a control supersedes nothing. */
  control?: 'approve' | 'deny';
  /** Something of A's turn gets approved for good, so that its run must go on to its own end. */
  runsOn?: boolean;
  /** How the person answers ask A afterwards when it was left open. Default: deny. */
  then?: 'approve' | 'deny';
  /** Kinds of ask with which it makes sense. Default: all. */
  asks?: readonly AskKind[];
  /** Moments at which it can be done, the usual one first. Default: all that fit. */
  moments?: readonly Moment[];
  /** Further calls of A's turn. */
  calls?: readonly CallRole[];
  /** Further messages. */
  messages?: readonly MessageRole[];
  /** What happens before message A. */
  prelude?(stage: Stage): Promise<void>;
  /** The model's turns up to ask A, when they are not those of the moment. */
  script?(stage: Stage): Turn[];
  /** What the person does between message A and ask A. */
  onTheWay?(stage: Stage): Promise<void>;
  /** What the model says to message A once more, where the action has it run again. */
  again?(stage: Stage): Turn[];
  perform(stage: Stage): Promise<ActionOutcome>;
  /** What the person puts right again before message B, e.g. a mode that would forbid it. */
  afterwards?(stage: Stage): Promise<void>;
}

/** The one variant of an action that has no others. */
export const plain = (
  title: string,
  variant: Omit<Variant, 'title'>,
): Pick<Action, 'title' | 'variants'> => ({
  title,
  variants: { plain: { title, ...variant } },
});

/**
 * Performs the action with the client's own driver.
 *
 * @throws Error when the profile offers what the driver does not perform: an error, never a silence.
 */
export function byDriver(name: ActionName): Variant['perform'] {
  return (stage) => driven(stage, name, stage.trial.variant);
}

/** Has the driver do something, in one of its ways. @throws Error when the driver does not do it. */
export async function driven(stage: Stage, name: ActionName, variant?: string): Promise<ActionOutcome> {
  const { driver, client, header } = stage;
  const act = driver.actions[name];
  if (!act) throw new Error(`the profile of ${client.id} offers ${name}, but its driver does not perform it`);
  return act({ role: 'B', text: messageText(header, 'B') }, variant);
}
