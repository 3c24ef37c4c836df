import type { ActionName } from '../../history/vocabulary.ts';
import type { Action } from './action.ts';
import { approve } from './approve.ts';
import { deny } from './deny.ts';
import { edit } from './edit.ts';
import { newMessage } from './new-message.ts';
import { newSession } from './new-session.ts';
import { stop } from './stop.ts';

/** Every action that the scenario performs. A new one is one file and one line here. */
export const actions: readonly Action[] = [approve, deny, edit, stop, newSession, newMessage];

/** @throws Error when no such action is performed yet. */
export function actionOf(name: ActionName): Action {
  const found = actions.find((action) => action.name === name);
  if (!found) throw new Error(`no action named ${name}; there are: ${actions.map((a) => a.name).join(', ')}`);
  return found;
}
