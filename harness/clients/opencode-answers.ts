import type { Locator, Request } from '@playwright/test';
import type { CallRole } from '../history/events.ts';
import type { ObservedPage } from '../surfaces/web/observer.ts';
import { until } from '../until.ts';
import { type AnswerOutcome, CouldNotRun, type LateRoute } from './define.ts';
import type { OpencodeServer } from './opencode-server.ts';

/** How long the page may take to show what came of an action, once the server has answered it, ms. */
export const SHOW_LIMIT = 4_000;

/** Presses a control as the person does, if it is there. */
export async function pressed(window: ObservedPage, control: Locator): Promise<AnswerOutcome> {
  if (!(await control.isVisible())) return { outcome: 'gone', detail: 'the control is not on the page' };
  const outcome = await answerTo(window, () => control.click());
  return outcome ?? { outcome: 'inert', detail: 'pressed, and the page asked the server for nothing' };
}

/** Runs a press and reads, as the person does, what came of it; nothing when the page did not even ask the server. */
export async function answerTo(
  window: ObservedPage,
  press: () => Promise<void>,
): Promise<AnswerOutcome | undefined> {
  const { page } = window;
  const shown = window.screen().notices.length;
  const heard: Request[] = [];
  const hear = (request: Request) => {
    if (request.method() === 'POST' && /\/permissions?\//.test(request.url())) heard.push(request);
  };
  page.on('request', hear);
  try {
    await press();
    // Requests are reported in order: once the answer to this one is there, one that the press made is known.
    await page.evaluate(() => fetch('/global/health').then((reply) => reply.text()));
  } finally {
    page.off('request', hear);
  }
  const response = await heard[0]?.response();
  if (!response) return undefined;
  if (response.ok()) return { outcome: 'accepted', detail: `HTTP ${response.status()}` };
  const said = await until(() => window.screen().notices.slice(shown).at(-1), {
    what: 'the page to say that the answer was refused',
    limit: SHOW_LIMIT,
  }).catch(() => undefined);
  return said
    ? { outcome: 'refused', detail: said }
    : { outcome: 'inert', detail: `HTTP ${response.status()}, and the page says nothing` };
}

/** An answer sent straight to the server, as another program would that still holds the permission's id. */
export async function protocolRoute(server: OpencodeServer, call: CallRole): Promise<LateRoute> {
  const permission = await server.permissionOf(call);
  if (!permission) throw new CouldNotRun(`opencode lists no pending permission for call ${call}`);
  return {
    route: 'protocol',
    press: async (decision) => {
      const { status, text } = await server.reply(permission.id, decision);
      return { outcome: status < 300 ? 'accepted' : 'refused', detail: `HTTP ${status} ${text}` };
    },
  };
}
