import { closest, distance } from 'fastest-levenshtein';

/** What the command's exit codes mean. */
export const EXIT = { held: 0, violated: 1, couldNotRun: 2, interrupted: 130 } as const;

/** Wrong words on the command line: one line, exit 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/**
 * Checks names against those that exist.
 *
 * @param sort what they are names of, e.g. `client`
 * @throws UsageError that names the first unknown one and the nearest valid names.
 */
export function known<T extends string>(sort: string, given: readonly string[], valid: readonly T[]): T[] {
  for (const name of given) {
    if (valid.includes(name as T)) continue;
    const near = valid.filter((v) => distance(v, name) <= 3 || v.includes(name) || name.includes(v));
    const hint = near.length > 0 ? near : valid.length > 0 ? [closest(name, [...valid])] : [];
    throw new UsageError(
      `no ${sort} named "${name}"${hint.length > 0 ? `; nearest: ${hint.slice(0, 3).join(', ')}` : ''} ` +
        `(all: approval-handoff list ${sort}s)`,
    );
  }
  return given as T[];
}

/** Splits `a,b` and drops what is empty. */
export const words = (list: string): string[] =>
  list
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);
