import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { until } from '../until.ts';

/** How long one may wait for another who holds the lock, ms: the biggest clients take minutes on a slow line. */
const LOCK_LIMIT = 15 * 60_000;

/**
 * Runs work while holding a lock file that names its holder. A lock whose holder is no longer alive is taken over.
 *
 * @param what what the holder does, in words
 * @throws WaitedInVain when a living holder does not end within the limit.
 */
export async function withLock<T>(
  file: string,
  what: string,
  say: (line: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  let said = false;
  await until(
    () => {
      if (take(file)) return true;
      const holder = holderOf(file);
      if (holder !== undefined && !alive(holder)) discard(file, holder);
      else if (holder !== undefined && !said) {
        said = true;
        say(`process ${holder} is ${what}: waiting for it`);
      }
      return false;
    },
    { what: `the process that is ${what} to end (lock ${file})`, limit: LOCK_LIMIT, every: 100 },
  );
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

/** A hard link makes the lock appear with its content at once: nobody reads a lock without a holder. */
function take(file: string): boolean {
  const mine = `${file}.${process.pid}`;
  writeFileSync(mine, String(process.pid));
  try {
    linkSync(mine, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(mine, { force: true });
  }
}

function holderOf(file: string): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    // Gone in the meantime.
    return undefined;
  }
}

function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Puts a dead holder's lock away, unless somebody else has replaced it just now. */
function discard(file: string, holder: number): void {
  const away = `${file}.${process.pid}.dead`;
  try {
    renameSync(file, away);
    if (holderOf(away) !== holder) linkSync(away, file);
  } catch {
    // Another waiter was quicker.
  } finally {
    rmSync(away, { force: true });
  }
}
