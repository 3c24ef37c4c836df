import { distance } from 'fastest-levenshtein';

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
    // A part of a name, typed from memory, counts as near whatever its length.
    const far = (v: string) => (v.includes(name) || name.includes(v) ? 0 : distance(v, name));
    const near = [...valid].sort((a, b) => far(a) - far(b)).slice(0, 3);
    throw new UsageError(`no ${sort} named "${name}"; nearest: ${near.join(', ')}`);
  }
  return given as T[];
}

/** Splits `a,b` and drops what is empty. */
export const words = (list: string): string[] =>
  list
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);
