import { expect, test } from '@playwright/test';
import type { History } from '../history/events.ts';
import type { Verdict } from '../history/vocabulary.ts';
import { judge } from './judge.ts';
import type { Slug } from './requirements/index.ts';

/** Declares a test: a hand-off that breaks exactly these requirements. */
export const breaks = (name: string, history: History, ...slugs: Slug[]) =>
  test(`${name} breaks ${slugs.join(', ')}`, () => {
    const verdicts = judge(history);
    const violated = Object.entries(verdicts).filter(([, one]) => one.verdict === 'violated');
    expect(violated.map(([slug]) => slug).sort()).toEqual([...slugs].sort());
    for (const [, one] of violated) {
      expect(one.observed).not.toBe('');
      expect(one.witnesses.length).toBeGreaterThan(0);
      expect(history.events.some((event) => event.seq === one.at)).toBe(true);
    }
  });

/** Declares a test: one requirement comes out like this, and says so in these words. */
export const verdict = (name: string, history: History, slug: Slug, expected: Verdict, words?: RegExp) =>
  test(`${name}: ${slug} is ${expected}`, () => {
    const one = judge(history)[slug];
    expect(one.verdict).toBe(expected);
    if (words) expect(one.observed).toMatch(words);
  });
