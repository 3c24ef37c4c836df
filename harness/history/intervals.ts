import type { HandoffEvent, Stamp } from './events.ts';

/** Answer to "did this come before that?". `unknown` when the evidence does not order the two. */
export type Order = 'yes' | 'no' | 'unknown';

/** When something happened: not before `from`, not after `to`; ms since the hand-off began. */
export interface Interval {
  from: number;
  to: number;
}

/** The interval in which an event happened: a point, unless the evidence was polled or streamed. */
export const intervalOf = (stamp: Stamp): Interval => ({ from: stamp.since ?? stamp.t, to: stamp.t });

/**
 * Whether `a` happened before `b`. Two intervals that touch or overlap are not ordered by time. The events of one lane
 * (one witness, one window of the screen) were reported in the order in which they happened, so there `seq` decides;
 * across lanes it never does, because evidence arrives late.
 */
export function before(a: HandoffEvent, b: HandoffEvent, since?: { a?: number; b?: number }): Order {
  const first = { ...intervalOf(a), ...(since?.a === undefined ? {} : { from: Math.min(a.t, since.a) }) };
  const second = { ...intervalOf(b), ...(since?.b === undefined ? {} : { from: Math.min(b.t, since.b) }) };
  if (first.to < second.from) return 'yes';
  if (second.to < first.from) return 'no';
  if (laneOf(a) === laneOf(b) && a.seq !== b.seq) return a.seq < b.seq ? 'yes' : 'no';
  return 'unknown';
}

/** Whether `b` surely happened after `a`. */
export const surelyAfter = (a: HandoffEvent, b: HandoffEvent): boolean => before(a, b) === 'yes';

/** The source of an event. What the person did and what the harness noted are written by one hand. */
export function laneOf(event: HandoffEvent): string {
  if (event.type === 'screen.state') return `screen ${event.window}`;
  const source = event.type.split('.', 1)[0] ?? '';
  return source === 'person' || source === 'end' ? 'harness' : source;
}
