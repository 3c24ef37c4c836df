import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { chooseBrowser } from '../browser.mjs';
import { referenceWeb } from '../clients/reference-web.ts';
import { judge } from '../contract/judge.ts';
import type { Trial } from '../history/trial.ts';
import { packageVersion, workspaceTemplate } from '../package.ts';
import { evidenceOf, openHandoff } from '../scenario/open.ts';
import { bareEdit } from './bench-bare.ts';
import { runPlaywright } from './playwright-run.ts';

/** How often each side is measured; the median counts. */
const ROUNDS = Number(process.env.HANDOFF_BENCH_ROUNDS ?? 7);
/** What a suite without quiescence waits before it gives up: Playwright's default test limit, ms. */
const FIXED_LIMIT = 30_000;

const EDIT: Trial = {
  client: 'reference-web',
  action: 'edit',
  variant: 'plain',
  ask: 'command',
  moment: 'ask-open',
  aftermath: 'answer-new-ask',
  wire: 'openai-chat',
};

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const ms = (value: number): string => `${Math.round(value)} ms`;
const ratio = (a: number, b: number): string => `${(a / b).toFixed(2)} x`;

const scratch = mkdtempSync(join(tmpdir(), 'handoff-bench-'));
process.env.HANDOFF_OUT = scratch;
const browser = await chromium.launch((await chooseBrowser()).launchOptions);
try {
  const rows: [string, string, string][] = [];
  const [ours, bare]: [number[], number[]] = [[], []];
  // The two sides take turns, so that whatever else the machine does falls on both.
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(await timed(() => bareEdit(browser)));
    ours.push(await timed(() => handoff(browser, EDIT)));
    process.stdout.write(`round ${round + 1} of ${ROUNDS}\n`);
  }
  rows.push([
    'edit on reference-web, against the same clicks in a bare Playwright script',
    `${ms(median(ours))} / ${ms(median(bare))}`,
    ratio(median(ours), median(bare)),
  ]);
  const red: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    red.push(await timeToRed(browser, { ...EDIT, aftermath: 'message-while-streaming' }));
  rows.push([
    'the original bug, resubmit to red, against an assertion with a fixed limit of 30 s',
    `${ms(median(red))} / ${ms(FIXED_LIMIT)}`,
    ratio(median(red), FIXED_LIMIT),
  ]);
  const one = await timed(() => suite(1));
  const two = await timed(() => suite(2));
  rows.push([
    'edit and stop on reference-web, 2 workers against 1',
    `${ms(two)} / ${ms(one)}`,
    ratio(two, one),
  ]);
  const width = Math.max(...rows.map(([what]) => what.length));
  console.log('');
  for (const [what, figures, result] of rows)
    console.log(`${what.padEnd(width)}  ${figures.padStart(20)}  ${result}`);
} finally {
  await browser.close();
  rmSync(scratch, { recursive: true, force: true });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** One whole hand-off, launch and end included. */
async function handoff(inBrowser: Browser, trial: Trial) {
  const open = await openHandoff({
    client: referenceWeb,
    trial,
    evidence: evidenceOf(scratch, trial),
    template: workspaceTemplate,
    version: packageVersion,
    browser: async () => inBrowser,
    headed: false,
  });
  try {
    await open.handoff.untilTheAskIsOpen();
    await open.handoff.supersede();
    await open.handoff.observe();
    await open.handoff.aftermath();
    await open.handoff.finish();
    return { verdicts: judge(open.recorder.history), recorder: open.recorder };
  } finally {
    await open.close();
  }
}

/** From the resubmit to a red verdict, with the seeded origin bug. */
async function timeToRed(inBrowser: Browser, trial: Trial): Promise<number> {
  const { verdicts, recorder } = await handoff(inBrowser, { ...trial, fault: 'edit-leaves-ask-parked' });
  if (verdicts['ask-settled']?.verdict !== 'violated') throw new Error('the seeded origin bug was not found');
  const begin = recorder.all('person.supersede').at(0)?.t ?? 0;
  return (recorder.all('end').at(0)?.t ?? 0) - begin;
}

async function suite(workers: number): Promise<void> {
  await runPlaywright({
    clients: ['reference-web'],
    selection: { actions: ['edit', 'stop'] },
    args: [],
    environment: { HANDOFF_WORKERS: String(workers) },
  });
}
