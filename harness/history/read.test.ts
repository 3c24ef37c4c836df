import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { EventBody, HandoffEvent, Header, History } from './events.ts';
import { before } from './intervals.ts';
import { HistoryError, parseHistory, readHistory } from './read.ts';
import { EVENT_TYPES, eventSchema, historySchemaText, lineJsonSchema } from './schema.ts';
import { timelineOf } from './timeline.ts';

const header: Header = {
  type: 'handoff',
  schema: 1,
  id: 'some-client/edit/command/ask-open/watch/gemini',
  client: 'some-client',
  version: '1.2.3',
  surface: 'web',
  action: 'edit',
  variant: 'plain',
  ask: 'command',
  moment: 'ask-open',
  aftermath: 'watch',
  wire: 'gemini',
  treatment: 'settle',
  leaves: 'settled',
  calls: { A: { token: 'canary-a', message: 'A', ask: 'command' } },
  messages: { A: { marker: 'task-a' } },
  witnesses: { engine: true, world: true, model: true, screen: true },
  startedAt: '2026-01-01T00:00:00.000Z',
};

// One event of every type, so that a type which schema or timeline forgets is missed here.
const bodies: EventBody[] = [
  { type: 'harness.step', step: 'arrange' },
  { type: 'person.submit', message: 'A', phase: 'begin' },
  { type: 'person.submit', message: 'A', phase: 'end', outcome: 'taken' },
  { type: 'engine.run-started', run: 'r1', message: 'A' },
  {
    type: 'model.request',
    request: 1,
    wire: 'gemini',
    kind: 'run',
    message: 'A',
    carries: ['A'],
    calls: [{ id: 'c', role: 'A', results: 1, told: 'denied', text: 'no' }],
    orphanResults: 0,
    tools: ['shell'],
  },
  { type: 'model.sent', request: 1, what: 'call', call: 'A' },
  { type: 'model.unscripted', request: 2, shape: 'POST /v1/embeddings' },
  { type: 'model.ended', request: 1, by: 'complete' },
  { type: 'engine.ask-opened', ask: 'a1', call: 'A', kind: 'command', run: 'r1' },
  {
    type: 'screen.state',
    window: 'main',
    phase: 'awaiting',
    input: 'enabled',
    asks: [{ call: 'A', controls: ['Run', 'Reject'], text: 'sh' }],
    rows: [{ call: 'A', outcome: 'waiting', text: 'sh' }],
    badge: 1,
    notices: ['mind\nthis'],
    messages: ['A'],
  },
  { type: 'engine.pending', asks: [{ ask: 'a1', call: 'A' }] },
  { type: 'person.did', what: 'presses Enter' },
  { type: 'person.supersede', action: 'edit', phase: 'begin' },
  { type: 'person.supersede', action: 'edit', phase: 'end', outcome: 'done' },
  { type: 'engine.ask-settled', ask: 'a1', call: 'A', outcome: 'cancelled', reason: 'edited', by: 'system' },
  { type: 'engine.run-ended', run: 'r1', message: 'A', reason: 'superseded' },
  {
    type: 'person.answer',
    call: 'A',
    decision: 'approve',
    route: 'protocol',
    intent: 'late',
    phase: 'begin',
  },
  { type: 'engine.answer-refused', ask: 'a1', call: 'A', reason: 'over' },
  { type: 'engine.tool-started', call: 'A' },
  { type: 'engine.tool-ended', call: 'A', outcome: 'failed' },
  { type: 'engine.decision', call: 'A', outcome: 'denied', source: 'transcript' },
  { type: 'engine.policy-changed', policy: 'plan mode' },
  { type: 'world.started', call: 'A' },
  { type: 'world.effect', call: 'A', count: 1 },
  { type: 'world.checked', counts: { A: 1 }, final: true },
  {
    type: 'harness.observed',
    message: 'B',
    outcome: 'stuck',
    waitedFor: 'message B to be answered',
    quiet: 700,
  },
  { type: 'harness.note', text: 'a word' },
  { type: 'end', reason: 'complete' },
];
const history: History = {
  header,
  events: bodies.map((body, index) => ({ seq: index + 1, t: index * 10, ...body }) as HandoffEvent),
};
const lines = [header, ...history.events].map((record) => JSON.stringify(record));
const text = (changed: string[] = lines) => `${changed.join('\n')}\n`;

test('a history comes back as it was written', () => {
  expect(parseHistory(text())).toEqual(history);
  expect(parseHistory(lines.join('\n'))).toEqual(history);
  expect(new Set(bodies.map((body) => body.type))).toEqual(EVENT_TYPES);
});

