import { cpSync, type FSWatcher, mkdirSync, mkdtempSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallRole, EventBody, Header } from '../history/events.ts';
import type { CallInput } from '../model/script.ts';
import { commandOf, countEffects, inputOf, placeSecrets, startedCalls, tellsOfEffects } from './effects.ts';

/** The part of the machine that one hand-off may touch: a home for the client, a workspace for the agent. */
export interface World {
  /** Root of everything temporary. */
  root: string;
  home: string;
  workspace: string;
  /** The command whose effect is the canary of this call. */
  command(call: CallRole): string;
  /** What the scripted call asks for, by its kind. @throws Error when the hand-off has no such call. */
  input(call: CallRole): CallInput;
  /** How often each call's canary is there by now, zero included. */
  counts(): Partial<Record<CallRole, number>>;
  /** Looks and records what was seen: absence is only known by looking. */
  check(final?: boolean): void;
  /** From now on this call's command waits before its effect, so that one can stand in the middle of a running tool. */
  hold(call: CallRole): void;
  /** Lets a held command go on. Does nothing when it was not held. */
  letGo(call: CallRole): void;
  /** Removes everything. Never throws. */
  close(): void;
}

export interface WorldOptions {
  header: Header;
  /** Folder whose content becomes the workspace. It must hold `canary.sh`. */
  template: string;
  record: (event: EventBody) => void;
}

/**
 * Makes a fresh home and workspace under the system's temporary folder. Each effect is recorded when it appears;
 * it belongs to a call by its unique token, never by order.
 */
export function createWorld({ header, template, record }: WorldOptions): World {
  const root = mkdtempSync(join(tmpdir(), 'handoff-'));
  const [home, workspace] = [join(root, 'home'), join(root, 'workspace')];
  const { calls } = header;
  mkdirSync(home);
  cpSync(template, workspace, { recursive: true });
  placeSecrets(workspace, calls);
  const seen = new Map<CallRole, number>();
  const started = new Set<CallRole>();

  const counts = () => {
    for (const call of startedCalls(workspace, calls)) {
      if (!started.has(call)) record({ type: 'world.started', call });
      started.add(call);
    }
    const found = countEffects(workspace, calls);
    for (const [call, count] of Object.entries(found) as [CallRole, number][]) {
      // An effect that was taken back, as a restored checkpoint does, may happen again.
      if (count > (seen.get(call) ?? 0)) record({ type: 'world.effect', call, count });
      seen.set(call, count);
    }
    return found;
  };
  const watcher: FSWatcher = watch(workspace, (_event, name) => {
    if (tellsOfEffects(name)) counts();
  });
  watcher.on('error', () => watcher.close());
  const holdOf = (call: CallRole) => join(workspace, `hold-${calls[call]?.token}`);

  return {
    root,
    home,
    workspace,
    command: (call) => commandOf(calls[call]?.token ?? ''),
    input: (call) => inputOf(calls, call),
    counts,
    check: (final) => record({ type: 'world.checked', counts: counts(), ...(final ? { final } : {}) }),
    hold: (call) => writeFileSync(holdOf(call), ''),
    letGo: (call) => rmSync(holdOf(call), { force: true }),
    close: () => {
      watcher.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
