import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { CouldNotRun, type Install } from './define.ts';
import {
  clientsFolder,
  installClient,
  installedAt,
  listInstalled,
  removeClient,
  requireInstalled,
} from './install.ts';

let root: string;
const said: string[] = [];
const say = (line: string) => void said.push(line);

test.beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'install-test-'));
  process.env.HANDOFF_CLIENTS_DIR = join(root, 'clients');
  said.length = 0;
});

test.afterEach(() => {
  delete process.env.HANDOFF_CLIENTS_DIR;
  rmSync(root, { recursive: true, force: true });
});

/** A package of its own, whose install script leaves a mark where it ran. */
function makePackage(name: string, script = 'node mark.js'): string {
  const folder = join(root, name);
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name, version: '1.2.3', bin: { [name]: 'run.js' }, scripts: { postinstall: script } }),
  );
  writeFileSync(join(folder, 'run.js'), '#!/usr/bin/env node\n');
  writeFileSync(join(folder, 'mark.js'), "require('node:fs').writeFileSync('marked', '')\n");
  return folder;
}

const tool = (more: Partial<Install> = {}): Install => ({
  name: 'tool',
  package: 'made-up-tool',
  version: '1.2.3',
  bin: 'node_modules/.bin/made-up-tool',
  ...more,
});

test('installs a client, lists it and removes it', async () => {
  const from = makePackage('made-up-tool');
  expect(installedAt(tool())).toBeUndefined();
  const folder = await installClient(tool(), { say, from });
  expect(folder).toBe(join(clientsFolder(), 'tool@1.2.3'));
  expect(requireInstalled(tool())).toBe(folder);
  expect(listInstalled()).toEqual([{ name: 'tool', version: '1.2.3', folder }]);
  expect(readdirSync(clientsFolder())).toEqual(['tool@1.2.3']);
  expect(said.at(0)).toContain('fetching made-up-tool 1.2.3');
  expect(said.at(-1)).toContain('is ready');

  await installClient(tool(), { say, from: '/nowhere' });
  expect(said.at(-1)).toContain('already installed');

  await removeClient(tool());
  expect(installedAt(tool())).toBeUndefined();
  expect(listInstalled()).toEqual([]);
  await removeClient(tool());
});

test('runs the install scripts that the client names, and no other', async () => {
  const from = makePackage('made-up-tool');
  const other = makePackage('made-up-other');
  const install = tool({ scripts: ['made-up-tool'], also: [`made-up-other@file:${other}`] });
  const folder = await installClient(install, { say, from });
  expect(existsSync(join(folder, 'node_modules/made-up-tool/marked'))).toBe(true);
  expect(existsSync(join(folder, 'node_modules/made-up-other/run.js'))).toBe(true);
  expect(existsSync(join(folder, 'node_modules/made-up-other/marked'))).toBe(false);
});

test('leaves nothing behind when an install script fails, and shows what it said', async () => {
  const from = makePackage('made-up-tool', `node -e "console.error('no compiler here'); process.exit(3)"`);
  const failed = installClient(tool({ scripts: ['made-up-tool'] }), { say, from });
  await expect(failed).rejects.toThrow(/npm rebuild failed for made-up-tool@1\.2\.3[\s\S]*no compiler here/);
  await expect(failed).rejects.toBeInstanceOf(CouldNotRun);
  expect(readdirSync(clientsFolder())).toEqual([]);
});

test('says so when a package does not bring its program', async () => {
  const from = makePackage('made-up-tool');
  const failed = installClient(tool({ bin: 'node_modules/.bin/elsewhere' }), { say, from });
  await expect(failed).rejects.toThrow('brings no node_modules/.bin/elsewhere');
  expect(listInstalled()).toEqual([]);
});

test('names the repair when the registry cannot be reached', async () => {
  process.env.npm_config_registry = 'http://127.0.0.1:9/';
  try {
    const failed = installClient(tool({ package: '@made-up/unreachable' }), { say });
    await expect(failed).rejects.toThrow(/registry cannot be reached.*\n.*clients install tool/);
  } finally {
    delete process.env.npm_config_registry;
  }
});

test('names the install command when a client is missing', () => {
  expect(() => requireInstalled(tool())).toThrow(/tool 1\.2\.3 is not installed\n.*clients install tool/);
});

test('makes two installers wait for each other', async () => {
  const from = makePackage('made-up-tool');
  const folders = await Promise.all([
    installClient(tool(), { say, from }),
    installClient(tool(), { say, from }),
  ]);
  expect(folders[0]).toBe(folders[1]);
  expect(said.filter((line) => line.startsWith('fetching'))).toHaveLength(1);
  expect(said.some((line) => line.includes('waiting for it'))).toBe(true);
});

test('takes over the lock and the half-made folder of an installer that died', async () => {
  const from = makePackage('made-up-tool');
  const half = join(clientsFolder(), '.tool@1.2.3.partial');
  mkdirSync(half, { recursive: true });
  writeFileSync(join(half, 'package.json'), 'half written');
  // No process has this number: it is above the highest that Linux and macOS give.
  writeFileSync(join(clientsFolder(), '.tool@1.2.3.lock'), '4194305');
  await installClient(tool(), { say, from });
  expect(readdirSync(clientsFolder())).toEqual(['tool@1.2.3']);
});
