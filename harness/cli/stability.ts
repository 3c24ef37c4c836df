import { type HandoffResult, violatedIn } from '../result.ts';
import { writtenExactly } from '../scenario/actions/index.ts';

/** Share of its limit above which a hand-off counts as too slow to be trusted. */
export const NEAR_LIMIT = 0.8;

/** One hand-off that is not stable, and why. */
export interface Unstable {
  name: string;
  why: string;
}

/**
 * Compares the repeats of each hand-off.
 *
 * @param handoffs every result, repeats included
 * @param times how often each hand-off was to run
 * @param limitOf limit of one hand-off on this client, ms
 */
export function unstableIn(
  handoffs: readonly HandoffResult[],
  times: number,
  limitOf: (client: string) => number,
): Unstable[] {
  const byName = new Map<string, HandoffResult[]>();
  for (const handoff of handoffs) {
    if (handoff.status === 'not-offered') continue;
    byName.set(nameOf(handoff), [...(byName.get(nameOf(handoff)) ?? []), handoff]);
  }
  return [...byName].flatMap(([name, runs]) =>
    reasonsOf(runs, times, limitOf(runs[0]?.client ?? '')).map((why) => ({ name, why })),
  );
}

function reasonsOf(runs: HandoffResult[], times: number, limit: number): string[] {
  const reasons: string[] = [];
  if (runs.length !== times) reasons.push(`ran ${runs.length} times of ${times}`);
  const broken = runs.filter((run) => run.status === 'could-not-run');
  if (broken.length > 0) reasons.push(`could not run ${broken.length} times: ${firstLine(broken[0]?.error)}`);
  const judged = runs.filter((run) => run.status === 'judged');
  for (const slug of new Set(judged.flatMap((run) => Object.keys(run.verdicts)))) {
    const counts = new Map<string, number>();
    for (const run of judged) {
      const verdict = run.verdicts[slug]?.verdict ?? 'missing';
      counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
    }
    if (counts.size > 1)
      reasons.push(`${slug}: ${[...counts].map(([verdict, n]) => `${verdict} ${n} times`).join(', ')}`);
  }
  const red = [...new Set(judged.flatMap(violatedIn))].filter((slug) =>
    judged.every((run) => run.verdicts[slug]?.verdict === 'violated'),
  );
  if (red.length > 0) reasons.push(`always violated: ${red.join(', ')}`);
  const slowest = Math.max(...runs.map((run) => run.ms));
  if (slowest > NEAR_LIMIT * limit)
    reasons.push(`took ${slowest} ms, above ${NEAR_LIMIT * 100} % of its limit of ${limit} ms`);
  return reasons;
}

const firstLine = (text = ''): string => text.split('\n', 1)[0] ?? '';

const nameOf = (handoff: HandoffResult): string =>
  [
    handoff.client,
    writtenExactly(handoff.action, handoff.variant),
    handoff.ask,
    handoff.moment,
    handoff.aftermath,
    handoff.wire,
    ...(handoff.fault ? [handoff.fault] : []),
  ].join(' · ');
