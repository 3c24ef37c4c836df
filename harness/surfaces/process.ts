import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { until, WaitedInVain } from '../until.ts';
import { CouldNotRun } from './driver.ts';

export interface StartOptions {
  command: string;
  args: string[];
  cwd: string;
  /** The whole environment of the child: start from {@link cleanEnvironment}. */
  env: Record<string, string>;
  /** Name for messages. */
  title: string;
  /** Each line of its output, as it comes. */
  output: (line: string) => void;
  /** `pipe` when stdout is a protocol: its lines are then not taken as output. Default: `lines`. */
  stdout?: 'lines' | 'pipe';
}

const KEPT_LINES = 40;
const GRACE = 2_000;

/**
 * Nothing of the person's own environment reaches a client: no keys, no proxies, no configuration.
 *
 * @param home the client's temporary home
 */
export function cleanEnvironment(home: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    HOME: home,
    TMPDIR: process.env.TMPDIR ?? '/tmp',
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    NO_PROXY: '127.0.0.1,localhost',
  };
}

/** A client's process in a process group of its own. */
export class ClientProcess {
  readonly child: ChildProcess;
  readonly title: string;
  readonly #lines: string[] = [];
  #exit: { code: number | null; signal: NodeJS.Signals | null } | undefined;
  #failed: Error | undefined;

  constructor(options: StartOptions) {
    this.title = options.title;
    this.child = spawn(options.command, options.args, {
      cwd: options.cwd,
      env: options.env,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.child.on('error', (error) => {
      this.#failed = error;
    });
    this.child.on('exit', (code, signal) => {
      this.#exit = { code, signal };
    });
    const keep = (line: string) => {
      this.#lines.push(line);
      if (this.#lines.length > KEPT_LINES) this.#lines.shift();
      options.output(line);
    };
    const streams = options.stdout === 'pipe' ? [this.child.stderr] : [this.child.stdout, this.child.stderr];
    for (const stream of streams) if (stream) createInterface({ input: stream }).on('line', keep);
    this.child.stdin?.on('error', () => {
      // A client that has gone closes its stdin; its exit is what gets reported.
    });
  }

  /** Whether it has ended or never started. */
  get ended(): boolean {
    return this.#exit !== undefined || this.#failed !== undefined;
  }

  get lastOutput(): string {
    return this.#lines.join('\n');
  }

  /**
   * Waits until the client is ready.
   *
   * @param ready gives a value once it is
   * @param what what being ready means, in words
   * @param limit ms
   * @throws CouldNotRun when it exits first or is not ready in time; carries its last output.
   */
  async ready<T>(ready: () => T | Promise<T>, what: string, limit: number): Promise<NonNullable<T>> {
    try {
      return await until(
        async () => {
          if (this.ended) throw this.gone(`before ${what}`);
          return ready();
        },
        { what, limit },
      );
    } catch (error) {
      if (!(error instanceof WaitedInVain)) throw error;
      throw new CouldNotRun(
        `${this.title} was not ready after ${limit} ms (${what})`,
        undefined,
        this.lastOutput,
      );
    }
  }

  /** The error that tells of its end. */
  gone(when: string): CouldNotRun {
    const how = this.#failed
      ? `could not be started: ${this.#failed.message}`
      : `exited with ${this.#exit?.signal ?? `code ${this.#exit?.code}`}`;
    return new CouldNotRun(`${this.title} ${how} ${when}`, undefined, this.lastOutput);
  }

  /** Ends the whole group, SIGTERM then SIGKILL. Never throws. */
  async stop(first: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const { pid } = this.child;
    if (pid === undefined) return;
    this.child.stdin?.end();
    signalGroup(pid, first);
    try {
      await until(() => !groupAlive(pid), { what: `process group ${pid} to end`, limit: GRACE, every: 10 });
    } catch {
      signalGroup(pid, 'SIGKILL');
      await until(() => !groupAlive(pid), { what: `killed process group ${pid} to end`, limit: GRACE }).catch(
        () => {},
      );
    }
    for (const stream of [this.child.stdout, this.child.stderr, this.child.stdin]) stream?.destroy();
  }
}

function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}

/** Whether any process of the group is left. */
export const groupAlive = (pid: number): boolean => signalGroup(pid, 0);
