import { expect, test } from '@playwright/test';
import { AFTERMATHS } from '../history/vocabulary.ts';
import { actions, writtenActions } from './actions/index.ts';
import { pairsOf, pairwise } from './cover.ts';
import { fits } from './fits.ts';
import { everyPlan, plansOf, suite } from './selection.ts';

const DIMENSIONS = ['how', 'ask', 'moment', 'aftermath', 'wire'] as const;
const valuesOf = (plans: ReturnType<typeof everyPlan>) =>
  plans.map((plan) => ({ ...plan, how: `${plan.action}:${plan.variant}` }));

test.describe('a pairwise cover', () => {
  test('shows every pair of values of independent dimensions, with few candidates', () => {
    const candidates = ['a', 'b', 'c'].flatMap((x) =>
      ['k', 'l', 'm'].flatMap((y) => ['u', 'v', 'w'].map((z) => ({ x, y, z }))),
    );
    const chosen = pairwise(candidates, ['x', 'y', 'z']);
    const shown = new Set(chosen.flatMap((one) => pairsOf(one, ['x', 'y', 'z'])));
    expect(shown.size).toBe(27);
    expect(chosen.length).toBeLessThanOrEqual(14);
  });

  test('needs no pair that no candidate shows', () => {
    const candidates = [
      { x: 'a', y: 'k' },
      { x: 'b', y: 'l' },
    ];
    expect(pairwise(candidates, ['x', 'y'])).toEqual(candidates);
  });

  test('keeps what is always wanted, and does not choose it twice', () => {
    const candidates = [
      { x: 'a', y: 'k' },
      { x: 'a', y: 'l' },
    ];
    expect(pairwise(candidates, ['x', 'y'], [{ x: 'a', y: 'k' }])).toEqual(candidates);
  });
});

test.describe('the suite', () => {
  test('shows every pair that makes sense of action, ask, moment, aftermath and wire', () => {
    const { plans, of } = suite(false);
    const shown = new Set(valuesOf(plans as typeof every).flatMap((plan) => pairsOf(plan, DIMENSIONS)));
    const every = everyPlan();
    const missing = valuesOf(every).flatMap((plan) =>
      pairsOf(plan, DIMENSIONS).filter((pair) => !shown.has(pair)),
    );
    expect([...new Set(missing)]).toEqual([]);
    expect(plans.length).toBeLessThan(of / 10);
    expect(suite(true).plans).toHaveLength(of);
  });

  test('has no hand-off twice, and none that makes no sense', () => {
    const { plans } = suite(false);
    expect(new Set(plans.map((plan) => JSON.stringify(plan))).size).toBe(plans.length);
    expect(plans.filter((plan) => fits(plan) !== true)).toEqual([]);
  });

  test('has every variant in its usual form, and edit with every aftermath', () => {
    const { plans } = suite(false);
    const variantsOf = (name: string) =>
      new Set(plans.filter((plan) => plan.action === name).map((plan) => plan.variant));
    for (const { name, variants } of actions)
      expect(variantsOf(name)).toEqual(new Set(Object.keys(variants)));
    const edits = plans.filter(
      (plan) =>
        plan.action === 'edit' &&
        plan.ask === 'command' &&
        plan.moment === 'ask-open' &&
        plan.wire === 'openai-chat',
    );
    expect(new Set(edits.map((plan) => plan.aftermath))).toEqual(new Set(AFTERMATHS));
  });

  test('is split among the specs without loss', () => {
    const split = actions.flatMap(({ name }) => plansOf(name, undefined));
    expect(split).toHaveLength(suite().plans.length);
  });
});

test.describe('a selection', () => {
  test('takes all variants of an action, or one', () => {
    const variantsOf = (actions: string[], written: string) => [
      ...new Set(plansOf(written, { actions }).map((plan) => plan.variant)),
    ];
    expect(variantsOf(['restart'], 'restart')).toEqual(['sigterm', 'sigkill', 'twice']);
    expect(variantsOf(['restart:sigkill'], 'restart')).toEqual(['sigkill']);
    expect(variantsOf(['new-message:plain'], 'new-message')).toEqual(['plain']);
    expect(plansOf('restart:twice', {}).map((plan) => plan.variant)).toEqual([
      'twice',
      'twice',
      'twice',
      'twice',
    ]);
    expect(plansOf('edit', { actions: ['stop'] })).toEqual([]);
    expect(writtenActions()).toContain('restart:sigkill');
  });

  test('can be narrowed hand-off by hand-off, and runs none of them twice', () => {
    const shown = (written: string) =>
      plansOf(written, {
        aftermaths: ['follow-up'],
        tries: [
          { action: 'restart:twice', aftermaths: ['watch'] },
          { action: 'restart:twice', aftermaths: ['watch'], asks: ['command', 'edit'] },
          { action: 'stop' },
        ],
      }).map((plan) => [plan.variant, plan.ask, plan.aftermath]);
    expect(shown('restart')).toEqual([
      ['twice', 'command', 'watch'],
      ['twice', 'edit', 'watch'],
    ]);
    expect(shown('stop')).toEqual([['plain', 'command', 'follow-up']]);
    expect(shown('edit')).toEqual([]);
  });

  test('runs each action with its usual ask and moment, on every aftermath and the default wire', () => {
    const plans = plansOf('queued-message', {});
    expect(plans.map((plan) => [plan.ask, plan.moment, plan.aftermath, plan.wire])).toEqual(
      AFTERMATHS.map((aftermath) => ['command', 'call-streaming', aftermath, undefined]),
    );
  });
});
