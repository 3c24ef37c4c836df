import pWaitFor from 'p-wait-for';

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
  let timer: NodeJS.Timeout | undefined;
  let over = false;
  const inVain = () => new WaitedInVain(options.what, limit, options.seen?.());
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      over = true;
      reject(inVain());
    }, limit);
  });
  // The limit is kept here and not by `p-wait-for`: its own one does not end a condition that hangs, and leaves one
  // listener on its signal for each look, which Node warns of after ten.
  const polled = pWaitFor(
    async () => {
      if (over) throw inVain();
      const value = await condition();
      return value ? pWaitFor.resolveWith(value as NonNullable<T>) : false;
    },
    { interval: options.every ?? 15 },
  );
  // The loser of the race may still reject; that is expected and says nothing new.
  polled.catch(() => {});
  try {
    return (await Promise.race([polled, timeout])) as NonNullable<T>;
  } finally {
    // Also when the condition threw: nothing may go on looking.
    over = true;
    clearTimeout(timer);
  }
}
