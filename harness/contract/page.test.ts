import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { FIELD_REPORTS } from './field-reports.ts';
import { contractPage } from './page.ts';
import { requirements } from './requirements/index.ts';

const committed = join(import.meta.dirname, '../../docs/contract.md');

test('the committed page of the contract says what the requirements say (npm run docs makes it)', () => {
  expect(readFileSync(committed, 'utf8')).toBe(contractPage(requirements));
});

test('the page tells of every requirement, its rule, its clauses and its sources', () => {
  const page = contractPage(requirements);
  for (const one of requirements) {
    expect(page).toContain(`## ${one.slug}\n`);
    for (const text of [one.rule, one.why, one.broken]) expect(page).toContain(text);
    for (const clause of one.clauses) expect(page).toContain(clause.expected);
    for (const report of one.sources.reports) expect(page).toContain(`(${FIELD_REPORTS[report]})`);
  }
  expect(page).not.toContain('undefined');
});
