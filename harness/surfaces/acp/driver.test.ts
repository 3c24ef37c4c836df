import { expect, test } from '@playwright/test';
import type { CallRole } from '../../history/events.ts';
import { until } from '../../until.ts';
import { CouldNotRun } from '../driver.ts';
import { groupAlive } from '../process.ts';
import { fakeTrial, type Trial } from './fake-agent.ts';

let trial: Trial | undefined;

async function start(mode?: string): Promise<Trial> {
  trial = await fakeTrial(mode);
  return trial;
}

test.afterEach(async () => {
  await trial?.driver.close();
  if (trial) expect(groupAlive(trial.pid())).toBe(false);
  trial = undefined;
});

const asked = ({ driver }: Trial, call: CallRole) =>
  until(() => driver.screen().asks.some((ask) => ask.call === call), { what: `ask ${call}`, limit: 3_000 });
const phase = ({ driver }: Trial, phase: string) =>
  until(() => driver.screen().phase === phase, { what: `phase ${phase}`, limit: 3_000 });
const ENGINE = ['engine.ask-opened', 'engine.ask-settled', 'engine.run-started', 'engine.run-ended'] as const;

async function untilAsked(mode?: string): Promise<Trial> {
  const t = await start(mode);
  await t.driver.submit(t.say('A'));
  await asked(t, 'A');
  return t;
}

test('shows an ask, takes an approval and sees the call run', async () => {
  const t = await untilAsked();
  expect(t.driver.version).toBe('1.2.3');
  expect(t.recorder.all('screen.state')[0]).toMatchObject({ phase: 'idle', input: 'enabled', messages: [] });
  const { asks, rows, phase: now, messages, input } = t.driver.screen();
  expect([asks[0]?.controls, rows[0]?.outcome, now]).toEqual([
    ['Always', 'Allow', 'Reject'],
    'waiting',
    'awaiting',
  ]);
  expect([asks[0]?.kind, messages, input]).toEqual(['command', ['A'], 'enabled']);
  expect(await t.driver.answer('A', 'approve')).toEqual({ outcome: 'accepted' });
  await phase(t, 'idle');
  expect(t.driver.screen().rows[0]?.outcome).toBe('ran');
  expect(t.told(...ENGINE, 'engine.tool-started', 'engine.tool-ended')).toEqual([
    'run-started A',
    'ask-opened A',
    'ask-settled A approved by person',
    'tool-started A',
    'tool-ended A ran',
    'run-ended A (end_turn)',
  ]);
  expect(await t.driver.answer('A', 'approve')).toEqual({ outcome: 'gone' });
});

test('a denial is a denial on the screen too', async () => {
  const t = await untilAsked();
  await t.driver.answer('A', 'deny');
  await phase(t, 'idle');
  expect(t.driver.screen().rows[0]?.outcome).toBe('denied');
  expect(t.told('engine.ask-settled')).toEqual(['ask-settled A denied by person']);
});

test('stop answers the open ask cancelled, and the end of the prompt is what settles it', async () => {
  const t = await untilAsked();
  const [late] = await t.driver.lateRoutes('A');
  expect(await t.driver.actions.stop?.(t.say('B'))).toBe('done');
  await phase(t, 'idle');
  expect(t.told(...ENGINE).slice(2)).toEqual([
    'ask-settled A cancelled by system (session/cancel, then cancelled)',
    'run-ended A (cancelled)',
  ]);
  expect(t.driver.screen()).toMatchObject({ asks: [], rows: [{ outcome: 'denied' }] });
  expect(await late?.press('approve')).toEqual({
    outcome: 'inert',
    detail: expect.stringContaining('read it'),
  });
  const answers = t.output.filter((line) => line.startsWith('->') && line.includes('"outcome"'));
  expect(answers).toHaveLength(2);
  await t.driver.look();
  expect(t.recorder.last('engine.pending')?.asks).toEqual([]);
});

test('an ask whose cancellation the agent ignores is not settled', async () => {
  const t = await untilAsked('ignores-cancelled');
  await t.driver.actions.stop?.(t.say('B'));
  await phase(t, 'thinking');
  expect(t.told('engine.ask-settled', 'engine.run-ended')).toEqual([]);
});

