import { expect, test } from '@playwright/test';
import type { HandoffResult } from '../harness/result.ts';
import { renderPage } from './page.ts';
import { countVerdicts, matricesOf, renderMatrix } from './table.ts';

const result = (over: Partial<HandoffResult> = {}): HandoffResult => ({
  client: 'some-client',
  version: '1.0.0',
  action: 'edit',
  variant: 'plain',
  ask: 'command',
  moment: 'ask-open',
  aftermath: 'watch',
  wire: 'gemini',
  status: 'judged',
  ms: 12,
  replay: 'npx approval-handoff check some-client',
  verdicts: {
    'ask-settled': {
      verdict: 'violated',
      level: 'MUST',
      witnesses: ['engine'],
      expected: 'an end',
      observed: '<img src=x onerror=alert(1)> never ended',
    },
    'settled-once': {
      verdict: 'held',
      level: 'MUST',
      witnesses: ['world'],
      expected: 'one',
      observed: 'one',
    },
  },
  ...over,
});

test('client output reaches the page only as text', async ({ page }) => {
  await page.setContent(renderPage([result()]));
  await expect(page.locator('img')).toHaveCount(0);
  await expect(page.getByText('<img src=x onerror=alert(1)> never ended')).toBeVisible();
  await expect(page.getByText('1 of 1 hand-offs break the contract')).toBeVisible();
  await expect(page.getByRole('cell', { name: '✗ violated' })).toBeVisible();
});

test('a cell shows the worst verdict of its hand-offs', () => {
  const good = result({ aftermath: 'follow-up' });
  good.verdicts = {
    ...good.verdicts,
    'ask-settled': { ...good.verdicts['settled-once'] },
  } as typeof good.verdicts;
  const [matrix] = matricesOf([good, result()]);
  expect(matrix?.cells).toEqual({ 'ask-settled': { edit: 'violated' }, 'settled-once': { edit: 'held' } });
  expect(renderMatrix(matrix as NonNullable<typeof matrix>, false).join('\n')).toContain(
    'ask-settled   ✗ violated',
  );
  expect(countVerdicts([good, result()])).toEqual({ held: 3, violated: 1, unobserved: 0, 'not-offered': 0 });
});
