import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Folder of this package, from which everything bundled with it is found. */
export const packageRoot: string = join(import.meta.dirname, '..');

/** Version of this package. */
export const packageVersion: string = JSON.parse(
  readFileSync(join(packageRoot, 'package.json'), 'utf8'),
).version;

/** The workspace that the agents work on. */
export const workspaceTemplate: string = join(packageRoot, 'fixtures/workspaces/plain');

/**
 * Folder that gets the evidence of a run: `reports/out` where the command was given, or what `HANDOFF_OUT` names.
 */
export const outFolder = (): string => resolve(process.env.HANDOFF_OUT ?? 'reports/out');