test('a history is read from a file, and a file that is not there is named', () => {
  const folder = mkdtempSync(join(tmpdir(), 'read-test-'));
  try {
    writeFileSync(join(folder, 'history.jsonl'), text());
    expect(readHistory(join(folder, 'history.jsonl'))).toEqual(history);
    expect(() => readHistory(join(folder, 'none.jsonl'))).toThrow(/none\.jsonl: cannot be read/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const without = (index: number) => lines.filter((_, at) => at !== index);
const instead = (index: number, line: string) => lines.map((one, at) => (at === index ? line : one));
const edited = (index: number, over: object) =>
  instead(index, JSON.stringify({ ...JSON.parse(lines[index] ?? ''), ...over }));

const damaged: [name: string, text: string, error: RegExp, line?: number][] = [
  ['nothing', '', /the history is empty/],
  ['no header', text(without(0)), /line 1: the first record is not a header but "harness\.step"/, 1],
  [
    'a foreign version',
    text(edited(0, { schema: 2 })),
    /version 2 of the history format is not known, only 1/,
    1,
  ],
  [
    'a header without a client',
    text(edited(0, { client: undefined })),
    /the header does not fit the schema: client/,
    1,
  ],
  [
    'no end record',
    text(lines.slice(0, -1)),
    new RegExp(`truncated: ${bodies.length - 1} events and no end record`),
  ],
  ['only a header', text(lines.slice(0, 1)), /truncated: 0 events/],
  [
    'a half-written last line',
    text(lines).slice(0, -20),
    /truncated: its last line is half-written/,
    lines.length,
  ],
  ['a missing event', text(without(5)), /missing or out of order: seq 6 where 5 is due/, 6],
  [
    'a doubled event',
    text([...lines.slice(0, 6), lines[5] ?? '', ...lines.slice(6)]),
    /doubled or out of order: seq 5 where 6/,
    7,
  ],
  [
    'two events swapped',
    text([...lines.slice(0, 5), lines[6] ?? '', lines[5] ?? '', ...lines.slice(7)]),
    /out of order: seq 6 where 5/,
    6,
  ],
  ['garbage', text(instead(4, 'Segmentation fault')), /line 5: not a line of JSON: "Segmentation fault"/, 5],
  ['an empty line', text(instead(4, '')), /line 5: not a line of JSON/, 5],
  ['a list', text(instead(4, '[1]')), /line 5: not a record: \[1\]/, 5],
  [
    'an unknown type',
    text(edited(4, { type: 'engine.dreamt' })),
    /the event type "engine\.dreamt" is not known/,
    5,
  ],
  [
    'an unknown word',
    text(edited(1, { step: 'lunch' })),
    /the event harness\.step does not fit the schema: step/,
    2,
  ],
  ['an unknown field', text(edited(1, { secret: 1 })), /does not fit the schema/, 2],
  ['a sequence that is no number', text(edited(1, { seq: 'one' })), /does not fit the schema: seq/, 2],
  [
    'an interval that ends before it begins',
    text(edited(3, { since: 99 })),
    /since 99 is later than t 20/,
    4,
  ],
  [
    'something after the end',
    text([...lines, JSON.stringify({ ...history.events[0], seq: lines.length })]),
    /records follow the end record/,
    lines.length,
  ],
  ['two histories', text([...lines, ...lines]), /records follow the end record/, lines.length],
];

test.describe('a damaged history is refused with the place and the repair', () => {
  for (const [name, damage, error, line] of damaged)
    test(name, () => {
      const read = () => parseHistory(damage, 'some.jsonl');
      expect(read).toThrow(HistoryError);
      expect(read).toThrow(error);
      expect(read).toThrow(/^some\.jsonl.*; /);
      if (line !== undefined) {
        try {
          read();
        } catch (thrown) {
          expect((thrown as HistoryError).line).toBe(line);
        }
      }
    });
});

test('the JSON Schema names every event type and its version, and the published one is in step', () => {
  const schema = JSON.stringify(lineJsonSchema());
  for (const type of EVENT_TYPES) expect(schema).toContain(`"const":"${type}"`);
  expect(schema).toContain('version 1');
  // npm run docs makes it.
  const published = readFileSync(join(import.meta.dirname, 'history.schema.json'), 'utf8');
  expect(published).toBe(historySchemaText());
  expect(eventSchema.safeParse({ seq: 0, t: 1, type: 'person.did', what: '' }).success).toBe(false);
});

test('two events are ordered only when their intervals do not touch, or in one lane', () => {
  const at = (seq: number, t: number, type: 'model.ended' | 'person.did', since?: number) =>
    ({ seq, t, type, ...(since === undefined ? {} : { since }) }) as HandoffEvent;
  expect(before(at(9, 1, 'model.ended'), at(2, 2, 'person.did'))).toBe('yes');
  expect(before(at(1, 3, 'model.ended'), at(2, 2, 'person.did'))).toBe('no');
  expect(before(at(1, 2, 'model.ended'), at(2, 2, 'person.did'))).toBe('unknown');
  expect(before(at(1, 5, 'model.ended', 1), at(2, 2, 'person.did'))).toBe('unknown');
  expect(before(at(1, 2, 'person.did'), at(2, 2, 'person.did'))).toBe('yes');
  expect(before(at(2, 2, 'person.did'), at(1, 2, 'person.did'))).toBe('no');
});

test('the timeline tells each event in a line and marks what broke the contract', () => {
  const told = timelineOf(history, {
    'ask-settled': { verdict: 'violated', observed: 'it was never settled', at: 15 },
    'settled-once': { verdict: 'held', observed: 'once', at: 4 },
    'calls-paired': { verdict: 'violated', observed: 'nobody knows where' },
  });
  const rows = told.split('\n');
  expect(rows[0]).toBe(header.id);
  expect(rows).toHaveLength(3 + bodies.length + 2 + 1);
  expect(told).toContain(
    '>>     140.0   engine   ask A settled: cancelled (by the system, edited)\n                        ^ ask-settled: it was never settled',
  );
  expect(told).toContain('>> calls-paired: nobody knows where');
  expect(told).toContain('ask A [Run | Reject]; row A waiting; badge 1; messages A; notice "mind this"');
  expect(told).not.toContain('undefined');
});
