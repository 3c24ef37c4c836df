import { expect, test } from '@playwright/test';
import type { HandoffResult } from '../result.ts';
import { unstableIn } from './stability.ts';

const result = (over: Partial<HandoffResult> = {}, verdict: 'held' | 'violated' = 'held'): HandoffResult => ({
  client: 'some-client',
  version: '1',
  action: 'edit',
  variant: 'plain',
  ask: 'command',
  moment: 'ask-open',
  aftermath: 'watch',
  wire: 'gemini',
  status: 'judged',
  ms: 100,
  replay: '',
  verdicts: {
    'ask-settled': { verdict, level: 'MUST', witnesses: ['engine'], expected: 'an end', observed: 'it' },
  },
  ...over,
});
const why = (results: HandoffResult[]) =>
  unstableIn(results, results.length, () => 1_000).map((unstable) => unstable.why);

test('equal repeats are stable', () => {
  expect(why([result(), result(), result()])).toEqual([]);
});

test('a verdict that changes is not', () => {
  expect(why([result(), result({}, 'violated'), result()])).toEqual([
    'ask-settled: held 2 times, violated 1 times',
  ]);
});

test('neither is one that is always red, too slow, broken or missing', () => {
  expect(why([result({}, 'violated'), result({}, 'violated')])).toEqual(['always violated: ask-settled']);
  expect(why([result(), result({ ms: 801 })])).toEqual(['took 801 ms, above 80 % of its limit of 1000 ms']);
  expect(why([result(), result({ status: 'could-not-run', verdicts: {}, error: 'no\nstack' })])).toEqual([
    'could not run 1 times: no',
  ]);
  expect(unstableIn([result()], 2, () => 1_000).map((unstable) => unstable.why)).toEqual([
    'ran 1 times of 2',
  ]);
});

test('hand-offs that are not offered are left out', () => {
  expect(why([result({ status: 'not-offered' })])).toEqual([]);
});
