import type { History } from '../history/events.ts';
import type { Verdict, Witness } from '../history/vocabulary.ts';
import { Facts } from './facts.ts';
import type { Clause, Level, Opinion, Requirement } from './opinion.ts';
import { requirements, type Slug } from './requirements/index.ts';

/** How one clause came out. */
export interface ClauseVerdict {
  name: string;
  expected: string;
  verdict: Verdict;
  supporting?: true;
  /** The opinions that decided it come first. Empty when the hand-off gives no occasion. */
  opinions: Opinion[];
  /** Why there was no occasion. */
  reason?: string;
}

/** How one requirement came out in one hand-off, and why. */
export interface RequirementVerdict {
  verdict: Verdict;
  level: Level;
  /** Witnesses whose opinions decided it. */
  witnesses: Witness[];
  expected: string;
  /** What was seen, as a sentence; the reason when it was not offered. */
  observed: string;
  /** `seq` of the deciding event. */
  at?: number;
  /** Time of the deciding event, ms since the hand-off began. */
  t?: number;
  /** How each part came out; left out where only the result is carried on. */
  clauses?: ClauseVerdict[];
}

/** Verdicts by slug. */
export type HandoffVerdicts = Record<string, RequirementVerdict>;

/**
 * Judges one hand-off. A pure function of the history: total on every history that fits the schema, the same for the same
 * history. A history that did not run to its end can show violations but never a `held`.
 */
export function judge(history: History): Record<Slug, RequirementVerdict> {
  const facts = new Facts(history);
  return Object.fromEntries(requirements.map((one) => [one.slug, judgeOne(one, history, facts)])) as Record<
    Slug,
    RequirementVerdict
  >;
}

function judgeOne(one: Requirement, history: History, facts: Facts): RequirementVerdict {
  const atStake = one.atStake(history, facts);
  if (atStake !== true) return notOffered(one, atStake, []);
  const clauses = one.clauses.map((clause) => judgeClause(clause, facts));
  const offered = clauses.filter((clause) => clause.verdict !== 'not-offered');
  if (offered.length === 0)
    return notOffered(one, clauses.map((clause) => clause.reason).join('; '), clauses);
  const verdict = combine(offered);
  const deciding = offered.filter((clause) => clause.verdict === verdict);
  const clause = deciding.find((candidate) => !candidate.supporting) ?? deciding[0];
  const opinions = deciding.flatMap((each) => each.opinions.filter((each) => each.verdict === verdict));
  const first = clause?.opinions.find((each) => each.verdict === verdict) ?? opinions[0];
  const base = {
    level: one.level,
    witnesses: [...new Set(opinions.map((each) => each.witness))],
    expected: clause?.expected ?? one.rule,
    observed: first?.observed ?? 'no witness saw it',
    ...(first?.at === undefined ? {} : { at: first.at, t: first.t }),
    clauses,
  };
  if (verdict === 'held' && !facts.complete) {
    const why = facts.end ? `was ${facts.end.reason}` : 'has no end record';
    return { ...base, verdict: 'unobserved', observed: `the hand-off ${why}; until then: ${base.observed}` };
  }
  return { ...base, verdict };
}

function notOffered(one: Requirement, reason: string, clauses: ClauseVerdict[]): RequirementVerdict {
  return {
    verdict: 'not-offered',
    level: one.level,
    witnesses: [],
    expected: one.rule,
    observed: reason,
    clauses,
  };
}

/** Violated before unobserved before held; a supporting clause that nobody saw leaves the others to decide. */
function combine(clauses: ClauseVerdict[]): Verdict {
  if (clauses.some((clause) => clause.verdict === 'violated')) return 'violated';
  const deciding = clauses.filter((clause) => !clause.supporting || clause.verdict === 'held');
  const heart = clauses.filter((clause) => !clause.supporting);
  const must = heart.length > 0 ? heart : deciding;
  return must.length > 0 && must.every((clause) => clause.verdict === 'held') ? 'held' : 'unobserved';
}

function judgeClause(clause: Clause, facts: Facts): ClauseVerdict {
  const said = clause.judge(facts);
  const base = {
    name: clause.name,
    expected: clause.expected,
    ...(clause.supporting ? { supporting: clause.supporting } : {}),
  };
  if (typeof said === 'string') return { ...base, verdict: 'not-offered', opinions: [], reason: said };
  const any = (verdict: Opinion['verdict']) => said.some((opinion) => opinion.verdict === verdict);
  const each = clause.combine === 'each';
  const verdict: Verdict = any('violated')
    ? 'violated'
    : each && any('unobserved')
      ? 'unobserved'
      : any('held')
        ? 'held'
        : 'unobserved';
  const opinions = [...said].sort((a, b) => Number(b.verdict === verdict) - Number(a.verdict === verdict));
  return { ...base, verdict, opinions };
}

/** From bad to good; what was not offered says nothing. */
const ORDER: readonly Verdict[] = ['violated', 'unobserved', 'held', 'not-offered'];

/** The worst of several verdicts on one requirement. Of none: `not-offered`. */
export function worst(verdicts: Iterable<Verdict>): Verdict {
  const all = new Set(verdicts);
  return ORDER.find((verdict) => all.has(verdict)) ?? 'not-offered';
}

/** Whether a verdict is at least as bad as another. */
export const atLeastAsBad = (one: Verdict, other: Verdict): boolean =>
  ORDER.indexOf(one) <= ORDER.indexOf(other);
