import pWaitFor, { TimeoutError } from 'p-wait-for';

/** How long a wait may last when its caller names no limit, ms. */
export const DEFAULT_LIMIT = 15_000;

/** A named condition did not become true within its limit. */
export class WaitedInVain extends Error {
  override name = 'WaitedInVain';
  readonly what: string;
  readonly limit: number;
  constructor(what: string, limit: number, detail?: string) {
    super(`waited ${limit} ms in vain for: ${what}${detail ? `\n${detail}` : ''}`);
    this.what = what;
    this.limit = limit;
  }
}

export interface UntilOptions {
  /** What must become true, in words: it is the error message. */
  what: string;
  /** Limit, ms. Default {@link DEFAULT_LIMIT}. */
  limit?: number;
  /** Interval between two looks, ms. Default 15. */
  every?: number;
  /** Called when the limit is reached, to say what was seen instead. */
  seen?: () => string;
}

/**
 * The one way to wait in Handoff: until a named condition gives a truthy value, which is returned.
 * A condition that itself hangs is ended by the same limit, which `p-wait-for` alone does not do.
 *
 * @throws WaitedInVain when the limit is reached.
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  options: UntilOptions,
): Promise<NonNullable<T>> {
  const limit = options.limit ?? DEFAULT_LIMIT;
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const inVain = () => new WaitedInVain(options.what, limit, options.seen?.());
  const hung = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      stop.abort();
      reject(inVain());
    }, limit + 50);
  });
  const polled = pWaitFor(
    async () => {
      const value = await condition();
      return value ? pWaitFor.resolveWith(value as NonNullable<T>) : false;
    },
    { interval: options.every ?? 15, timeout: { milliseconds: limit }, signal: stop.signal },
  );
  // The loser of the race may still reject; that is expected and says nothing new.
  polled.catch(() => {});
  try {
    return (await Promise.race([polled, hung])) as NonNullable<T>;
  } catch (error) {
    throw error instanceof TimeoutError ? inVain() : error;
  } finally {
    clearTimeout(timer);
  }
}
