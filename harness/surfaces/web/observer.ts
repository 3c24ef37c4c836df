import type { Page } from '@playwright/test';
import type { EventBody, ScreenState } from '../../history/events.ts';
import type { Roles } from '../../history/roles.ts';
import { inject } from './inject.ts';

/** What a client's page reader gives: a screen without attribution, read from the document in one go. */
export interface RawScreen {
  phase: ScreenState['phase'];
  input: ScreenState['input'];
  asks: { id?: string; kind?: ScreenState['asks'][number]['kind']; controls: string[]; text: string }[];
  rows: { outcome: ScreenState['rows'][number]['outcome']; text: string }[];
  badge?: number;
  notices: string[];
  /** Texts of the person's messages, in order. */
  messages: string[];
}

/**
 * Reads a page's document. It is sent into the page as source text: it may use nothing outside itself.
 * `undefined` means that the application is not there yet.
 */
export type ReadScreen = (document: Document) => RawScreen | undefined;

export interface ObserveOptions {
  window: string;
  read: ReadScreen;
  roles: Roles;
  record: (event: EventBody, when: { at: number }) => void;
}

/** A page whose every change of what a person sees goes to the history. */
export interface ObservedPage {
  page: Page;
  /** The last look. @throws Error before the first one. */
  screen(): ScreenState;
  /** Whether the application has been seen at all. */
  seen(): boolean;
}

const LONGEST_TEXT = 400;

/**
 * Watches a page from before its first script: a MutationObserver reads the document after each change, in the page,
 * and only different looks are reported, each with the page's own time. Nothing is polled, so between two looks the
 * screen did not change. Call before the first navigation; it survives reloads.
 */
export async function observePage(page: Page, options: ObserveOptions): Promise<ObservedPage> {
  let last: ScreenState | undefined;
  await page.exposeBinding('__handoffLook', (_source, look: { at: number; raw: RawScreen }) => {
    last = attribute(look.raw, options);
    options.record(last, { at: look.at });
  });
  await inject(page, watch, options.read.toString());
  return {
    page,
    seen: () => last !== undefined,
    screen: () => {
      if (!last) throw new Error(`window ${options.window} has shown nothing yet`);
      return last;
    },
  };
}

function attribute(raw: RawScreen, options: ObserveOptions): ScreenState {
  const { roles } = options;
  const withCall = <T extends { text: string }>(item: T) => {
    const call = roles.callIn(item.text);
    return { ...(call ? { call } : {}), ...item, text: item.text.slice(0, LONGEST_TEXT) };
  };
  return {
    type: 'screen.state',
    window: options.window,
    phase: raw.phase,
    input: raw.input,
    asks: raw.asks.map(withCall),
    rows: raw.rows.map(withCall),
    ...(raw.badge === undefined ? {} : { badge: raw.badge }),
    notices: raw.notices.map((notice) => notice.slice(0, LONGEST_TEXT)),
    messages: raw.messages.flatMap((text) => roles.messagesIn(text)),
  };
}

/** Runs inside the page. One look per animation-free microtask batch: mutations of one task are one change. */
function watch(read: ReadScreen): void {
  if (window.top !== window) return;
  let before = '';
  const look = () => {
    let raw: RawScreen | undefined;
    try {
      raw = read(document);
    } catch (error) {
      raw = {
        phase: 'error',
        input: 'hidden',
        asks: [],
        rows: [],
        notices: [`unreadable: ${error}`],
        messages: [],
      };
    }
    if (!raw) return;
    const now = JSON.stringify(raw);
    if (now === before) return;
    before = now;
    const report = (window as unknown as { __handoffLook(look: { at: number; raw: RawScreen }): void })
      .__handoffLook;
    report({ at: performance.timeOrigin + performance.now(), raw });
  };
  const start = () => {
    new MutationObserver(look).observe(document, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    });
    look();
  };
  if (document.documentElement) start();
  else document.addEventListener('DOMContentLoaded', start, { once: true });
}
