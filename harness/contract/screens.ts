import type { CallRole } from '../history/events.ts';
import type { EventOf } from '../history/recorder.ts';

type Look = EventOf<'screen.state'>;

/** An ask as the screen can know it: by the token it shows, or by the client's own id. */
export interface Known {
  call: CallRole;
  ids: ReadonlySet<string>;
}

/** A second window that the harness itself cut off from updates; what it still shows is not the client's fault. */
const CUT_OFF = 'stale';

/** What each window showed over time. A look is in force until the next one of the same window. */
export class Screens {
  /** Every window that takes part, each with its looks in the order of time. */
  readonly windows = new Map<string, Look[]>();

  constructor(looks: readonly Look[]) {
    for (const look of looks) {
      if (look.window === CUT_OFF) continue;
      const list = this.windows.get(look.window);
      if (list) list.push(look);
      else this.windows.set(look.window, [look]);
    }
  }

  /** The looks of the window that the person works in. */
  get main(): readonly Look[] {
    return this.windows.get('main') ?? [];
  }

  /** What a window showed at a time, ms. */
  inForce(t: number, window = 'main'): Look | undefined {
    const looks = this.windows.get(window) ?? [];
    let [low, high] = [0, looks.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((looks[middle] as Look).t <= t) low = middle + 1;
      else high = middle;
    }
    return looks[low - 1];
  }

  /** What every window showed at a time, ms. */
  allInForce(t: number): Look[] {
    return [...this.windows.keys()].flatMap((window) => this.inForce(t, window) ?? []);
  }

  /** Whether any window ever showed the ask. */
  everShows(ask: Known): boolean {
    for (const looks of this.windows.values()) {
      if (looks.some((look) => look.asks.some((shown) => isAsk(shown, ask)))) return true;
    }
    return false;
  }
}

const isAsk = (shown: { call?: CallRole; id?: string }, ask: Known): boolean =>
  shown.call === ask.call || (shown.call === undefined && shown.id !== undefined && ask.ids.has(shown.id));

/** Whether a look shows the ask with at least one working control. */
export const answerable = (look: Look | undefined, ask: Known): boolean =>
  look?.asks.some((shown) => isAsk(shown, ask) && shown.controls.length > 0) ?? false;

/** Whether a look shows the ask at all, answerable or not. */
export const isShown = (look: Look, ask: Known): boolean => look.asks.some((shown) => isAsk(shown, ask));
