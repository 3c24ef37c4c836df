import type { Locator, Request } from '@playwright/test';
import type { CallRole } from '../../history/events.ts';
import { freezable } from '../../surfaces/web/frozen.ts';
import { type ObservedPage, observePage } from '../../surfaces/web/observer.ts';
import type { LaunchContext } from '../define.ts';
import type { ReferenceAgent } from '../reference-agent.ts';
import { readScreen } from './screen.ts';

/** The browser context that all windows of one hand-off share. */
export type Windows = Awaited<ReturnType<Awaited<ReturnType<LaunchContext['browser']>>['newContext']>>;

/** Everything that the parts of this driver work with. */
export interface Held {
  context: LaunchContext;
  agent: ReferenceAgent;
  windows: Windows;
}

/** Labels of the card's buttons, by kind of ask; the last one is the first answer that a scripted question offers. */
const APPROVE = /^(Run Command|Save|Approve|Go on)$/;
const DENY = /^Reject$/;

/** A window that is watched and shows nothing yet. */
export async function blankWindow(
  { roles, record, output }: LaunchContext,
  windows: Windows,
  name: string,
): Promise<ObservedPage> {
  const page = await windows.newPage();
  if (name === 'stale') await freezable(page);
  page.on('pageerror', (error) => output(`page ${name}: ${error.message}`));
  page.on('console', (line) => output(`page ${name}: ${line.text()}`));
  return observePage(page, { window: name, read: readScreen, roles, record });
}

/** Brings a window to the agent and waits until it shows something. */
export async function goThere({ context, agent }: Held, window: ObservedPage, name: string): Promise<void> {
  await window.page.goto(agent.url, { waitUntil: 'commit' });
  await agent.process.ready(() => window.seen(), `its page to show in window ${name}`, context.limits.ready);
}

/** Opens one more window on the agent. */
export async function openWindow(held: Held, name: string): Promise<ObservedPage> {
  const window = await blankWindow(held.context, held.windows, name);
  await goThere(held, window, name);
  return window;
}

/** The button of a call's card. */
export const controlOf = (
  { context }: Held,
  { page }: ObservedPage,
  call: CallRole,
  decision: 'approve' | 'deny',
): Locator =>
  page
    .getByRole('group', { name: /^(Approval needed|Question)$/ })
    .filter({ hasText: context.header.calls[call]?.token ?? 'no such call' })
    .getByRole('button', { name: decision === 'approve' ? APPROVE : DENY });

/** The commands of one kind that the page sends while something is done, in the order in which it sends them. */
export async function commandsDuring(
  { page }: ObservedPage,
  command: string,
  act: () => Promise<void>,
): Promise<Request[]> {
  const heard: Request[] = [];
  const hear = (request: Request) => {
    if (request.url().endsWith(`/api/${command}`)) heard.push(request);
  };
  page.on('request', hear);
  try {
    await act();
    // The page sends from its event handlers, so a command is on its way before the next task of the page.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  } finally {
    page.off('request', hear);
  }
  return heard;
}
