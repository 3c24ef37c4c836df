import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { CouldNotRun, type Install } from './define.ts';
import { withLock } from './install-lock.ts';

export interface InstallOptions {
  /** Gets each line of progress. */
  say: (line: string) => void;
  /** A local folder or tarball to take the client's package from instead of the registry, e.g. a maintainer's build. */
  from?: string;
}

/** Name of the folder in which a client is made ready before it gets its own name. Never taken for an install. */
const PARTIAL = '.partial';
/** A sign of life this often while npm says nothing, ms. */
const STILL_AT_IT = 15_000;
const KEPT_LINES = 15;

/** Folder of all installed clients: `HANDOFF_CLIENTS_DIR`, or `approval-handoff/clients` in the person's cache folder. */
export function clientsFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env.HANDOFF_CLIENTS_DIR) return resolve(env.HANDOFF_CLIENTS_DIR);
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'approval-handoff', 'clients');
}

const labelOf = ({ name, version }: Pick<Install, 'name' | 'version'>): string => `${name}@${version}`;
const folderOf = (install: Install): string => join(clientsFolder(), labelOf(install));

/** The folder that a client is installed in, or nothing. */
export function installedAt(install: Install): string | undefined {
  const folder = folderOf(install);
  return existsSync(join(folder, install.bin)) ? folder : undefined;
}

/** @throws CouldNotRun with the command that installs it. */
export function requireInstalled(install: Install): string {
  const folder = installedAt(install);
  if (folder) return folder;
  throw new CouldNotRun(
    `${install.name} ${install.version} is not installed`,
    `approval-handoff clients install ${install.name}`,
  );
}

/** Every installed client, other versions than the pinned ones included. */
export function listInstalled(): { name: string; version: string; folder: string }[] {
  const root = clientsFolder();
  if (!existsSync(root)) return [];
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name.lastIndexOf('@') > 0)
    .map(({ name: label }) => {
      const at = label.lastIndexOf('@');
      return { name: label.slice(0, at), version: label.slice(at + 1), folder: join(root, label) };
    });
}

/**
 * Installs a client at its pinned version into a folder of its own and gives that folder. It appears under its name only
 * when it is whole; of all install scripts only those that the client names are run; two installers wait for each other.
 *
 * @throws CouldNotRun when npm is missing, the network or the version is not to be had, or a script fails.
 */
export async function installClient(install: Install, { say, from }: InstallOptions): Promise<string> {
  const label = `${install.package} ${install.version}`;
  return locked(install, say, async () => {
    const there = installedAt(install);
    if (there) {
      say(`${label} is already installed in ${there}`);
      return there;
    }
    const folder = folderOf(install);
    const partial = join(clientsFolder(), `.${labelOf(install)}${PARTIAL}`);
    // Left by an installer that was ended half-way: the lock is ours, so nobody works on it.
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(partial);
    const began = performance.now();
    try {
      say(`fetching ${label} into ${folder}`);
      writeFileSync(join(partial, 'package.json'), JSON.stringify(manifestOf(install, from), null, 2));
      // Old npm versions would run every script, new ones none: with this, all of them run none.
      const quietly = ['--ignore-scripts', '--no-audit', '--no-fund', '--install-links', '--loglevel=error'];
      const patience = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=60000'];
      await npm(install, partial, ['install', ...quietly, ...patience], say);
      for (const script of install.scripts ?? []) {
        say(`running the install script of ${script}`);
        await npm(
          install,
          partial,
          ['rebuild', script, '--ignore-scripts=false', '--foreground-scripts'],
          say,
        );
      }
      if (!existsSync(join(partial, install.bin))) {
        throw new CouldNotRun(`${label} was installed but brings no ${install.bin}`);
      }
      rmSync(folder, { recursive: true, force: true });
      renameSync(partial, folder);
    } catch (error) {
      rmSync(partial, { recursive: true, force: true });
      throw error;
    }
    say(`${label} is ready (${Math.round((performance.now() - began) / 1000)} s)`);
    return folder;
  });
}

/** Removes an installed client; nothing happens when it is not there. */
export async function removeClient(install: Install): Promise<void> {
  if (!existsSync(folderOf(install))) return;
  await locked(
    install,
    () => {},
    async () => {
      // Renamed first: what is half removed is never taken for an install.
      const going = join(clientsFolder(), `.${labelOf(install)}${PARTIAL}`);
      rmSync(going, { recursive: true, force: true });
      renameSync(folderOf(install), going);
      rmSync(going, { recursive: true, force: true });
    },
  );
}

async function locked<T>(install: Install, say: InstallOptions['say'], work: () => Promise<T>): Promise<T> {
  const root = clientsFolder();
  try {
    mkdirSync(root, { recursive: true });
  } catch (error) {
    throw new CouldNotRun(
      `the folder for clients cannot be made: ${(error as Error).message}`,
      'set HANDOFF_CLIENTS_DIR to a folder that can be written',
    );
  }
  return withLock(join(root, `.${labelOf(install)}.lock`), `installing ${install.name}`, say, work);
}

/** What npm is to install. The packages whose scripts are wanted are named, for npm versions that ask for consent. */
function manifestOf(install: Install, from: string | undefined): object {
  const also = (install.also ?? []).map((spec) => {
    const at = spec.indexOf('@', 1);
    return [spec.slice(0, at), spec.slice(at + 1)];
  });
  return {
    private: true,
    description: `${install.name}, installed by approval-handoff`,
    dependencies: {
      [install.package]: from ? `file:${resolve(from)}` : install.version,
      ...Object.fromEntries(also),
    },
    allowScripts: Object.fromEntries((install.scripts ?? []).map((name) => [name, true])),
  };
}

async function npm(install: Install, cwd: string, args: string[], say: InstallOptions['say']): Promise<void> {
  const began = performance.now();
  const alive = setInterval(() => {
    say(`  still at it (npm ${args[0]}, ${Math.round((performance.now() - began) / 1000)} s)`);
  }, STILL_AT_IT);
  const { exitCode, all, code } = await execa('npm', [...args, '--global=false', '--prefix', cwd], {
    cwd,
    all: true,
    reject: false,
    stdin: 'ignore',
  }).finally(() => clearInterval(alive));
  if (exitCode === 0) return;
  if (code === 'ENOENT') throw new CouldNotRun('npm is not on the PATH', 'install Node with npm');
  throw whyNot(install, args[0] ?? '', all);
}

/** Turns npm's own complaint into what is wrong and what helps. */
function whyNot(install: Install, command: string, output: string): CouldNotRun {
  const last = output.trim().split('\n').slice(-KEPT_LINES).join('\n');
  const what = `${install.package}@${install.version}`;
  const again = `approval-handoff clients install ${install.name}`;
  if (/\b(E404|ETARGET|ENOVERSIONS)\b/.test(output)) {
    return new CouldNotRun(
      `${what} or a package that it needs is not to be had from the npm registry`,
      'check the registry that npm is set to (npm config get registry)',
      last,
    );
  }
  if (/\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH)\b/.test(output)) {
    return new CouldNotRun(
      `the npm registry cannot be reached for ${what}`,
      `check the network and the proxy settings, then: ${again}`,
      last,
    );
  }
  if (/\bENOSPC\b/.test(output)) {
    return new CouldNotRun(
      `the disk is full: ${what} does not fit into ${clientsFolder()}`,
      'free space, or set HANDOFF_CLIENTS_DIR',
      last,
    );
  }
  return new CouldNotRun(`npm ${command} failed for ${what}`, undefined, last);
}
