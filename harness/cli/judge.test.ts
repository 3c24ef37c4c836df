import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { execa } from 'execa';
import { packageRoot } from '../package.ts';

const data = join(packageRoot, 'harness/contract/testdata');
const recorded = (name: string) => join(data, `${name}.jsonl`);
/** The verdicts of the run in which the history was recorded. */
const live = (name: string) => JSON.parse(readFileSync(join(data, `${name}.verdicts.json`), 'utf8'));

const judging = (...args: string[]) =>
  execa(process.execPath, [join(packageRoot, 'harness/cli/bin.mjs'), 'judge', ...args], {
    reject: false,
    // The runner's own wishes about colour make Node talk.
    extendEnv: false,
  });

let folder: string;
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'handoff-judge-'));
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

const written = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

for (const [name, code] of [
  ['edit', 0],
  ['edit-parked-resolver', 1],
] as const)
  test(`the history ${name} gets the verdicts of its live run`, async () => {
    const json = join(folder, `${name}.json`);
    const { exitCode, stdout, stderr } = await judging('--json', json, recorded(name));
    expect(stderr).toBe('');
    expect(exitCode).toBe(code);
    const [handoff] = JSON.parse(readFileSync(json, 'utf8')).handoffs;
    const verdicts = Object.entries(handoff.verdicts as Record<string, { verdict: string }>);
    expect(Object.fromEntries(verdicts.map(([slug, one]) => [slug, one.verdict]))).toEqual(live(name));
    for (const [slug, { verdict }] of verdicts)
      expect(stdout).toMatch(new RegExp(`^${slug} +\\S ${verdict}$`, 'm'));
    const reasons = [...stdout.matchAll(/ · (\S+) violated \(/g)].map(([, slug]) => slug);
    expect(reasons).toEqual(verdicts.filter(([, one]) => one.verdict === 'violated').map(([slug]) => slug));
  });

test('files that cannot be judged are named in one line each, and nothing is held', async () => {
  const text = readFileSync(recorded('edit'), 'utf8');
  const lines = text.trimEnd().split('\n');
  const swapped = [...lines];
  [swapped[5], swapped[6]] = [lines[6] as string, lines[5] as string];
  const wrong = {
    'truncated.jsonl': [lines.slice(0, -1).join('\n'), /truncated/],
    'half-written.jsonl': [text.slice(0, -20), /half-written/],
    'reordered.jsonl': [swapped.join('\n'), /out of order/],
    'doubled.jsonl': [[...lines.slice(0, 6), ...lines.slice(5)].join('\n'), /doubled/],
    'foreign.jsonl': [text.replace('"schema":1', '"schema":2'), /version 2/],
    'garbage.jsonl': ['\u0000\u0001 not a history', /not a line of JSON/],
    'empty.jsonl': ['', /empty/],
    'list.jsonl': ['[1, 2]', /not a record/],
  } as const;
  const files = Object.entries(wrong).map(([name, [content]]) => written(name, content));
  const { exitCode, stdout, stderr } = await judging(...files, join(folder, 'nowhere.jsonl'), folder);
  expect(exitCode).toBe(2);
  expect(stdout).toBe('');
  const said = stderr.split('\n');
  expect(said).toHaveLength(files.length + 2);
  for (const [at, [, words]] of Object.values(wrong).entries()) expect(said[at]).toMatch(words);
  expect(said.at(-2)).toContain('cannot be read');
});

test('a good history beside a damaged one is judged, and the exit code says that one was not', async () => {
  const { exitCode, stdout, stderr } = await judging(recorded('edit'), written('bad.jsonl', '{}'));
  expect(exitCode).toBe(2);
  expect(stdout).toContain('1 histories judged');
  expect(stderr.trim().split('\n')).toHaveLength(1);
});

test('a hand-off that crashed is never held', async () => {
  const lines = readFileSync(recorded('edit'), 'utf8').trimEnd().split('\n');
  const end = { ...JSON.parse(lines.at(-1) as string), reason: 'crashed', detail: 'the agent\nwent away' };
  const file = written('crashed.jsonl', [...lines.slice(0, -1), JSON.stringify(end)].join('\n'));
  const { exitCode, stdout } = await judging('--timeline', file);
  expect(exitCode).toBe(2);
  expect(stdout).toContain('crashed: the agent went away');
  expect(stdout).toContain(': 0 held,');
  expect(stdout).toContain('---- supersede ----');
});
