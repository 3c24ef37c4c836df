import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type UntilOptions, until } from '../until.ts';
import type { End, EventBody, HandoffEvent, Header, History, ScreenState } from './events.ts';

/** The events of one type. */
export type EventOf<K extends EventBody['type']> = HandoffEvent & { type: K };

/** Wall-clock milliseconds with fractions; comparable between processes of one machine. */
export const wallClock = (): number => performance.timeOrigin + performance.now();

/**
 * The append-only record of one hand-off. Each event is on disk before anybody can act on it, so a crash half-way
 * still leaves everything that was seen.
 */
export class Recorder {
  readonly history: History;
  readonly file: string;
  #origin = wallClock();
  #movedAt = 0;
  #ended = false;

  constructor(header: Header, file: string) {
    this.history = { header, events: [] };
    this.file = file;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(header)}\n`);
  }

  /** Milliseconds since the hand-off began. */
  now(): number {
    return wallClock() - this.#origin;
  }

  /**
   * Appends one event. `at` and `since` are wall-clock times of evidence that carries its own.
   * After the end record nothing more is taken: late output of a client that is being ended is no evidence.
   */
  record = (body: EventBody, when: { at?: number; since?: number } = {}): void => {
    if (this.#ended) return;
    const t = round(when.at === undefined ? this.now() : when.at - this.#origin);
    const stamp: { seq: number; t: number; since?: number } = { seq: this.history.events.length + 1, t };
    if (when.since !== undefined) stamp.since = Math.min(t, Math.max(0, round(when.since - this.#origin)));
    const event = { ...stamp, ...body } as HandoffEvent;
    this.history.events.push(event);
    appendFileSync(this.file, `${JSON.stringify(event)}\n`);
    if (isMovement(body)) this.#movedAt = this.now();
  };

  /** Writes the end record. Idempotent: the first reason counts. */
  end(reason: End['reason'], detail?: string): void {
    this.record({ type: 'end', reason, ...(detail ? { detail } : {}) });
    this.#ended = true;
  }

  /** How long no witness has seen anything move, ms. */
  quietFor(): number {
    return this.now() - this.#movedAt;
  }

  /** Starts a fresh quiet window, because the person has just done something. */
  stir(): void {
    this.#movedAt = this.now();
  }

  /** Last look at a window, if there was one. */
  screen(window = 'main'): ScreenState | undefined {
    return this.last('screen.state', (event) => event.window === window);
  }

  /** The last event of a type that fits. */
  last<K extends EventBody['type']>(type: K, fits: (event: EventOf<K>) => boolean = () => true) {
    return this.all(type).findLast(fits);
  }

  /** Every event of a type. */
  all<K extends EventBody['type']>(type: K): EventOf<K>[] {
    return this.history.events.filter((event) => event.type === type) as EventOf<K>[];
  }

  /** Waits for a condition over what the witnesses saw; the error shows the last screen. */
  until<T>(condition: () => T, options: UntilOptions): Promise<NonNullable<T>> {
    return until(condition, { seen: () => `last screen: ${inWords(this.screen())}`, ...options });
  }
}

/** What the person or the harness did is no sign of life of the client. */
function isMovement(body: EventBody): boolean {
  return !/^(person|harness)\.|^end$|^world\.checked$|^engine\.pending$/.test(body.type);
}

function inWords(screen: ScreenState | undefined): string {
  if (!screen) return 'none was seen';
  const asks = screen.asks.map((ask) => `${ask.call ?? '?'}[${ask.controls.join(' | ')}]`).join(', ');
  const said = screen.notices.length > 0 ? `, notices: ${screen.notices.join('; ')}` : '';
  return `phase ${screen.phase}, input ${screen.input}, asks: ${asks || 'none'}${said}`;
}

const round = (ms: number): number => Math.round(ms * 1000) / 1000;
