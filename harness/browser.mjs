// Which browser the hand-offs run in. Plain JavaScript without dependencies at load time, because the pre-step that
// installs the packages uses it as well.
import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/** Environment variable with an explicit path. */
export const BROWSER_VARIABLE = 'HANDOFF_BROWSER';

/** Programs looked for on the system, the leanest first: the headless shell needs less than half the CPU. */
const ON_THE_PATH = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'msedge',
];
const ELSEWHERE = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

const QUIET = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
];

/**
 * @typedef {{ said: string, launchOptions: { executablePath?: string, args: string[] } }} Choice
 */

/** @param {string} path */
function runnable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The path of Playwright's own browser, when it has been downloaded. */
async function playwrightsOwn() {
  const { chromium } = await import('@playwright/test').catch(() => ({ chromium: undefined }));
  if (!chromium) return undefined;
  const full = chromium.executablePath();
  if (existsSync(full)) return full;
  // Headless runs may have been given the shell alone: `chromium_headless_shell-N` beside `chromium-N`.
  const build = /^(.*)[\\/]chromium-(\d+)[\\/]/.exec(full);
  const folder = build ? join(build[1] ?? '', `chromium_headless_shell-${build[2]}`) : undefined;
  return folder && existsSync(folder) && readdirSync(folder).length > 0 ? folder : undefined;
}

function onTheSystem() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  for (const name of ON_THE_PATH)
    for (const folder of folders) {
      const path = join(folder, process.platform === 'win32' ? `${name}.exe` : name);
      if (runnable(path)) return path;
    }
  return ELSEWHERE.find(runnable);
}

/**
 * Finds a browser: an explicit path, Playwright's own, then one of the system.
 *
 * @returns {Promise<Choice | undefined>} nothing when there is none
 */
export async function findBrowser() {
  // Chromium's own sandbox cannot work for root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox', ...QUIET] : QUIET;
  const explicit = process.env[BROWSER_VARIABLE];
  if (explicit) {
    if (!runnable(explicit))
      throw couldNotRun(`${BROWSER_VARIABLE} names ${explicit}, which is no program that can be run`);
    return {
      said: `browser: ${explicit} (${BROWSER_VARIABLE})`,
      launchOptions: { executablePath: explicit, args },
    };
  }
  const own = await playwrightsOwn();
  if (own) return { said: `browser: Playwright's own`, launchOptions: { args } };
  const system = onTheSystem();
  if (system)
    return {
      said: `browser: ${system} (found on this system)`,
      launchOptions: { executablePath: system, args },
    };
  return undefined;
}

/**
 * An error that is told in one line: something is missing.
 *
 * @param {string} message
 */
function couldNotRun(message) {
  return Object.assign(new Error(message), { name: 'CouldNotRun' });
}

/** What to run when there is no browser. */
export const NO_BROWSER = `no browser found: run \`npx playwright install chromium-headless-shell\`, or install Chromium or Chrome, or name one in ${BROWSER_VARIABLE}`;

/**
 * Like {@link findBrowser}, for those who only launch: without a browser, Playwright's own error will say what is missing.
 *
 * @returns {Promise<Choice>}
 */
export async function chooseBrowser() {
  return (await findBrowser()) ?? { said: NO_BROWSER, launchOptions: { args: QUIET } };
}

/**
 * Sees to a browser: what is there, else Playwright's download, else Debian's package.
 *
 * @param {(line: string) => void} say
 * @returns {Promise<Choice>}
 * @throws {Error} when none can be had; the message says what to run.
 */
export async function provideBrowser(say) {
  const found = await findBrowser();
  if (found) return found;
  say('no browser found; trying `playwright install chromium-headless-shell`');
  const cli = join(dirname(import.meta.dirname), 'node_modules', '@playwright', 'test', 'cli.js');
  attempt(process.execPath, [cli, 'install', 'chromium-headless-shell'], 180_000);
  const downloaded = await findBrowser();
  if (downloaded) return downloaded;
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
    say('it could not be downloaded; trying `apt-get install chromium-headless-shell`');
    attempt('apt-get', ['update', '-qq'], 120_000);
    attempt(
      'apt-get',
      ['install', '-y', '-qq', '--no-install-recommends', 'chromium-headless-shell'],
      300_000,
    );
  }
  const installed = await findBrowser();
  if (installed) return installed;
  throw couldNotRun(NO_BROWSER);
}

/** @param {string} program @param {string[]} args @param {number} limit */
function attempt(program, args, limit) {
  try {
    execFileSync(program, args, { stdio: 'ignore', timeout: limit });
  } catch {
    // Whether it worked is seen by looking for the browser again.
  }
}
