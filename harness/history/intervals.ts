import type { HandoffEvent, Stamp } from './events.ts';

/** Answer to "did this come before that?". `unknown` when the evidence does not order the two. */
export type Order = 'yes' | 'no' | 'unknown';

/**
 * Whether `a` happened before `b`. An event is a point in time, unless its evidence was polled or streamed: then it
 * happened somewhere in [since, t]. Two intervals that touch or overlap are not ordered by time. The events of one lane
 * (one witness, one window of the screen) were reported in the order in which they happened, so there `seq` decides;
 * across lanes it never does, because evidence arrives late.
 *
 * @param since narrower or wider starts of the two intervals, where more is known than the events say
 */
export function before(a: HandoffEvent, b: HandoffEvent, since?: { a?: number; b?: number }): Order {
  if (a.t < fromOf(b, since?.b)) return 'yes';
  if (b.t < fromOf(a, since?.a)) return 'no';
  if (a.seq !== b.seq && laneOf(a) === laneOf(b)) return a.seq < b.seq ? 'yes' : 'no';
  return 'unknown';
}

const fromOf = (stamp: Stamp, since: number | undefined): number =>
  since === undefined ? (stamp.since ?? stamp.t) : Math.min(since, stamp.t);

/** Whether `b` surely happened after `a`. */
export const surelyAfter = (a: HandoffEvent, b: HandoffEvent): boolean => before(a, b) === 'yes';

/** The source of an event. What the person did and what the harness noted are written by one hand. */
export function laneOf(event: HandoffEvent): string {
  if (event.type === 'screen.state') return `screen ${event.window}`;
  const dot = event.type.indexOf('.');
  const source = dot < 0 ? event.type : event.type.slice(0, dot);
  return source === 'person' || source === 'end' ? 'harness' : source;
}
