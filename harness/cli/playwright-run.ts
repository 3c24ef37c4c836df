import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { CouldNotRun } from '../clients/define.ts';
import { outFolder, packageRoot } from '../package.ts';
import type { HandoffResult } from '../result.ts';
import { SELECTION, type Selection } from '../scenario/selection.ts';

export interface Run {
  clients: string[];
  /** Left out: the suite's own set. */
  selection?: Selection;
  /** Further arguments for Playwright Test. */
  args: string[];
  environment: Record<string, string>;
}

/** What the reporter leaves of a run. */
export interface Results {
  status: 'finished' | 'interrupted' | 'broken';
  handoffs: HandoffResult[];
}

const resultsFile = (): string => join(outFolder(), 'results.json');

/**
 * Runs Playwright Test on the selected hand-offs. Ctrl-C is passed on once, so that it can end the clients, keep the
 * histories and close its report.
 */
export async function runPlaywright(run: Run): Promise<{ code: number; interrupted: boolean }> {
  rmSync(resultsFile(), { force: true });
  const cli = createRequire(import.meta.url).resolve('@playwright/test/cli');
  const child = spawn(
    process.execPath,
    [cli, 'test', '--config', join(packageRoot, 'playwright.config.ts'), '--grep', '@handoff', ...run.args],
    {
      // A group of its own: the terminal's Ctrl-C would otherwise reach it twice, and the second ends it at once.
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        ...process.env,
        ...run.environment,
        HANDOFF_CLIENTS: run.clients.join(','),
        HANDOFF_OUT: outFolder(),
        HANDOFF_REPORTER: 'quiet',
        ...(run.selection ? { [SELECTION]: JSON.stringify(run.selection) } : {}),
      },
    },
  );
  let interrupted = false;
  const pass = (signal: NodeJS.Signals) => {
    if (interrupted) return;
    interrupted = true;
    child.kill(signal === 'SIGTERM' ? 'SIGINT' : signal);
  };
  process.on('SIGINT', pass).on('SIGTERM', pass);
  const code = await new Promise<number>((resolve) => child.on('close', (exit) => resolve(exit ?? 1)));
  process.off('SIGINT', pass).off('SIGTERM', pass);
  return { code, interrupted };
}

/** @throws CouldNotRun when the run ended before its reporter could write anything. */
export function readResults(): Results {
  const file = resultsFile();
  if (!existsSync(file)) throw new CouldNotRun('the run left no results: see the error above');
  return JSON.parse(readFileSync(file, 'utf8')) as Results;
}
