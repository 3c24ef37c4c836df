import type { CallRole, HandoffEvent } from '../history/events.ts';
import { before, surelyAfter } from '../history/intervals.ts';
import type { EventOf } from '../history/recorder.ts';
import type { AskKind, Settlement } from '../history/vocabulary.ts';
import type { Facts } from './facts.ts';
import type { Answer } from './person.ts';

/** The end of an ask's life. */
export interface Death {
  /**
   * `superseded`: by an action that leaves nothing open; `answered`: by the person; `ended`: by the client itself, under
   * an action that may leave an ask open.
   */
  how: 'superseded' | 'answered' | 'ended';
  /** The act, as it began and as it was over. */
  begin: HandoffEvent;
  end: HandoffEvent;
  /** `answered` only. */
  decision?: Answer['decision'];
}

/** What is known of the ask of one call. */
export interface AskLife {
  call: CallRole;
  kind: AskKind | undefined;
  question: boolean;
  /** Whether it belongs to the run that the action is about. */
  ofA: boolean;
  /** The client's own ids of it. */
  ids: ReadonlySet<string>;
  opened: EventOf<'engine.ask-opened'>[];
  settled: EventOf<'engine.ask-settled'>[];
  /** Earliest time of each settlement: a list that still held the ask narrows a polled interval. */
  settledSince: (settlement: EventOf<'engine.ask-settled'>) => number;
  decisions: EventOf<'engine.decision'>[];
  /** Lists of pending asks taken after the ask was known, each with whether it holds this ask. */
  pending: { event: EventOf<'engine.pending'>; holds: boolean }[];
  /** Whether any witness ever saw it. */
  seen: boolean;
  death: Death | undefined;
}

/** Derives the life of one call's ask. */
export function lifeOf(facts: Facts, call: CallRole): AskLife {
  const named = <T extends { call?: CallRole; ask: string }>(events: readonly T[]) =>
    events.filter((event) => event.call === call);
  const ids = new Set([
    ...named(facts.all('engine.ask-opened')).map((event) => event.ask),
    ...named(facts.all('engine.ask-settled')).map((event) => event.ask),
    ...facts.all('engine.pending').flatMap((list) => named(list.asks).map((ask) => ask.ask)),
  ]);
  const mine = (event: { call?: CallRole; ask: string }) => event.call === call || ids.has(event.ask);
  const opened = facts.all('engine.ask-opened').filter(mine);
  const settled = facts.all('engine.ask-settled').filter(mine);
  const pending = facts.all('engine.pending').map((event) => ({ event, holds: event.asks.some(mine) }));
  const kind = facts.header.calls[call]?.ask ?? opened[0]?.kind;
  return {
    call,
    kind,
    question: kind === 'question',
    ofA: facts.isOfA(call),
    ids,
    opened,
    settled,
    settledSince: (settlement) => {
      const still = pending.findLast(({ event, holds }) => holds && event.t <= settlement.t)?.event;
      return Math.max(settlement.since ?? settlement.t, still?.since ?? still?.t ?? 0);
    },
    decisions: facts.all('engine.decision').filter((event) => event.call === call),
    pending,
    seen: ids.size > 0 || facts.screens.everShows({ call, ids }),
    death: deathOf(facts, call, settled),
  };
}

/**
 * The person's own answer first, if the ask could still be answered by it. Then the action, when it is one that leaves no
 * ask open. Else what the client itself did: an action that may leave an ask open may also end it.
 */
function deathOf(
  facts: Facts,
  call: CallRole,
  settled: readonly EventOf<'engine.ask-settled'>[],
): Death | undefined {
  const { begin, end = begin } = facts.supersession;
  const ofA = facts.isOfA(call);
  const superseded = ofA && facts.supersedes && begin && end ? { begin, end } : undefined;
  const answer = facts.answers.find(
    (given) =>
      given.call === call &&
      takesHold(facts, given) &&
      !(superseded && before(given.begin, superseded.end) !== 'yes'),
  );
  if (answer) {
    const over = answer.end ?? answer.begin;
    return { how: 'answered', begin: answer.begin, end: over, decision: answer.decision };
  }
  if (superseded) return { how: 'superseded', ...superseded };
  if (!ofA || !begin) return undefined;
  const [first] = settled;
  if (first) return { how: 'ended', begin: first, end: first };
  const told = facts.turns.find(
    (turn) =>
      surelyAfter(begin, turn) &&
      turn.calls.some((one) => one.role === call && one.results > 0 && one.told === 'denied'),
  );
  // Only the model's side tells of an end: it came at some time after the action began.
  return told && !facts.header.witnesses.engine ? { how: 'ended', begin, end: told } : undefined;
}

/**
 * Whether an answer is one that the ask may end by: one given on purpose to a live ask, or one that was on its way when an
 * action came that ends no ask. One that found nothing to press, or that was refused, was none.
 */
export const takesHold = (facts: Facts, { intent, route, outcome }: Answer): boolean =>
  (intent === 'live' || (route === 'in-flight' && !facts.supersedes)) &&
  outcome !== 'gone' &&
  outcome !== 'refused';

/** Whether an outcome gives the tool its way. An answer does so only where an approval was asked for. */
export const approves = (outcome: Settlement): boolean => outcome === 'approved';

/** Whether an outcome is a proper end of an ask that nobody approved. */
export const ends = (outcome: Settlement, question: boolean): boolean =>
  outcome === 'denied' ||
  outcome === 'cancelled' ||
  outcome === 'expired' ||
  (question && outcome === 'answered');
