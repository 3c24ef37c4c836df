import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { countVerdicts, matricesOf, renderMatrix } from '../../reports/table.ts';
import { judge } from '../contract/judge.ts';
import type { History } from '../history/events.ts';
import { HistoryError, readHistory } from '../history/read.ts';
import { timelineOf } from '../history/timeline.ts';
import { writeAction } from '../history/vocabulary.ts';
import { type HandoffResult, reasonOf, violatedIn } from '../result.ts';
import { jsonOf } from './check.ts';
import { EXIT } from './exit.ts';

interface JudgeOptions {
  json?: string;
  strict?: boolean;
  timeline?: boolean;
}

export function addJudge(program: Command): void {
  program
    .command('judge')
    .description('judge recorded histories, whatever made them, without running a client')
    .argument('<file...>', 'history.jsonl files')
    .option('--json <file>', 'write the results as JSON')
    .option('--strict', 'an unobserved requirement fails')
    .option('--timeline', 'also print each history, event by event')
    .addHelpText(
      'after',
      `
A history is JSON Lines: one header, then what the witnesses saw, in order, then the end record
(harness/history/history.schema.json). A file that is damaged, cut off or of another version is never judged.

Examples:
  approval-handoff judge reports/out/reference-web/edit/command/ask-open/watch/openai-chat/history.jsonl
  approval-handoff judge --json verdicts.json one/history.jsonl another/history.jsonl

Exit codes: 0 held, 1 violated, 2 a file could not be judged, or its hand-off had not run to its end.`,
    )
    .action(judgeFiles);
}

function judgeFiles(files: string[], options: JudgeOptions): void {
  const results: HandoffResult[] = [];
  const problems: string[] = [];
  for (const file of files) {
    try {
      const history = readHistory(file);
      const result = resultOf(file, history);
      results.push(result);
      if (options.timeline) console.log(timelineOf(history, result.verdicts));
    } catch (error) {
      if (!(error instanceof HistoryError)) throw error;
      problems.push(error.message);
    }
  }
  print(results);
  for (const problem of problems) process.stderr.write(`approval-handoff: ${problem}\n`);
  if (options.json) writeFileSync(options.json, `${JSON.stringify(jsonOf(results), null, 2)}\n`);
  process.exitCode = exitCode(results, problems, options.strict);
}

/** What a run of the same hand-off would have given. One that did not run to its end shows no more than it saw. */
function resultOf(file: string, history: History): HandoffResult {
  const { header, events } = history;
  const { client, version, action, variant, ask, moment, aftermath, wire, fault } = header;
  const last = events.at(-1);
  const cut = last?.type === 'end' && last.reason !== 'complete' ? last : undefined;
  return {
    ...{ client, version, action, variant, ask, moment, aftermath, wire },
    ...(fault ? { fault } : {}),
    status: cut ? 'could-not-run' : 'judged',
    ms: Math.round(last?.t ?? 0),
    verdicts: judge(history),
    history: file,
    ...(cut ? { error: `the hand-off ${cut.reason}${cut.detail ? `: ${cut.detail}` : ''}` } : {}),
    replay: `npx approval-handoff judge ${file}`,
  };
}

function print(results: HandoffResult[]): void {
  const colour = Boolean(process.stdout.isTTY) && !process.env.NO_COLOR;
  for (const matrix of matricesOf(results)) console.log(['', ...renderMatrix(matrix, colour)].join('\n'));
  for (const result of results) {
    const name = `${result.client} · ${writeAction(result.action, result.variant)} · ${result.aftermath}`;
    for (const slug of violatedIn(result)) {
      const [title, ...reason] = reasonOf(slug, result.verdicts[slug] as HandoffResult['verdicts'][string]);
      console.log(['', `${name} · ${title}`, ...reason, `  evidence: ${result.history}`].join('\n'));
    }
    if (result.error) console.log(`\n${name} · ${oneLine(result.error)} (${result.history})`);
  }
  if (results.length === 0) return;
  const counts = countVerdicts(results);
  console.log(
    `\n${results.length} histories judged: ${counts.held} held, ${counts.violated} violated, ` +
      `${counts.unobserved} unobserved`,
  );
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 300);

function exitCode(results: HandoffResult[], problems: string[], strict = false): number {
  if (problems.length > 0 || results.some(({ status }) => status !== 'judged')) return EXIT.couldNotRun;
  const has = (verdict: string) =>
    results.some(({ verdicts }) => Object.values(verdicts).some((one) => one.verdict === verdict));
  return has('violated') || (strict && has('unobserved')) ? EXIT.violated : EXIT.held;
}
