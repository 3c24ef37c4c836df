import type { Locator, Page } from '@playwright/test';
import type { CallRole } from '../history/events.ts';
import { type Handle, storedElement } from '../surfaces/web/late.ts';
import { type ObservedPage, observePage } from '../surfaces/web/observer.ts';
import { until } from '../until.ts';
import { type ActionOutcome, type Driver, defineClient, type LaunchContext, oneWay } from './define.ts';
import { answerTo, pressed, protocolRoute, SHOW_LIMIT } from './opencode-answers.ts';
import { readOpencode } from './opencode-screen.ts';
import { type OpencodeServer, opencodeInstall, startOpencode } from './opencode-server.ts';

/** The page that `opencode serve` brings along. Its HTTP API is the engine witness. */
export const opencodeWeb = defineClient({
  id: 'opencode-web',
  title: 'opencode, web page',
  surface: 'web',
  wires: ['openai-chat'],
  asks: ['command'],
  actions: {
    approve: { treatment: 'settle' },
    deny: { treatment: 'settle' },
    edit: { treatment: 'settle' },
    stop: {
      notOffered: 'while a permission is open the page shows no Stop, and Escape does nothing',
    },
    'new-session': {
      notOffered: 'New session opens another tab; the run that asks lives on in its own',
    },
    'new-message': { treatment: 'refuse', variants: oneWay },
  },
  witnesses: { engine: true, world: true, model: true, screen: true },
  install: opencodeInstall,
  // On a machine that is short of processor time the page takes seconds to draw what the server has long sent.
  limits: { ready: 120_000, quiet: 8_000 },
  launch,
});

type Decision = 'approve' | 'deny';

const LABELS: Record<Decision, string> = { approve: 'Allow once', deny: 'Deny' };
/** How long one action of the person on the page may take, ms. */
const ACTION_LIMIT = 10_000;

async function launch(context: LaunchContext): Promise<Driver> {
  const server = await startOpencode(context);
  try {
    const browser = await context.browser();
    // Tall, because the page takes rows out of the document that are far outside of the view.
    const windows = await browser.newContext({ viewport: { width: 1100, height: 1400 } });
    windows.setDefaultTimeout(ACTION_LIMIT);
    const folder = Buffer.from(context.workspace).toString('base64url');
    const url = `${server.url}/${folder}/session/${await server.newSession()}`;
    const open = async (page: Page, name: string): Promise<ObservedPage> => {
      const { roles, record } = context;
      const window = await observePage(page, { window: name, read: readOpencode, roles, record });
      await page.goto(url, { waitUntil: 'commit' });
      return window;
    };
    const main = await open(await windows.newPage(), 'main');
    const usable = () => main.seen() && main.screen().input === 'enabled';
    await server.process.ready(usable, 'its page to take a message', context.limits.ready);
    const stale = async () => {
      const page = await windows.newPage();
      // Never answered, its stream brings nothing: the window goes on showing what it was opened with.
      await page.route('**/global/event*', () => {});
      return open(page, 'stale');
    };
    return driverOf(context, server, main, stale);
  } catch (error) {
    await server.stop();
    throw error;
  }
}

function driverOf(
  context: LaunchContext,
  server: OpencodeServer,
  main: ObservedPage,
  openStale: () => Promise<ObservedPage>,
): Driver {
  const { page } = main;
  const tokenOf = (call: CallRole) => context.header.calls[call]?.token ?? 'no such call';
  const control = (call: CallRole, decision: Decision, inPage = page) =>
    inPage
      .locator('[data-component="dock-prompt"][data-kind="permission"]')
      .filter({ hasText: tokenOf(call) })
      .getByRole('button', { name: LABELS[decision], exact: true });

  return {
    version: server.version,
    screen: () => main.screen(),
    submit: ({ text }) => send(main, text),
    answer: (call, decision) => pressed(main, control(call, decision)),
    actions: {
      edit: ({ text }) => revertAndSend(main, context.header.messages.A?.marker ?? '', text),
      'new-message': ({ text }) => typeAnyway(main, text),
    },
    lateRoutes: async (call) => {
      const stale = await openStale();
      await control(call, 'approve', stale.page).waitFor({ timeout: context.limits.ready });
      const handle = async (decision: Decision) => (await control(call, decision).elementHandle()) as Handle;
      const handles = { approve: await handle('approve'), deny: await handle('deny') };
      return [
        {
          route: 'second-window',
          press: (decision) => pressed(stale, control(call, decision, stale.page)),
        },
        storedElement(handles, tokenOf(call), (click) => answerTo(main, click)),
        await protocolRoute(server, call),
      ];
    },
    look: () => server.look(),
    picture: async () => ({ name: 'screen', type: 'image/png', body: await page.screenshot() }),
    close: async () => {
      await page
        .context()
        .close()
        .catch(() => {});
      await server.stop();
    },
  };
}

const composerOf = (page: Page): Locator => page.getByRole('textbox', { name: 'Prompt', exact: true });

/** Types into the composer and sends. The composer empties when it has taken the message. */
async function send(window: ObservedPage, text: string): Promise<ActionOutcome> {
  const { page } = window;
  const composer = composerOf(page);
  await composer.click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(text);
  await until(async () => (await composer.textContent())?.includes(text), {
    what: 'the composer to show the whole message',
    limit: ACTION_LIMIT,
  });
  await page.keyboard.press('Enter');
  const taken = until(
    async () =>
      !(await composer
        .textContent({ timeout: 100 })
        .then((left) => left?.includes(text))
        .catch(() => false)),
    { what: 'the composer to let go of the message', limit: SHOW_LIMIT },
  );
  return taken.then(
    () => 'done',
    () => 'stuck',
  );
}

/** The way of this client to edit: the message is taken back, its text is in the composer again, and is changed there. */
async function revertAndSend(window: ObservedPage, marker: string, text: string): Promise<ActionOutcome> {
  const { page } = window;
  const message = page.locator('[data-timeline-row="UserMessage"]').filter({ hasText: marker });
  const reverted = page.waitForResponse((response) => response.url().includes('/revert'));
  await message.hover();
  await message.getByRole('button', { name: 'Revert message' }).click();
  const response = await reverted;
  if (!response.ok()) return 'refused';
  const usable = await until(() => window.screen().input === 'enabled', {
    what: 'the composer to be back after the message was reverted',
    limit: SHOW_LIMIT,
  }).catch(() => false);
  return usable ? send(window, text) : 'stuck';
}

/**
 * What a person does who does not look: types on and presses Enter. While a permission is open, the page has no composer,
 * which is its way to refuse.
 */
async function typeAnyway(window: ObservedPage, text: string): Promise<ActionOutcome> {
  if (window.screen().input === 'enabled') return send(window, text);
  await window.page.keyboard.type(text);
  await window.page.keyboard.press('Enter');
  return 'refused';
}
