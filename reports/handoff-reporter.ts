import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { styleText } from 'node:util';
import type {
  FullConfig,
  FullResult,
  Reporter,
  Suite,
  TestCase,
  TestError,
  TestResult,
} from '@playwright/test/reporter';
import { writeAction } from '../harness/history/vocabulary.ts';
import { outFolder } from '../harness/package.ts';
import {
  FAULTS_TAG,
  type HandoffResult,
  RESULT_ATTACHMENT,
  reasonOf,
  violatedIn,
} from '../harness/result.ts';
import { suite as handoffsOfSuite, selected } from '../harness/scenario/selection.ts';
import { renderPage } from './page.ts';
import { countVerdicts, matricesOf, renderMatrix } from './table.ts';

interface Options {
  /** Also lists the tests that are no hand-offs. */
  tests?: boolean;
}

/**
 * Says what happens while it happens, then the verdicts: progress lines, the table, the reason and the replay of each
 * red cell, `results.json` and the report page.
 */
export default class HandoffReporter implements Reporter {
  readonly #options: Options;
  readonly #results: HandoffResult[] = [];
  readonly #colour = Boolean(process.stdout.isTTY) && !process.env.NO_COLOR;
  readonly #notOffered = new Set<string>();
  #total = 0;
  #done = 0;
  readonly #counts = { passed: 0, failed: 0, skipped: 0 };
  #broken = false;

  constructor(options: Options = {}) {
    this.#options = options;
  }

  printsToStdio(): boolean {
    return true;
  }

