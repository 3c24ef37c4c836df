import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HandoffVerdicts } from './contract/judge.ts';
import type { Trial } from './history/trial.ts';

/** What became of one hand-off; the reporter and `--json` are made of these. */
export interface HandoffResult {
  client: string;
  version: string;
  action: Trial['action'];
  ask: Trial['ask'];
  moment: Trial['moment'];
  aftermath: Trial['aftermath'];
  wire: Trial['wire'];
  fault?: string;
  /** `judged`: the verdicts count; `not-offered`: the client has no such action; `could-not-run`: see `error`. */
  status: 'judged' | 'not-offered' | 'could-not-run';
  /** Duration of the hand-off, launch included, ms. */
  ms: number;
  verdicts: HandoffVerdicts;
  /** Path of the history, relative to where the command was given. */
  history?: string;
  /** Why the action is not offered, or what prevented the hand-off. */
  error?: string;
  /** The one command that replays exactly this hand-off. */
  replay: string;
}

/** Name under which a result is attached to its test. */
export const RESULT_ATTACHMENT = 'handoff-result';

/** The one command that replays a trial. */
export function replayCommand(trial: Trial): string {
  const flags = [
    `--action ${trial.action}`,
    `--ask ${trial.ask}`,
    `--moment ${trial.moment}`,
    `--aftermath ${trial.aftermath}`,
    `--wire ${trial.wire}`,
    ...(trial.fault ? [`--fault ${trial.fault}`] : []),
  ];
  return `npx approval-handoff check ${trial.client} ${flags.join(' ')}`;
}

/** Lines of the red cells of a result, for the error of its test and for the terminal. */
export function redLines(result: Pick<HandoffResult, 'verdicts' | 'replay'>): string[] {
  const lines: string[] = [];
  for (const [slug, verdict] of Object.entries(result.verdicts)) {
    if (verdict.verdict !== 'violated') continue;
    lines.push(`${slug} violated (${verdict.level}), seen by ${verdict.witnesses.join(', ')}`);
    lines.push(`  expected: ${verdict.expected}`);
    const when = verdict.t === undefined ? '' : ` at ${Math.round(verdict.t)} ms (event ${verdict.at})`;
    lines.push(`  observed: ${verdict.observed}${when}`);
  }
  if (lines.length > 0) lines.push(`replay: ${result.replay}`);
  return lines;
}

/** Writes a text file of the evidence and gives its path. */
export function writeEvidence(folder: string, name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text.endsWith('\n') ? text : `${text}\n`);
  return file;
}
