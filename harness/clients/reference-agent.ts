import { execFile } from 'node:child_process';
import { closeSync, existsSync, openSync, readSync, watch } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ClientProcess, cleanEnvironment } from '../surfaces/process.ts';
import { CouldNotRun, type FaultInfo, type LaunchContext } from './define.ts';
import { type TraceLine, traceReader } from './reference-trace.ts';

/** The bundled client as a program of its own. Nothing of it is imported: it is reached as any other client is. */
const PROGRAM = join(import.meta.dirname, '../../fixtures/reference-agent/dist/main.js');

/** A running reference agent, whichever face it shows. */
export interface ReferenceAgent {
  process: ClientProcess;
  /** Address of its page, when its face has one. */
  url: string;
  version: string;
  /** Brings the history up to date with the agent's trace. */
  readTrace(): void;
  stop(): Promise<void>;
}

/**
 * Starts the reference agent on the scripted model with everything switched to asking.
 *
 * @param face arguments that choose and set up the face
 * @throws CouldNotRun when it was not built, exits, or is not ready within the limit.
 */
export async function startReferenceAgent(context: LaunchContext, face: string[]): Promise<ReferenceAgent> {
  if (!existsSync(PROGRAM)) throw new CouldNotRun('the reference agent is not built', 'npm run build');
  const data = join(context.home, 'agent');
  const args = [
    ...['--data', data, '--workspace', context.workspace],
    ...['--base-url', context.modelUrl, '--wire', context.wire, '--model', 'scripted'],
    ...(context.fault ? ['--fault', context.fault] : []),
  ];
  let url: string | undefined;
  const agent = new ClientProcess({
    title: 'the reference agent',
    command: process.execPath,
    args: [PROGRAM, ...face, ...args],
    cwd: context.workspace,
    env: { ...cleanEnvironment(context.home), HANDOFF_AGENT_API_KEY: 'sk-test' },
    output: (line) => {
      url ??= /reference agent ready on (\S+)/.exec(line)?.[1];
      context.output(line);
    },
  });
  try {
    await agent.ready(() => url, 'it to say that it is ready', context.limits.ready);
  } catch (error) {
    await agent.stop();
    throw error;
  }
  const trace = followTrace(join(data, 'trace.jsonl'), context);
  return {
    process: agent,
    url: url ?? '',
    version: context.header.version,
    readTrace: trace.read,
    stop: async () => {
      trace.close();
      await agent.stop();
    },
  };
}

/** Reads the agent's own trace as it grows. It is the engine witness, and each line carries its own time. */
function followTrace(file: string, context: LaunchContext): { read(): void; close(): void } {
  const toEvent = traceReader(context.roles);
  let offset = 0;
  let rest = '';
  const read = () => {
    if (!existsSync(file)) return;
    const fd = openSync(file, 'r');
    const buffer = Buffer.alloc(65_536);
    for (let size = 1; size > 0; offset += size) {
      size = readSync(fd, buffer, 0, buffer.length, offset);
      rest += buffer.toString('utf8', 0, size);
    }
    closeSync(fd);
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const entry = JSON.parse(line) as TraceLine;
      const event = toEvent(entry);
      if (event) context.record(event, { at: entry.at });
    }
  };
  read();
  const watcher = watch(join(file, '..'), read);
  watcher.on('error', () => watcher.close());
  return { read, close: () => watcher.close() };
}

/** The seeded faults, as the program itself lists them. */
export async function referenceFaults(): Promise<FaultInfo[]> {
  if (!existsSync(PROGRAM)) throw new CouldNotRun('the reference agent is not built', 'npm run build');
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, '--list-faults']);
  return JSON.parse(stdout) as FaultInfo[];
}