  onBegin(config: FullConfig, suite: Suite): void {
    this.#total = suite.allTests().length;
    const projects = suite.suites.map((project) => project.title).join(', ');
    this.#say(`${this.#total} tests (${projects}), ${config.workers} workers`);
    if (selected()) return;
    const { plans, of, full } = handoffsOfSuite();
    const chosen = full ? 'the full product' : 'a pairwise cover; npm run test:full runs them all';
    this.#say(`hand-offs: ${plans.length} of ${of}, ${chosen}`);
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    this.#done += 1;
    const outcome =
      test.outcome() === 'skipped' ? 'skipped' : result.status === test.expectedStatus ? 'passed' : 'failed';
    this.#counts[outcome] += 1;
    // A seeded fault is red on purpose: what counts is whether its test found exactly what it names.
    const handoff = test.tags.includes(FAULTS_TAG) ? undefined : this.#take(result);
    const place = `[${this.#done}/${this.#total}]`;
    if (handoff?.status === 'not-offered') this.#sayNotOffered(handoff);
    else if (handoff) this.#say(`${place} ${this.#handoffLine(handoff)}`);
    else if (this.#options.tests || outcome === 'failed') {
      this.#say(
        `${place} ${this.#sign(outcome)} ${test.titlePath().slice(1).filter(Boolean).join(' › ')} ${result.duration} ms`,
      );
    }
    if (outcome === 'failed' && handoff?.status !== 'judged') {
      for (const error of result.errors)
        this.#say(indent(error.stack ?? error.message ?? String(error.value)));
    }
  }

  onError(error: TestError): void {
    this.#broken = true;
    this.#say(`${this.#paint('red', 'error')}: ${error.message ?? error.value}`);
  }

  async onEnd(result: FullResult): Promise<void> {
    const results = this.#results.toSorted((a, b) => idOf(a).localeCompare(idOf(b)));
    const folder = outFolder();
    mkdirSync(folder, { recursive: true });
    const status = result.status === 'interrupted' ? 'interrupted' : this.#broken ? 'broken' : 'finished';
    writeFileSync(
      join(folder, 'results.json'),
      `${JSON.stringify({ status, handoffs: results }, null, 2)}\n`,
    );
    if (results.length > 0) {
      for (const matrix of matricesOf(results.filter((r) => r.status === 'judged')))
        this.#say(['', ...renderMatrix(matrix, this.#colour, process.stdout.columns)].join('\n'));
      this.#sayReasons(results);
      this.#sayCounts(results);
      const page = join(folder, 'report.html');
      writeFileSync(page, renderPage(results));
      this.#say(`report: ${relative(process.cwd(), page)}`);
    }
    const { passed, failed, skipped } = this.#counts;
    this.#say(`${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`);
  }

  #take(result: TestResult): HandoffResult | undefined {
    const attachment = result.attachments.find((a) => a.name === RESULT_ATTACHMENT);
    if (!attachment?.body) return undefined;
    const handoff = JSON.parse(attachment.body.toString()) as HandoffResult;
    this.#results.push(handoff);
    return handoff;
  }

  /** Once per action and reason: every hand-off of that action says the same. */
  #sayNotOffered({ client, action, variant, error }: HandoffResult): void {
    const line = `${this.#sign('skipped')} ${client} · ${writeAction(action, variant)}: not offered, ${error}`;
    if (!this.#notOffered.has(line)) this.#say(line);
    this.#notOffered.add(line);
  }

  #handoffLine(handoff: HandoffResult): string {
    const name = [
      handoff.client,
      writeAction(handoff.action, handoff.variant),
      handoff.ask,
      handoff.moment,
      handoff.aftermath,
      handoff.wire,
    ].join(' · ');
    if (handoff.status === 'could-not-run') return `${this.#sign('failed')} ${name}: could not run`;
    const counts = countVerdicts([handoff]);
    const red = violatedIn(handoff);
    const words = [
      `${counts.held} held`,
      ...(red.length > 0 ? [`violated: ${red.join(', ')}`] : []),
      ...(counts.unobserved > 0 ? [`${counts.unobserved} unobserved`] : []),
    ];
    return `${this.#sign(red.length > 0 ? 'failed' : 'passed')} ${name} ${handoff.ms} ms: ${words.join(', ')}`;
  }

  /** Once per red cell of the table: the first hand-off that shows it, its reason and its replay. */
  #sayReasons(results: HandoffResult[]): void {
    const cells = new Map<string, HandoffResult[]>();
    for (const result of results)
      for (const slug of violatedIn(result)) {
        const cell = [result.client, result.fault, result.action, slug].join('\n');
        cells.set(cell, [...(cells.get(cell) ?? []), result]);
      }
    for (const [cell, shown] of cells) {
      const [first, ...others] = shown as [HandoffResult];
      const slug = cell.split('\n').at(-1) ?? '';
      const [title, ...reason] = reasonOf(slug, first.verdicts[slug] as HandoffResult['verdicts'][string]);
      this.#say(
        [
          '',
          this.#paint('red', `${first.client} · ${first.action} · ${title}`),
          ...reason,
          `  replay:   ${first.replay}`,
          `  evidence: ${first.history}${others.length > 0 ? ` (and ${others.length} more hand-offs)` : ''}`,
        ].join('\n'),
      );
    }
  }

  #sayCounts(results: HandoffResult[]): void {
    const counts = countVerdicts(results);
    const by = (status: HandoffResult['status']) => results.filter((r) => r.status === status).length;
    this.#say(
      `\n${by('judged')} hand-offs judged, ${by('not-offered')} not offered, ${by('could-not-run')} could not run: ` +
        `${counts.held} held, ${counts.violated} violated, ${counts.unobserved} unobserved`,
    );
  }

  #sign(outcome: 'passed' | 'failed' | 'skipped'): string {
    const signs = { passed: ['green', '✓'], failed: ['red', '✗'], skipped: ['dim', '·'] } as const;
    return this.#paint(signs[outcome][0], signs[outcome][1]);
  }

  #paint(style: Parameters<typeof styleText>[0], text: string): string {
    return this.#colour ? styleText(style, text) : text;
  }

  #say(line: string): void {
    process.stdout.write(`${line}\n`);
  }
}

const idOf = (r: HandoffResult): string =>
  [r.client, writeAction(r.action, r.variant), r.ask, r.moment, r.aftermath, r.wire, r.fault]
    .filter(Boolean)
    .join('/');

const indent = (text: string): string => text.replace(/^/gm, '    ');
