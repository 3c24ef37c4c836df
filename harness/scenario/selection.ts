import type { Trial } from '../history/trial.ts';
import {
  type ActionName,
  type Aftermath,
  ASK_KINDS,
  type AskKind,
  type Moment,
  WIRES,
  type Wire,
  writeAction,
} from '../history/vocabulary.ts';
import type { Variant } from './actions/action.ts';
import { actionOf, actions } from './actions/index.ts';
import { aftermaths } from './aftermaths/index.ts';
import { pairwise } from './cover.ts';
import { fits } from './fits.ts';
import { moments } from './moments/index.ts';

/** Which hand-offs of the whole product are to be run. What is left out means the default of that dimension. */
export interface Selection {
  /** As written: `edit`, `restart` with all its variants, `restart:sigkill` with this one. Left out: every action. */
  actions?: string[];
  /** No action was named: those that a client's profile says nothing about are not driven on it yet, and said so. */
  anyAction?: true;
  /** Left out: commands, or what the action is done with. */
  asks?: AskKind[];
  /** Left out: while the ask is open, or when the action is done. */
  moments?: Moment[];
  /** Left out: every aftermath. */
  aftermaths?: Aftermath[];
  /** Left out: each client's own default wire. */
  wires?: Wire[];
  fault?: string;
  /** Hand-offs that are narrowed each by itself; what is left out of one is as above. Left out: all are narrowed alike. */
  tries?: Try[];
}

/** Hand-offs of one action, as written, narrowed to these. */
export type Try = { action: string } & Pick<Selection, 'asks' | 'moments' | 'aftermaths'>;

/** A trial before it is known on which client: the wire may be left to the client's default. */
export type Plan = Omit<Trial, 'client' | 'wire'> & { wire?: Wire };

/** Name of the environment variable by which the command line hands its selection to the specs. */
export const SELECTION = 'HANDOFF_SELECTION';
/** Set to 1, the suite runs the full product instead of its pairwise cover. */
export const FULL = 'HANDOFF_FULL';

/** The selection in force in this process; none when the suite runs by itself. */
export function selected(environment: NodeJS.ProcessEnv = process.env): Selection | undefined {
  const given = environment[SELECTION];
  return given === undefined ? undefined : (JSON.parse(given) as Selection);
}

/**
 * The hand-offs of one action that are to be run: the selected ones, or, when nothing is selected, its part of the suite.
 *
 * @param written the action as written, with or without its variant
 */
export function plansOf(written: string, selection: Selection | undefined = selected()): Plan[] {
  const [action, only] = written.split(':') as [ActionName, string?];
  if (!selection) {
    return suite().plans.filter((plan) => plan.action === action && (!only || plan.variant === only));
  }
  const { variants } = actionOf(action);
  const wanted = (variant: string) =>
    (!only || only === variant) &&
    (selection.actions?.some((name) => name === action || name === `${action}:${variant}`) ?? true);
  const { tries, ...limits } = selection;
  const narrowed = (variant: string): Selection[] =>
    tries
      ?.filter((one) => one.action === action || one.action === `${action}:${variant}`)
      .map((one) => ({ ...limits, ...one })) ?? [limits];
  const plans = Object.entries(variants).flatMap(([variant, how]) =>
    wanted(variant) ? narrowed(variant).flatMap((one) => product(action, variant, how, one)) : [],
  );
  // What is narrowed further from outside may come to the same.
  return [...new Map(plans.map((plan) => [planTitle(plan), plan])).values()];
}

/** The suite, as it runs by itself: of every hand-off that makes sense, those that it runs. */
export function suite(full = process.env[FULL] === '1'): {
  plans: readonly Plan[];
  of: number;
  full: boolean;
} {
  const all = everyPlan();
  return { plans: full ? all : cover(), of: all.length, full };
}

/** Kind of ask and moment with which an action is done when nothing else is said. */
export const usual = ({ asks, moments: when }: Pick<Variant, 'asks' | 'moments'>) => ({
  ask: !asks || asks.includes('command') ? 'command' : (asks[0] as AskKind),
  moment: when?.[0] ?? 'ask-open',
});

function product(action: ActionName, variant: string, how: Variant, selection: Selection): Plan[] {
  const { asks = [usual(how).ask], moments: when = [usual(how).moment], wires = [undefined] } = selection;
  const after = selection.aftermaths ?? aftermaths.map((aftermath) => aftermath.name);
  const fault = selection.fault ? { fault: selection.fault } : {};
  return asks.flatMap((ask) =>
    when.flatMap((moment) =>
      after.flatMap((aftermath) =>
        wires.map((wire) => ({
          action,
          variant,
          ask,
          moment,
          aftermath,
          ...(wire ? { wire } : {}),
          ...fault,
        })),
      ),
    ),
  );
}

/** Every hand-off that makes sense, in the order of the words. Made once. */
export function everyPlan(): readonly Required<Omit<Plan, 'fault'>>[] {
  every ??= actions.flatMap(({ name: action, variants }) =>
    Object.keys(variants).flatMap((variant) =>
      ASK_KINDS.flatMap((ask) =>
        moments
          .filter(({ name: moment }) => fits({ action, variant, ask, moment }) === true)
          .flatMap(({ name: moment }) =>
            aftermaths.flatMap(({ name: aftermath }) =>
              WIRES.map((wire) => ({ action, variant, ask, moment, aftermath, wire })),
            ),
          ),
      ),
    ),
  );
  return every;
}
let every: Required<Omit<Plan, 'fault'>>[] | undefined;

/** A pairwise cover of {@link everyPlan}, with the usual cell of every variant, and of `edit` with every aftermath. */
function cover(): readonly Plan[] {
  covered ??= pairwise(
    everyPlan().map((plan) => ({ ...plan, how: writeAction(plan.action, plan.variant) })),
    ['how', 'ask', 'moment', 'aftermath', 'wire'],
    everyPlan().flatMap((plan) => {
      const common = usual(actionOf(plan.action).variants[plan.variant] as Variant);
      const isUsual = plan.ask === common.ask && plan.moment === common.moment && plan.wire === WIRES[0];
      const first = plan.aftermath === aftermaths[0]?.name || plan.action === 'edit';
      return isUsual && first ? [{ ...plan, how: writeAction(plan.action, plan.variant) }] : [];
    }),
  ).map(({ how: _, ...plan }) => plan);
  return covered;
}
let covered: readonly Plan[] | undefined;

/** Title of a planned hand-off, stable between runs. */
export const planTitle = (plan: Plan): string =>
  [writeAction(plan.action, plan.variant), plan.ask, plan.moment, plan.aftermath, plan.wire]
    .filter(Boolean)
    .join(' · ');
