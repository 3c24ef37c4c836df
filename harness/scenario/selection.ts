import type { Trial } from '../history/trial.ts';
import {
  type ActionName,
  type Aftermath,
  type AskKind,
  type Moment,
  PLAIN_VARIANT,
  type Wire,
  writeAction,
} from '../history/vocabulary.ts';
import { aftermaths } from './aftermaths/index.ts';

/** Which hand-offs of the whole product are to be run. What is left out means the default of that dimension. */
export interface Selection {
  /** As written: `edit`, `restart` with all its variants, `restart:sigkill` with this one. */
  actions?: string[];
  asks?: AskKind[];
  moments?: Moment[];
  aftermaths?: Aftermath[];
  /** Left out: each client's own default wire. */
  wires?: Wire[];
  fault?: string;
}

/** A trial before it is known on which client: the wire may be left to the client's default. */
export type Plan = Omit<Trial, 'client' | 'wire'> & { wire?: Wire };

/** Name of the environment variable by which the command line hands its selection to the specs. */
export const SELECTION = 'HANDOFF_SELECTION';

/** The selection in force in this process. */
export function selected(environment: NodeJS.ProcessEnv = process.env): Selection {
  return JSON.parse(environment[SELECTION] ?? '{}') as Selection;
}

/** The selected hand-offs of one action, given as written. */
export function plansOf(written: string, selection: Selection = selected()): Plan[] {
  const { actions, asks = ['command'], moments = ['ask-open'], wires = [undefined], fault } = selection;
  const [action, variant = PLAIN_VARIANT] = written.split(':') as [ActionName, string?];
  if (actions && !actions.some((wanted) => wanted === action || wanted === writeAction(action, variant)))
    return [];
  const after = selection.aftermaths ?? aftermaths.map((aftermath) => aftermath.name);
  const plans: Plan[] = [];
  for (const ask of asks)
    for (const moment of moments)
      for (const aftermath of after)
        for (const wire of wires) {
          plans.push({
            action,
            variant,
            ask,
            moment,
            aftermath,
            ...(wire ? { wire } : {}),
            ...(fault ? { fault } : {}),
          });
        }
  return plans;
}

/** Title of a planned hand-off, stable between runs. */
export const planTitle = (plan: Plan): string =>
  [writeAction(plan.action, plan.variant), plan.ask, plan.moment, plan.aftermath, plan.wire]
    .filter(Boolean)
    .join(' · ');
