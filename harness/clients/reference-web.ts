import type { ObservedPage } from '../surfaces/web/observer.ts';
import { type ActionOutcome, type Driver, defineClient, type LaunchContext } from './define.ts';
import { referenceFaults, startReferenceAgent } from './reference-agent.ts';
import { answersOf } from './reference-web/answers.ts';
import { handsOf } from './reference-web/hands.ts';
import { blankWindow, goThere, type Held, openWindow } from './reference-web/window.ts';

const settle = { treatment: 'settle' } as const;

export const referenceWeb = defineClient({
  id: 'reference-web',
  title: 'Reference agent, web page',
  surface: 'web',
  wires: ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'],
  asks: ['command', 'edit', 'read', 'mcp', 'question', 'plan'],
  actions: {
    approve: settle,
    deny: settle,
    edit: settle,
    retry: settle,
    'checkpoint-restore': settle,
    stop: settle,
    'new-session': settle,
    'switch-session': settle,
    'mode-change': settle,
    // The agent takes its policy from its command line; each variant starts it with one.
    'new-message': {
      treatment: 'settle',
      variants: { refuse: { treatment: 'refuse' }, queue: { treatment: 'queue' } },
    },
    'queued-message': { treatment: 'queue' },
    reload: settle,
    restart: settle,
    peer: settle,
    sibling: settle,
    subagent: settle,
    timeout: settle,
    'provider-error': settle,
    'duplicate-answer': settle,
    'stray-input': settle,
  },
  witnesses: { engine: true, world: true, model: true, screen: true },
  faults: referenceFaults,
  launch,
});

/** How long one action of the person on the page may take, ms. */
const ACTION_LIMIT = 10_000;

async function launch(context: LaunchContext): Promise<Driver> {
  const browser = await context.browser();
  const windows = await browser.newContext({ viewport: { width: 1000, height: 800 } });
  windows.setDefaultTimeout(ACTION_LIMIT);
  // The window is made ready while the agent starts; neither needs the other yet.
  const starting = startReferenceAgent(context, 'web');
  const [started, blank] = await Promise.allSettled([starting, blankWindow(context, windows, 'main')]);
  const giveUp = async (error: unknown) => {
    await windows.close();
    if (started.status === 'fulfilled') await started.value.stop();
    throw error;
  };
  if (started.status === 'rejected') return giveUp(started.reason);
  if (blank.status === 'rejected') return giveUp(blank.reason);
  const held: Held = { context, agent: started.value, windows };
  await goThere(held, blank.value, 'main').catch(giveUp);
  return driverOf(held, blank.value);
}

function driverOf(held: Held, main: ObservedPage): Driver {
  const { agent, windows } = held;
  const hands = handsOf(held, main);
  return {
    ...hands,
    ...answersOf(held, main),
    actions: {
      ...hands.actions,
      restart: (_next, variant = '') => restart(held, main, variant),
    },
    version: agent.version,
    screen: () => main.screen(),
    second: async () => handsOf(held, await openWindow(held, 'peer')),
    look: async () => agent.readTrace(),
    picture: async () => ({ name: 'screen', type: 'image/png', body: await main.page.screenshot() }),
    close: async () => {
      await windows.close().catch(() => {});
      await agent.stop();
    },
  };
}

/** Ends the agent and starts it again at the same address; the page finds it by itself. */
async function restart({ agent }: Held, { page }: ObservedPage, variant: string): Promise<ActionOutcome> {
  for (let times = variant === 'twice' ? 2 : 1; times > 0; times -= 1) {
    const back = page.waitForResponse((response) => response.url().endsWith('/events') && response.ok(), {
      timeout: 30_000,
    });
    await agent.restart(variant === 'sigterm' ? 'SIGTERM' : 'SIGKILL');
    await back;
  }
  return 'done';
}
