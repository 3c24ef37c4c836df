import type { Request } from '@playwright/test';
import type { CallRole } from '../history/events.ts';
import { freezable, freeze } from '../surfaces/web/frozen.ts';
import { type Handle, storedElement } from '../surfaces/web/late.ts';
import { type ObservedPage, observePage, type RawScreen } from '../surfaces/web/observer.ts';
import { until } from '../until.ts';
import {
  type ActionOutcome,
  type AnswerOutcome,
  type Driver,
  defineClient,
  type LateRoute,
  type LaunchContext,
} from './define.ts';
import { type ReferenceAgent, referenceFaults, startReferenceAgent } from './reference-agent.ts';

export const referenceWeb = defineClient({
  id: 'reference-web',
  title: 'Reference agent, web page',
  surface: 'web',
  wires: ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'],
  asks: ['command'],
  actions: {
    approve: { treatment: 'settle' },
    deny: { treatment: 'settle' },
    edit: { treatment: 'settle' },
    stop: { treatment: 'settle' },
    'new-session': { treatment: 'settle' },
    'new-message': { treatment: 'settle' },
  },
  witnesses: { engine: true, world: true, model: true, screen: true },
  faults: referenceFaults,
  launch,
});

/** Labels of the card's buttons, by kind of ask. */
const APPROVE = /^(Run Command|Save|Approve)$/;
const DENY = /^Reject$/;
/** How long the composer may hold on to a message before it counts as stuck, ms. */
const SEND_LIMIT = 2_000;
/** How long one action of the person on the page may take, ms. */
const ACTION_LIMIT = 10_000;

async function launch(context: LaunchContext): Promise<Driver> {
  const agent = await startReferenceAgent(context, ['--face', 'web', '--port', '0']);
  try {
    const browser = await context.browser();
    const windows = await browser.newContext({ viewport: { width: 1000, height: 800 } });
    windows.setDefaultTimeout(ACTION_LIMIT);
    const main = await openWindow(context, agent, windows, 'main');
    return driverOf(context, agent, windows, main);
  } catch (error) {
    await agent.stop();
    throw error;
  }
}

type Windows = Awaited<ReturnType<Awaited<ReturnType<LaunchContext['browser']>>['newContext']>>;

async function openWindow(
  context: LaunchContext,
  agent: ReferenceAgent,
  windows: Windows,
  name: string,
): Promise<ObservedPage> {
  const { roles, record } = context;
  const page = await windows.newPage();
  if (name !== 'main') await freezable(page);
  page.on('pageerror', (error) => context.output(`page ${name}: ${error.message}`));
  page.on('console', (line) => context.output(`page ${name}: ${line.text()}`));
  const observed = await observePage(page, { window: name, read: readScreen, roles, record });
  await observed.page.goto(agent.url, { waitUntil: 'commit' });
  await agent.process.ready(
    () => observed.seen(),
    `its page to show in window ${name}`,
    context.limits.ready,
  );
  return observed;
}

function driverOf(
  context: LaunchContext,
  agent: ReferenceAgent,
  windows: Windows,
  main: ObservedPage,
): Driver {
  const { page } = main;
  const composer = page.getByRole('textbox', { name: 'Message', exact: true });
  const card = (call: CallRole, inPage = page) =>
    inPage
      .getByRole('group', { name: 'Approval needed' })
      .filter({ hasText: context.header.calls[call]?.token ?? 'no such call' });
  const control = (call: CallRole, decision: 'approve' | 'deny', inPage = page) =>
    card(call, inPage).getByRole('button', { name: decision === 'approve' ? APPROVE : DENY });

  /** Sends what the composer holds; it keeps the text until the agent has taken it. */
  const send = async (text: string): Promise<ActionOutcome> => {
    await composer.fill(text);
    await composer.press('Enter');
    return until(
      async () => {
        if (main.screen().notices.length > 0) return 'refused';
        if ((await composer.inputValue()) !== '') return undefined;
        return (await page.locator('[data-queued-id]').filter({ hasText: text }).count()) > 0
          ? 'queued'
          : 'done';
      },
      { what: 'the composer to give the message away', limit: SEND_LIMIT },
    ).catch(() => 'stuck');
  };

  return {
    version: agent.version,
    screen: () => main.screen(),
    submit: ({ text }) => send(text),
    answer: async (call, decision) => {
      return answered(main, () => control(call, decision).click());
    },
    actions: {
      'new-message': ({ text }) => send(text),
      stop: async () => {
        await page.getByRole('button', { name: 'Stop' }).click();
        return 'done';
      },
      'new-session': async () => {
        await page.getByRole('button', { name: 'New task' }).click();
        return 'done';
      },
      edit: async ({ text }) => {
        await page.getByRole('button', { name: 'Edit message' }).first().click();
        await page.getByRole('textbox', { name: 'Edited message' }).fill(text);
        await page.getByRole('button', { name: 'Save and resubmit' }).click();
        return 'done';
      },
    },
    lateRoutes: async (call) => {
      const stale = await openWindow(context, agent, windows, 'stale');
      await control(call, 'approve', stale.page).waitFor();
      await freeze(stale.page);
      return [
        {
          route: 'second-window',
          press: (decision) => answered(stale, () => control(call, decision, stale.page).click()),
        },
        storedElement(
          {
            approve: (await control(call, 'approve').elementHandle()) as Handle,
            deny: (await control(call, 'deny').elementHandle()) as Handle,
          },
          context.header.calls[call]?.token ?? '',
          (click) => answeredIfHeard(main, click),
        ),
        protocolRoute(agent, main, call),
      ];
    },
    look: async () => agent.readTrace(),
    picture: async () => ({ name: 'screen', type: 'image/png', body: await page.screenshot() }),
    close: async () => {
      await windows.close().catch(() => {});
      await agent.stop();
    },
  };
}

