import type { ElementHandle, Request, Route } from '@playwright/test';
import type { CallRole } from '../../history/events.ts';
import { freeze } from '../../surfaces/web/frozen.ts';
import { type Handle, storedElement } from '../../surfaces/web/late.ts';
import type { ObservedPage } from '../../surfaces/web/observer.ts';
import { until } from '../../until.ts';
import type { AnswerOutcome, Decision, Driver, LateRoute } from '../define.ts';
import { commandsDuring, controlOf, type Held, openWindow } from './window.ts';

/** How long a refusal may take to be seen, ms. */
const NOTICE_LIMIT = 1_000;

const GONE: AnswerOutcome = { outcome: 'gone', detail: 'the control was no longer there' };

/** Presses a live ask's control, as the person does, and reads what came of it. */
export async function answer(
  held: Held,
  window: ObservedPage,
  call: CallRole,
  decision: Decision,
): Promise<AnswerOutcome> {
  // An element that was there is pressed or gone; a locator would wait for another one to come.
  const [handle] = await controlOf(held, window, call, decision).elementHandles();
  if (!handle) return GONE;
  try {
    const [asked] = await commandsDuring(window, 'answer', () => handle.click());
    return asked
      ? await outcomeOf(window, asked)
      : { outcome: 'inert', detail: 'pressed, and the page sent nothing' };
  } catch (error) {
    if (/not attached|detached/i.test((error as Error).message)) return GONE;
    throw error;
  }
}

/** Presses several controls of one ask within one task of the page. */
export async function answerTogether(
  held: Held,
  window: ObservedPage,
  call: CallRole,
  decisions: readonly Decision[],
): Promise<AnswerOutcome[]> {
  const handles: ElementHandle[] = [];
  for (const decision of decisions) {
    const [handle] = await controlOf(held, window, call, decision).elementHandles();
    if (!handle) return decisions.map(() => GONE);
    handles.push(handle);
  }
  const asked = await commandsDuring(window, 'answer', () =>
    window.page.evaluate((buttons) => {
      for (const button of buttons) (button as HTMLElement).click();
    }, handles),
  );
  const outcomes = await Promise.all(asked.map((request) => outcomeOf(window, request)));
  const nothing: AnswerOutcome = { outcome: 'inert', detail: 'pressed, and the page sent nothing' };
  return decisions.map((_, at) => outcomes[at] ?? nothing);
}

/** Presses a control and keeps the page's request from the agent until it is let go. */
export async function holdAnswer(
  held: Held,
  window: ObservedPage,
  call: CallRole,
  decision: Decision,
): Promise<() => Promise<AnswerOutcome>> {
  const { page } = window;
  let kept: Route | undefined;
  const address = '**/api/answer';
  await page.route(address, (route) => {
    kept = route;
  });
  await controlOf(held, window, call, decision).click();
  const route = await until(() => kept, { what: 'the answer to be on its way', limit: 10_000 });
  return async () => {
    await route.continue();
    await page.unroute(address);
    return outcomeOf(window, route.request());
  };
}

/** Every way of answering an ask late, made ready while it is open. */
export async function lateRoutes(held: Held, main: ObservedPage, call: CallRole): Promise<LateRoute[]> {
  const stale = await openWindow(held, 'stale');
  await controlOf(held, stale, call, 'approve').waitFor();
  await freeze(stale.page);
  const stored = async (decision: Decision) =>
    (await controlOf(held, main, call, decision).elementHandle()) as Handle;
  return [
    { route: 'second-window', press: (decision) => answer(held, stale, call, decision) },
    storedElement(
      { approve: await stored('approve'), deny: await stored('deny') },
      held.context.header.calls[call]?.token ?? '',
      async (click) => {
        const [asked] = await commandsDuring(main, 'answer', click);
        return asked && (await outcomeOf(main, asked));
      },
    ),
    ...blindRoutes(held, call),
  ];
}

/** An answer sent straight to the agent's address, as a script or a window of another build would. */
export function blindRoutes({ context, agent }: Held, call: CallRole): LateRoute[] {
  return [
    {
      route: 'protocol',
      press: async (decision) => {
        const ask = agent.askOf(call);
        if (!ask) return { outcome: 'gone', detail: 'there never was an ask that could be answered' };
        const inWords = context.header.calls[call]?.ask === 'question' && decision === 'approve';
        const body = inWords ? { ask, decision: 'answer', text: 'Go on' } : { ask, decision };
        const response = await fetch(`${agent.url}/api/answer`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        const detail = `HTTP ${response.status} ${(await response.text()).slice(0, 200)}`;
        return { outcome: response.ok ? 'accepted' : 'refused', detail };
      },
    },
  ];
}

/** What came of an answer that the page sent. A refusal counts only when the person can see it. */
async function outcomeOf(window: ObservedPage, request: Request): Promise<AnswerOutcome> {
  const response = await request.response();
  if (response?.ok()) return { outcome: 'accepted', detail: `HTTP ${response.status()}` };
  const said = await until(() => window.screen().notices.at(-1), {
    what: 'the page to say that the answer was refused',
    limit: NOTICE_LIMIT,
  }).catch(() => undefined);
  const came = response ? `HTTP ${response.status()}` : 'no response';
  return { outcome: said ? 'refused' : 'inert', detail: said ?? `${came}, and the page says nothing` };
}

/** The part of the driver that answers in the main window. */
export const answersOf = (
  held: Held,
  main: ObservedPage,
): Pick<Driver, 'answer' | 'answerTogether' | 'holdAnswer' | 'lateRoutes' | 'blindRoutes'> => ({
  answer: (call, decision) => answer(held, main, call, decision),
  answerTogether: (call, decisions) => answerTogether(held, main, call, decisions),
  holdAnswer: (call, decision) => holdAnswer(held, main, call, decision),
  lateRoutes: (call) => lateRoutes(held, main, call),
  blindRoutes: (call) => blindRoutes(held, call),
});
