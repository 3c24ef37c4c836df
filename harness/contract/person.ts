import type { CallRole, HandoffEvent, History, MessageRole } from '../history/events.ts';
import { before } from '../history/intervals.ts';
import type { EventOf } from '../history/recorder.ts';

type AnswerEvent = EventOf<'person.answer'>;
type SubmitEvent = EventOf<'person.submit'>;

/** One answer that the person gave, from the press to what came of it. */
export interface Answer {
  call: CallRole;
  decision: AnswerEvent['decision'];
  route: AnswerEvent['route'];
  intent: AnswerEvent['intent'];
  begin: AnswerEvent;
  end?: AnswerEvent;
  outcome?: AnswerEvent['outcome'];
}

/** Whether one answer was over and done with before the other was begun. */
export const isOver = (one: Answer, other: Answer): boolean =>
  one.end !== undefined && before(one.end, other.begin) === 'yes';

/** One message that the person gave, from Send to what the client made of it. */
export interface Submission {
  message: MessageRole;
  begin: SubmitEvent;
  end?: SubmitEvent;
  outcome?: SubmitEvent['outcome'];
}

const ofType = <K extends HandoffEvent['type']>(history: History, type: K): EventOf<K>[] =>
  (history.events.filter((event) => event.type === type) as EventOf<K>[]).sort(
    (a, b) => a.t - b.t || a.seq - b.seq,
  );

/** Every answer of a history; a begin is paired with the next end that names the same ask, way and purpose. */
export function answersIn(history: History): Answer[] {
  return paired(
    ofType(history, 'person.answer'),
    (event) => `${event.call} ${event.decision} ${event.route} ${event.intent}`,
  ).map(({ begin, end }) => ({
    call: begin.call,
    decision: begin.decision,
    route: begin.route,
    intent: begin.intent,
    begin,
    ...(end ? { end, outcome: end.outcome } : {}),
  }));
}

/** Every message of a history that was given to the client. */
export function submissionsIn(history: History): Submission[] {
  return paired(ofType(history, 'person.submit'), (event) => event.message).map(({ begin, end }) => ({
    message: begin.message,
    begin,
    ...(end ? { end, outcome: end.outcome } : {}),
  }));
}

/** Pairs begins with ends in one pass. An end without a begin counts as both: something was surely done. */
function paired<T extends HandoffEvent & { phase: 'begin' | 'end' }>(
  events: readonly T[],
  keyOf: (event: T) => string,
): { begin: T; end?: T }[] {
  const pairs: { begin: T; end?: T }[] = [];
  const open = new Map<string, { begin: T; end?: T }[]>();
  for (const event of events) {
    const waiting = open.get(keyOf(event)) ?? [];
    open.set(keyOf(event), waiting);
    const pair = event.phase === 'end' ? waiting.shift() : undefined;
    if (pair) pair.end = event;
    else {
      const fresh = event.phase === 'end' ? { begin: event, end: event } : { begin: event };
      pairs.push(fresh);
      if (event.phase === 'begin') waiting.push(fresh);
    }
  }
  return pairs;
}
