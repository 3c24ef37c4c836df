import type { Trial } from '../history/trial.ts';
import type { ActionName, Aftermath, AskKind, Moment, Wire } from '../history/vocabulary.ts';
import { aftermaths } from './aftermaths/index.ts';

/** Which hand-offs of the whole product are to be run. What is left out means the default of that dimension. */
export interface Selection {
  actions?: ActionName[];
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

/** The selected hand-offs of one action. */
export function plansOf(action: ActionName, selection: Selection = selected()): Plan[] {
  const { actions, asks = ['command'], moments = ['ask-open'], wires = [undefined], fault } = selection;
  if (actions && !actions.includes(action)) return [];
  const after = selection.aftermaths ?? aftermaths.map((aftermath) => aftermath.name);
  const plans: Plan[] = [];
  for (const ask of asks)
    for (const moment of moments)
      for (const aftermath of after)
        for (const wire of wires) {
          plans.push({
            action,
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
  [plan.action, plan.ask, plan.moment, plan.aftermath, plan.wire].filter(Boolean).join(' · ');
