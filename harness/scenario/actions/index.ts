import type { ActionName } from '../../history/vocabulary.ts';
import type { Action, Variant } from './action.ts';
import { approve } from './approve.ts';
import { checkpointRestore } from './checkpoint-restore.ts';
import { deny } from './deny.ts';
import { duplicateAnswer } from './duplicate-answer.ts';
import { edit } from './edit.ts';
import { modeChange } from './mode-change.ts';
import { newMessage } from './new-message.ts';
import { newSession } from './new-session.ts';
import { peer } from './peer.ts';
import { providerError } from './provider-error.ts';
import { queuedMessage } from './queued-message.ts';
import { reload } from './reload.ts';
import { restart } from './restart.ts';
import { retry } from './retry.ts';
import { sibling } from './sibling.ts';
import { stop } from './stop.ts';
import { strayInput } from './stray-input.ts';
import { subagent } from './subagent.ts';
import { switchSession } from './switch-session.ts';
import { timeout } from './timeout.ts';

/** Every action that the scenario performs. A new one is one file and one line here. */
export const actions: readonly Action[] = [
  approve,
  deny,
  edit,
  retry,
  checkpointRestore,
  stop,
  newSession,
  switchSession,
  modeChange,
  newMessage,
  queuedMessage,
  reload,
  restart,
  peer,
  sibling,
  subagent,
  timeout,
  providerError,
  duplicateAnswer,
  strayInput,
];

/** @throws Error when no such action is performed yet. */
export function actionOf(name: ActionName): Action {
  const found = actions.find((action) => action.name === name);
  if (!found) throw new Error(`no action named ${name}; there are: ${actions.map((a) => a.name).join(', ')}`);
  return found;
}

/** @throws Error when there is no such action or variant. */
export function variantOf({ action, variant }: { action: ActionName; variant: string }): Variant {
  const { variants } = actionOf(action);
  const found = variants[variant];
  if (!found)
    throw new Error(`${action} has no variant ${variant}; there are: ${Object.keys(variants).join(', ')}`);
  return found;
}

/** Every name by which actions can be chosen: `restart`, and each of `restart:sigterm`, `restart:sigkill` ... */
export const writtenActions = (): string[] =>
  actions.flatMap(({ name, variants }) => [
    name,
    ...Object.keys(variants).map((variant) => `${name}:${variant}`),
  ]);

/** The name that chooses this variant and no other: the action's own when it has only one. */
export const writtenExactly = (action: ActionName, variant: string): string =>
  Object.keys(actionOf(action).variants).length > 1 ? `${action}:${variant}` : action;