test('without a word from the agent a second prompt leaves the first ask where it is', async () => {
  const t = await untilAsked();
  const [late] = await t.driver.lateRoutes('A');
  expect(await t.driver.actions['new-message']?.(t.say('B'))).toBe('done');
  await asked(t, 'B');
  expect(t.driver.screen().asks.map((ask) => ask.call)).toEqual(['A', 'B']);
  await t.driver.look();
  expect(t.recorder.last('engine.pending')?.asks.map((ask) => ask.call)).toEqual(['A', 'B']);
  expect(await late?.press('approve')).toMatchObject({ outcome: 'accepted' });
  expect(t.told('engine.ask-settled')).toEqual(['ask-settled A approved by person']);
});

for (const [mode, reason] of [
  ['withdraws', '$/cancel_request'],
  ['fails-the-call', 'tool call failed'],
  ['ends-before-answer', 'stop reason cancelled'],
] as const) {
  test(`an agent that lets its ask go is believed, and its request is answered: ${mode}`, async () => {
    const t = await untilAsked(mode);
    await t.driver.submit(t.say('B', true));
    await until(() => t.told('engine.ask-settled').length > 0, {
      what: 'the ask to be settled',
      limit: 3_000,
    });
    expect(t.told('engine.ask-settled')).toEqual([`ask-settled A cancelled by system (${reason})`]);
    await until(() => t.output.some((line) => line.startsWith('->') && line.includes('"cancelled"')), {
      what: 'the request to be answered',
      limit: 3_000,
    });
    expect(t.driver.screen().asks).toEqual([]);
  });
}

test('a late answer that the agent refuses, and one that it acts on', async () => {
  for (const [mode, outcome] of [
    ['refuses-late', { outcome: 'refused', detail: 'this request is over' }],
    ['runs-late', { outcome: 'accepted', detail: 'the tool call became completed' }],
  ] as const) {
    const t = await untilAsked(mode);
    const [late] = await t.driver.lateRoutes('A');
    await t.driver.actions.stop?.(t.say('B'));
    await phase(t, 'idle');
    expect(await late?.press('approve')).toEqual(outcome);
    await t.driver.close();
  }
});

test('a call that is reported completed and says that it was cancelled did not run', async () => {
  const t = await untilAsked('never-ran');
  await t.driver.answer('A', 'approve');
  await phase(t, 'idle');
  expect(t.driver.screen().rows[0]?.outcome).toBe('denied');
});

test('a call that reuses the id of a finished one has a row of its own', async () => {
  const t = await untilAsked('same-ids');
  await t.driver.answer('A', 'approve');
  await phase(t, 'idle');
  await t.driver.submit(t.say('B'));
  await asked(t, 'B');
  expect(t.driver.screen().rows.map((row) => [row.call, row.outcome])).toEqual([
    ['A', 'ran'],
    ['B', 'waiting'],
  ]);
});

test('a new session closes the old one and starts with an empty screen', async () => {
  const t = await untilAsked();
  expect(await t.driver.actions['new-session']?.(t.say('B'))).toBe('done');
  expect(t.driver.screen()).toMatchObject({ phase: 'idle', asks: [], rows: [], messages: [] });
  expect(t.told('engine.ask-settled')).toHaveLength(1);
});

test('an agent that dies is a dead client, not an error of the harness', async () => {
  const t = await untilAsked('dies-on-cancel');
  await t.driver.actions.stop?.(t.say('B'));
  await phase(t, 'error');
  expect(t.driver.screen()).toMatchObject({
    input: 'disabled',
    notices: [expect.stringContaining('assertion')],
  });
  expect(await t.driver.submit(t.say('B'))).toBe('stuck');
  expect(await t.driver.answer('A', 'approve')).toEqual({ outcome: 'gone' });
});

test('an agent that stops speaking the protocol is an error', async () => {
  const t = await untilAsked('garbage-on-cancel');
  // The nonsense may come before the cancel has been sent in full: then this call is the one that says so.
  await t.driver.actions.stop?.(t.say('B')).catch(() => {});
  await phase(t, 'error');
  await expect(t.driver.submit(t.say('B'))).rejects.toThrow(CouldNotRun);
});
