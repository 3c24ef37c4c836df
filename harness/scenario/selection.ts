import type { Trial } from '../history/trial.ts';
import type { ActionName, Aftermath, AskKind, Moment, Wire } from '../history/vocabulary.ts';
import { aftermaths } from './aftermaths/index.ts';

/** Which hand-offs of the whole product are to be run. An empty list means the default of that dimension. */
export interface Selection {
  actions: ActionName[];
  asks: AskKind[];
  moments: Moment[];
  aftermaths: Aftermath[];
  /** Empty: each client's own default wire. */
  wires: Wire[];
  fault?: string;
}

/** A trial before it is known on which client: the wire may be left to the client's default. */
export type Plan = Omit<Trial, 'client' | 'wire'> & { wire?: Wire };

/** Name of the environment variable by which the command line hands its selection to the specs. */
export const SELECTION = 'HANDOFF_SELECTION';

const EVERYTHING: Selection = { actions: [], asks: [], moments: [], aftermaths: [], wires: [] };

/** The selection in force in this process. */
export function selected(environment: NodeJS.ProcessEnv = process.env): Selection {
  return { ...EVERYTHING, ...(JSON.parse(environment[SELECTION] ?? '{}') as Partial<Selection>) };
}

/** The selected hand-offs of one action. */
export function plansOf(action: ActionName, selection: Selection = selected()): Plan[] {
  if (selection.actions.length > 0 && !selection.actions.includes(action)) return [];
  const or = <T>(chosen: T[], otherwise: T[]) => (chosen.length > 0 ? chosen : otherwise);
  const plans: Plan[] = [];
  for (const ask of or(selection.asks, ['command']))
    for (const moment of or(selection.moments, ['ask-open']))
      for (const aftermath of or(
        selection.aftermaths,
        aftermaths.map((a) => a.name),
      ))
        for (const wire of or<Wire | undefined>(selection.wires, [undefined]))
          plans.push({
            action,
            ask,
            moment,
            aftermath,
            ...(wire ? { wire } : {}),
            ...(selection.fault ? { fault: selection.fault } : {}),
          });
  return plans;
}

/** Title of a planned hand-off, stable between runs. */
export const planTitle = (plan: Plan): string =>
  [plan.action, plan.ask, plan.moment, plan.aftermath, plan.wire].filter(Boolean).join(' · ');
