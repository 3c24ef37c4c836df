#!/usr/bin/env node
// Runs before `npm start` and `npm test`, with nothing installed yet: brings packages, the built reference agent and
// a browser up to date, says what it does, and does nothing when all is there.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { provideBrowser } from '../browser.mjs';

const root = join(import.meta.dirname, '../..');
const say = (/** @type {string} */ line) => console.log(`ready: ${line}`);

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`ready: Node ${process.versions.node} is too old; Handoff needs 20.19 or newer`);
  process.exit(2);
}

try {
  packages();
  linkCommand();
  execFileSync(
    process.execPath,
    [join(root, 'node_modules/tsx/dist/cli.mjs'), 'fixtures/reference-agent/build.ts'],
    {
      cwd: root,
      stdio: 'inherit',
    },
  );
  say((await provideBrowser(say)).said);
} catch (error) {
  console.error(`ready: ${error instanceof Error ? error.message : error}`);
  process.exit(2);
}

/** `npm ci` when packages are missing or were installed from another lock file. */
function packages() {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const stamp = join(root, 'node_modules', '.handoff-lock');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  say(
    existsSync(join(root, 'node_modules'))
      ? 'packages differ from the lock file: npm ci'
      : 'no packages yet: npm ci',
  );
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  writeFileSync(stamp, lock);
}

/** Lets `npx approval-handoff` find the command of this very folder. */
function linkCommand() {
  const link = join(root, 'node_modules/.bin/approval-handoff');
  if (existsSync(link) || process.platform === 'win32') return;
  mkdirSync(join(root, 'node_modules/.bin'), { recursive: true });
  symlinkSync('../../harness/cli/bin.mjs', link);
}
