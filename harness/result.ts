import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HandoffVerdicts } from './contract/judge.ts';
import type { Trial } from './history/trial.ts';
import { writtenExactly } from './scenario/actions/index.ts';

/** What became of one hand-off; the reporter and `--json` are made of these. */
export interface HandoffResult {
  client: string;
  version: string;
  action: Trial['action'];
  variant: Trial['variant'];
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

/** Tag of the tests that see every seeded fault caught. */
export const FAULTS_TAG = '@faults';

/** Name under which a result is attached to its test. */
export const RESULT_ATTACHMENT = 'handoff-result';

/** The one command that replays a trial. */
export function replayCommand(trial: Trial): string {
  const flags = [
    `--action ${writtenExactly(trial.action, trial.variant)}`,
    `--ask ${trial.ask}`,
    `--moment ${trial.moment}`,
    `--aftermath ${trial.aftermath}`,
    `--wire ${trial.wire}`,
    ...(trial.fault ? [`--fault ${trial.fault}`] : []),
  ];
  return `npx approval-handoff check ${trial.client} ${flags.join(' ')}`;
}

/** What one violated requirement says: the rule's name and witness, what was expected, what was seen. */
export function reasonOf(slug: string, verdict: HandoffVerdicts[string]): string[] {
  return [
    `${slug} violated (${verdict.level}), seen by ${verdict.witnesses.join(', ')}`,
    `  expected: ${verdict.expected}`,
    `  observed: ${verdict.observed}${verdict.at === undefined ? '' : ` (event ${verdict.at})`}`,
  ];
}

/** Requirements that a result shows violated. */
export const violatedIn = (result: Pick<HandoffResult, 'verdicts'>): string[] =>
  Object.keys(result.verdicts).filter((slug) => result.verdicts[slug]?.verdict === 'violated');

/** Everything that one hand-off broke, and its replay; empty when it broke nothing. */
export function redLines(result: Pick<HandoffResult, 'verdicts' | 'replay'>): string[] {
  const red = violatedIn(result);
  if (red.length === 0) return [];
  const reasons = red.flatMap((slug) => reasonOf(slug, result.verdicts[slug] as HandoffVerdicts[string]));
  return [...reasons, `replay: ${result.replay}`];
}

/** Writes a text file of the evidence and gives its path. */
export function writeEvidence(folder: string, name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text.endsWith('\n') ? text : `${text}\n`);
  return file;
}
