import type { HandoffEvent } from '../history/events.ts';
import { surelyAfter } from '../history/intervals.ts';
import type { EventOf } from '../history/recorder.ts';
import type { AskLife, Facts } from './facts.ts';
import { ms } from './opinion.ts';
import { answerable, isShown } from './screens.ts';

/** A window that shows what it should not, or what it should, at a point at which somebody looked. */
export interface Sight {
  look: EventOf<'screen.state'>;
  /** The event that made it a point of looking. */
  point: HandoffEvent;
}

/**
 * The points at which the screen has had its chance to catch up and a person would look: each observation, each late
 * answer, and the very end. A composer that takes nothing (`dead`) was found before anything new could be shown.
 */
export function lookPoints(facts: Facts): readonly HandoffEvent[] {
  let points = known.get(facts);
  if (!points) {
    points = pointsIn(facts);
    known.set(facts, points);
  }
  return points;
}

const known = new WeakMap<Facts, HandoffEvent[]>();

const pointsIn = (facts: Facts): HandoffEvent[] =>
  [
    ...facts.all('harness.observed').filter((event) => event.outcome !== 'dead'),
    ...facts.answers
      .filter(({ intent, route }) => intent === 'late' && route !== 'in-flight')
      .map(({ begin }) => begin),
    // A crash comes at any time, whatever the screen is about to draw.
    ...(facts.complete ? facts.all('end') : []),
  ].sort((a, b) => a.t - b.t || a.seq - b.seq);

/**
 * What every window showed at each look point after an event. The model is ahead of the screen while it streams, so such
 * an observation counts only after a quiet window, and for a look that shows the new message. The harness waits for the
 * main window; another one may still be drawing, unless nothing has moved anywhere for a while.
 */
export function sightsAfter(facts: Facts, event: HandoffEvent): Sight[] {
  return lookPoints(facts)
    .filter((point) => surelyAfter(event, point))
    .flatMap((point) => facts.screens.allInForce(point.t).map((look) => ({ look, point })))
    .filter(({ look, point }) => {
      const observed = point.type === 'harness.observed' ? point : undefined;
      const quiet = observed?.quiet !== undefined || point.type === 'end';
      if (observed?.outcome === 'streaming') return quiet && look.messages.includes(observed.message);
      return look.window === 'main' || quiet;
    });
}

/**
 * From when on an ask must be gone: its recorded settlement, or the end of the act that should have settled it,
 * whichever is earlier. A parked ask that is settled by a late answer has been over since it was superseded.
 */
export function overSince(ask: AskLife): HandoffEvent | undefined {
  const [settled] = ask.settled;
  const [opened] = ask.opened;
  const act = ask.death?.end;
  // An ask that the action overtook opens after it: dead on arrival, and not before.
  const end = act && opened && surelyAfter(act, opened) ? opened : act;
  return settled && end ? (settled.t <= end.t ? settled : end) : (settled ?? end);
}

/** The first look at which an ask that had gone from a window is there again, with controls. */
export function comesBack(facts: Facts, ask: AskLife, since: HandoffEvent) {
  for (const looks of facts.screens.windows.values()) {
    let wasShown = false;
    let gone = false;
    for (const look of looks) {
      const shown = answerable(look, ask);
      const later = surelyAfter(since, look);
      if (later && shown && gone) return look;
      // The screen lags behind: what it never showed before is not gone, it has not come up yet. Nor is a card whose
      // buttons rest while an answer is on its way: it is there all the time.
      if (later && wasShown && !isShown(look, ask)) gone = true;
      wasShown ||= shown;
    }
  }
  return undefined;
}

/** The controls of an ask in a look, for a sentence. */
export const controlsOf = (look: EventOf<'screen.state'>, ask: AskLife): string => {
  const shown = look.asks.find((one) => answerable({ ...look, asks: [one] }, ask));
  return shown ? `[${shown.controls.join(' | ')}]` : '';
};

/** Where and when, for a sentence. */
export const sightInWords = ({ look, point }: Sight): string =>
  `window ${look.window} as shown since ${ms(look)}, looked at ${ms(point)}`;
