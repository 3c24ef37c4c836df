import {
  cpSync,
  existsSync,
  type FSWatcher,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  watch,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallRole, EventBody, Header } from '../history/events.ts';

/** The part of the machine that one hand-off may touch: a home for the client, a workspace for the agent. */
export interface World {
  /** Root of everything temporary. */
  root: string;
  home: string;
  workspace: string;
  /** The command whose effect is the canary of this call. */
  command(call: CallRole): string;
  /** How often each call's canary has been written by now, zero included. */
  counts(): Partial<Record<CallRole, number>>;
  /** Looks and records what was seen: absence is only known by looking. */
  check(final?: boolean): void;
  /** Removes everything. Never throws. */
  close(): void;
}

const LOG = 'canaries.log';

export interface WorldOptions {
  header: Header;
  /** Folder whose content becomes the workspace. It must hold `canary.sh`. */
  template: string;
  record: (event: EventBody) => void;
}

/**
 * Makes a fresh home and workspace under the system's temporary folder. Each effect is recorded when its line appears;
 * it belongs to a call by the unique token in the line, never by order.
 */
export function createWorld({ header, template, record }: WorldOptions): World {
  const root = mkdtempSync(join(tmpdir(), 'handoff-'));
  const [home, workspace] = [join(root, 'home'), join(root, 'workspace')];
  mkdirSync(home);
  cpSync(template, workspace, { recursive: true });
  const log = join(workspace, LOG);
  const seen = new Map<CallRole, number>();
  const calls = Object.entries(header.calls) as [CallRole, { token: string }][];

  const counts = () => {
    const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n') : [];
    const found: Partial<Record<CallRole, number>> = {};
    for (const [call, { token }] of calls) {
      const count = lines.filter((line) => line === token).length;
      found[call] = count;
      if (count > (seen.get(call) ?? 0)) {
        seen.set(call, count);
        record({ type: 'world.effect', call, count });
      }
    }
    return found;
  };
  const watcher: FSWatcher = watch(workspace, (_event, name) => {
    if (name === LOG) counts();
  });
  watcher.on('error', () => watcher.close());

  return {
    root,
    home,
    workspace,
    command: (call) => `sh canary.sh ${header.calls[call]?.token ?? ''}`,
    counts,
    check: (final) => record({ type: 'world.checked', counts: counts(), ...(final ? { final } : {}) }),
    close: () => {
      watcher.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