/** Runs an answer on a page and reads, as the person does, what came of it. */
async function answered(window: ObservedPage, press: () => Promise<void>): Promise<AnswerOutcome> {
  const reply = window.page.waitForResponse((response) => response.url().endsWith('/api/answer'));
  const [response] = await Promise.all([reply, press()]);
  if (response.ok()) return { outcome: 'accepted', detail: `HTTP ${response.status()}` };
  // A refusal counts only when the person can see it.
  const said = await until(() => window.screen().notices.at(-1), {
    what: 'the page to say that the answer was refused',
    limit: 1_000,
  }).catch(() => undefined);
  const detail = said ?? `HTTP ${response.status()}, and the page says nothing`;
  return { outcome: said ? 'refused' : 'inert', detail };
}

/** The same for an element that may do nothing at all: whether it asked the agent is known once the click is handled. */
async function answeredIfHeard(
  window: ObservedPage,
  click: () => Promise<void>,
): Promise<AnswerOutcome | undefined> {
  let asked = false;
  const hear = (request: Request) => {
    asked ||= request.url().endsWith('/api/answer');
  };
  window.page.on('request', hear);
  try {
    return await answered(window, async () => {
      await click();
      // The page answers from its click handler, so the request is on its way before the next task of the page.
      await window.page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
      if (!asked) throw new NothingHeard();
    });
  } catch (error) {
    if (error instanceof NothingHeard) return undefined;
    throw error;
  } finally {
    window.page.off('request', hear);
  }
}

class NothingHeard extends Error {}

/** An answer sent straight to the agent's address, as a script or a window of another build would. */
function protocolRoute(agent: ReferenceAgent, window: ObservedPage, call: CallRole): LateRoute {
  const ask = window.screen().asks.find((shown) => shown.call === call)?.id;
  return {
    route: 'protocol',
    press: async (decision) => {
      const response = await fetch(`${agent.url}/api/answer`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ask, decision }),
      });
      const detail = `HTTP ${response.status} ${await response.text()}`;
      return { outcome: response.ok ? 'accepted' : 'refused', detail };
    },
  };
}

/** Reads the page. Runs inside it. */
function readScreen(document: Document): RawScreen | undefined {
  const root = document.querySelector<HTMLElement>('[data-phase]');
  if (!root) return undefined;
  const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];
  const text = (element: Element) => (element.textContent ?? '').replace(/\s+/g, ' ').trim();
  const composer = document.querySelector<HTMLTextAreaElement>('textarea[aria-label="Message"]');
  const said: Record<string, RawScreen['rows'][number]['outcome']> = {
    waiting: 'waiting',
    running: 'running',
    ran: 'ran',
    answered: 'ran',
    denied: 'denied',
    cancelled: 'denied',
    'never-ran': 'denied',
    failed: 'failed',
  };
  return {
    phase: root.dataset.phase as RawScreen['phase'],
    input: !composer ? 'hidden' : composer.disabled ? 'disabled' : 'enabled',
    asks: all('[data-ask-id]').map((card) => ({
      id: card.dataset.askId ?? '',
      kind: card.dataset.askKind as 'command',
      controls: [...card.querySelectorAll<HTMLButtonElement>('button:enabled')].map(text),
      text: text(card),
    })),
    rows: all('[data-call-id][data-outcome]').map((row) => ({
      outcome: said[row.dataset.outcome ?? ''] ?? 'unknown',
      text: text(row),
    })),
    notices: all('[role="alert"]').map(text),
    messages: all('[data-message-id]').map(text),
  };
}
