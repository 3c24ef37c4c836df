import { styleText } from 'node:util';
import { worst } from '../harness/contract/judge.ts';
import type { Verdict } from '../harness/history/vocabulary.ts';
import { ACTIONS } from '../harness/history/vocabulary.ts';
import type { HandoffResult } from '../harness/result.ts';

/** Sign and word of each verdict: readable without colour. */
export const SIGNS: Record<Verdict, { sign: string; colour: Parameters<typeof styleText>[0] }> = {
  held: { sign: '✓', colour: 'green' },
  violated: { sign: '✗', colour: 'red' },
  unobserved: { sign: '?', colour: 'yellow' },
  'not-offered': { sign: '·', colour: 'dim' },
};

/** Requirement x action of one client: the worst verdict over the hand-offs of each cell. */
export interface Matrix {
  client: string;
  version: string;
  fault?: string;
  actions: string[];
  requirements: string[];
  cells: Record<string, Record<string, Verdict>>;
}

/** One matrix per client version and fault, in the order in which they ran. */
export function matricesOf(results: HandoffResult[]): Matrix[] {
  const groups = groupBy(results, keyOf);
  return [...groups.values()].map((group) => matrixOf(group));
}

const keyOf = (result: HandoffResult) => `${result.client}@${result.version} ${result.fault ?? ''}`;

function groupBy<T>(items: T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
}

function matrixOf(results: HandoffResult[]): Matrix {
  const [first] = results as [HandoffResult];
  const actions = ACTIONS.filter((action) => results.some((result) => result.action === action));
  const requirements = [...new Set(results.flatMap((result) => Object.keys(result.verdicts)))];
  const cells: Matrix['cells'] = {};
  for (const requirement of requirements) {
    cells[requirement] = {};
    for (const action of actions) {
      const verdicts = results
        .filter((result) => result.action === action)
        .flatMap((result) => result.verdicts[requirement]?.verdict ?? []);
      cells[requirement][action] = worst(verdicts);
    }
  }
  const { client, version, fault } = first;
  return { client, version, ...(fault ? { fault } : {}), actions, requirements, cells };
}

/**
 * The matrix as lines for a terminal; actions that do not fit beside each other follow below.
 *
 * @param columns width of the terminal, in characters
 */
export function renderMatrix(matrix: Matrix, colour: boolean, columns = 110): string[] {
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    colour ? styleText(style, text) : text;
  const first = Math.max(...matrix.requirements.map((r) => r.length), 0);
  const width = (action: string) => Math.max(action.length, LONGEST_VERDICT) + 2;
  const blocks: string[][] = [[]];
  let used = first;
  for (const action of matrix.actions) {
    if (used + width(action) > columns && blocks.at(-1)?.length) {
      blocks.push([]);
      used = first;
    }
    blocks.at(-1)?.push(action);
    used += width(action);
  }
  const lines = blocks.flatMap((actions) => [
    '',
    ' '.repeat(first) + actions.map((action) => `  ${action}`.padEnd(width(action))).join(''),
    ...matrix.requirements.map((requirement) => {
      const cells = actions.map((action) => {
        const verdict = matrix.cells[requirement]?.[action] ?? 'not-offered';
        const { sign, colour: style } = SIGNS[verdict];
        return paint(style, `  ${sign} ${verdict}`.padEnd(width(action)));
      });
      return requirement.padEnd(first) + cells.join('');
    }),
  ]);
  const title = `${matrix.client} ${matrix.version}${matrix.fault ? `, with the fault ${matrix.fault}` : ''}`;
  return [paint('bold', title), ...lines.slice(1).map((line) => line.trimEnd())];
}

const LONGEST_VERDICT = '· not-offered'.length;

/** How many requirement verdicts there are of each sort. */
export function countVerdicts(results: HandoffResult[]): Record<Verdict, number> {
  const counts: Record<Verdict, number> = { held: 0, violated: 0, unobserved: 0, 'not-offered': 0 };
  for (const result of results)
    for (const { verdict } of Object.values(result.verdicts)) counts[verdict] += 1;
  return counts;
}
