import type { HandoffEvent, History } from '../history/events.ts';
import type { Verdict, Witness } from '../history/vocabulary.ts';
import type { Facts } from './facts.ts';

/** What one witness says about one clause. */
export interface Opinion {
  witness: Witness;
  verdict: Exclude<Verdict, 'not-offered'>;
  /** What it saw, as a sentence. */
  observed: string;
  /** `seq` of the event that decided it. */
  at?: number;
  /** Time of that event, ms since the hand-off began. */
  t?: number;
}

/** A part of a requirement that is judged by itself. */
export interface Clause {
  name: string;
  /** What must be seen, in words. */
  expected: string;
  /**
   * A supporting clause may be violated, but when nobody could see it the requirement is decided by its other clauses.
   * For clauses that need a witness which many clients lack.
   */
  supporting?: true;
  /**
   * How opinions combine when none is a violation. `any` (default): one witness that saw it is enough; for several
   * witnesses of one thing. `each`: every opinion must be held; for several things.
   */
  combine?: 'any' | 'each';
  /** The opinions of all witnesses, or the reason why this hand-off gives the clause no occasion. */
  judge(facts: Facts): Opinion[] | string;
}

/** How binding a requirement is. */
export type Level = 'MUST' | 'SHOULD';

/** One rule of the contract. */
export interface Requirement<Slug extends string = string> {
  /** Never changes; the same for pass and fail. */
  slug: Slug;
  level: Level;
  title: string;
  rule: string;
  why: string;
  /** What a violation looks like to a person, by example. */
  broken: string;
  /** Witnesses that can decide it. */
  witnesses: readonly Witness[];
  /** Numbers of field reports that show it broken, and places where a protocol demands it. */
  sources: { reports: readonly number[]; acp?: readonly string[]; agui?: readonly string[] };
  /** `true`, or the reason why this hand-off offers no occasion to judge it. */
  atStake(history: History, facts: Facts): true | string;
  clauses: readonly Clause[];
}

/** Declares a requirement. The identity function, typed: it keeps the literal slug. */
export const requirement = <Slug extends string>(one: Requirement<Slug>): Requirement<Slug> => one;

const opinion =
  (verdict: Opinion['verdict']) =>
  (witness: Witness, observed: string, event?: HandoffEvent): Opinion => ({
    witness,
    verdict,
    observed,
    ...(event ? { at: event.seq, t: event.t } : {}),
  });

export const held = opinion('held');
export const violated = opinion('violated');
export const unobserved = opinion('unobserved');

/**
 * Something that should be there is not. That is a violation only in a history that ran to its end: what a crash or an
 * interruption cut off is no evidence of absence.
 */
export const missing = (facts: Facts, witness: Witness, observed: string, event?: HandoffEvent): Opinion =>
  facts.complete ? violated(witness, observed, event) : unobserved(witness, observed, event);

/** A time for people. */
export const ms = (event: { t: number }): string => `${Math.round(event.t * 10) / 10} ms`;
