import type { Header } from '../history/events.ts';
import type { ActionName, AskKind } from '../history/vocabulary.ts';

/** Actions that are no supersession whatever they leave: the run that asked goes its way. */
const NEVER_SUPERSEDE: ReadonlySet<ActionName> = new Set([
  'approve',
  'deny',
  'mode-change',
  'stray-input',
  'duplicate-answer',
]);

/** Actions that may end an ask and yet let its run go on, with that outcome or with an error. */
const RUN_GOES_ON: ReadonlySet<ActionName> = new Set(['timeout', 'provider-error', 'reload']);

/** Whether the action is one that can end the life of an open ask by itself. */
export const maySupersede = ({ action }: Header): boolean => !NEVER_SUPERSEDE.has(action);

/** Whether the run that asked may go on although the action ended its ask. */
export const runMayGoOn = ({ action }: Header): boolean =>
  NEVER_SUPERSEDE.has(action) || RUN_GOES_ON.has(action);

/**
 * What the action takes back: the text of message A with all that came of it, only what came of it (a retry runs the same
 * message again), or nothing.
 */
export function takesBack({ action, variant }: Header): 'message' | 'answer' | undefined {
  if (action === 'retry') return 'answer';
  const edits = action === 'edit' || /(^|-)edit/.test(variant);
  return edits || action === 'checkpoint-restore' ? 'message' : undefined;
}

/** Kinds of ask that need no approval by the policy that came with a mode change, as far as the variant's name is known. */
const ALLOWED_SINCE: Readonly<Record<string, readonly AskKind[]>> = {
  'to-plan': [],
  'auto-approve-commands': ['command'],
  'auto-approve-edits': ['edit'],
};

/** Whether an ask of this kind may be approved by the policy that the action brought. */
export function policyAllows({ action, variant }: Header, kind: AskKind | undefined): boolean {
  if (action !== 'mode-change') return false;
  const allowed = ALLOWED_SINCE[variant];
  return allowed === undefined || kind === undefined || allowed.includes(kind);
}
