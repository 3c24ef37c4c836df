import { execFile } from 'node:child_process';
import { closeSync, existsSync, openSync, readSync, watch } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { CallRole } from '../history/events.ts';
import { ClientProcess, cleanEnvironment } from '../surfaces/process.ts';
import { CouldNotRun, type FaultInfo, type LaunchContext } from './define.ts';
import { type TraceLine, traceReader } from './reference-trace.ts';

/** The bundled client as a program of its own. Nothing of it is imported: it is reached as any other client is. */
const PROGRAM = join(import.meta.dirname, '../../fixtures/reference-agent/dist/main.js');

/** The canary tool as a real MCP server on stdio; the agent is its client. */
const MCP_SERVER = join(import.meta.dirname, '../../fixtures/mcp-canary/server.mjs');

/** A running reference agent, whichever face it shows. */
export interface ReferenceAgent {
  /** The process of now; a restart makes another. */
  readonly process: ClientProcess;
  /** Address of its page, when its face has one. It stays the same over restarts. */
  readonly url: string;
  version: string;
  /** The agent's own id of a call's ask, once its trace has named it. */
  askOf(call: CallRole): string | undefined;
  /** Brings the history up to date with the agent's trace. */
  readTrace(): void;
  /** Ends it with this signal to its process group, and starts it again on the same data at the same address. */
  restart(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts the reference agent on the scripted model with everything switched to asking, and as the trial needs it besides.
 *
 * @throws CouldNotRun when it was not built, exits, or is not ready within the limit.
 */
export async function startReferenceAgent(context: LaunchContext, face: string): Promise<ReferenceAgent> {
  if (!existsSync(PROGRAM)) throw new CouldNotRun('the reference agent is not built', 'npm run build');
  const data = join(context.home, 'agent');
  const asks = new Map<CallRole, string>();
  const start = async (port: string): Promise<{ process: ClientProcess; url: string }> => {
    let url: string | undefined;
    const started = new ClientProcess({
      title: 'the reference agent',
      command: process.execPath,
      args: [PROGRAM, '--face', face, '--port', port, '--data', data, ...argumentsOf(context)],
      cwd: context.workspace,
      env: { ...cleanEnvironment(context.home), HANDOFF_AGENT_API_KEY: 'sk-test' },
      output: (line) => {
        url ??= /reference agent ready on (\S+)/.exec(line)?.[1];
        context.output(line);
      },
    });
    try {
      await started.ready(() => url, 'it to say that it is ready', context.limits.ready);
    } catch (error) {
      await started.stop();
      throw error;
    }
    return { process: started, url: url ?? '' };
  };
  let now = await start('0');
  const trace = followTrace(join(data, 'trace.jsonl'), context, asks);
  return {
    get process() {
      return now.process;
    },
    get url() {
      return now.url;
    },
    version: context.header.version,
    askOf: (call) => {
      trace.read();
      return asks.get(call);
    },
    readTrace: trace.read,
    restart: async (signal) => {
      await now.process.stop(signal);
      now = await start(new URL(now.url).port);
      trace.read();
    },
    stop: async () => {
      trace.close();
      await now.process.stop();
    },
  };
}

/** How long the agent waits for an answer where the trial is that nobody gives one, ms: enough to look at the ask first. */
const ASK_TIMEOUT = 5_000;

function argumentsOf({ workspace, modelUrl, wire, fault, header }: LaunchContext): string[] {
  const { action, variant } = header;
  const queues = action === 'queued-message' || (action === 'new-message' && variant === 'queue');
  const refuses = action === 'new-message' && variant === 'refuse';
  return [
    ...['--workspace', workspace, '--base-url', modelUrl, '--wire', wire, '--model', 'scripted'],
    ...['--ask', 'command,edit,read,mcp,plan'],
    ...(queues ? ['--on-message', 'queue'] : refuses ? ['--on-message', 'refuse'] : []),
    ...(action === 'timeout' ? ['--ask-timeout', String(ASK_TIMEOUT)] : []),
    ...(header.ask === 'mcp' ? ['--mcp', `${process.execPath} ${MCP_SERVER}`] : []),
    ...(fault ? ['--fault', fault] : []),
  ];
}

/** Reads the agent's own trace as it grows. It is the engine witness, and each line carries its own time. */
function followTrace(
  file: string,
  context: LaunchContext,
  asks: Map<CallRole, string>,
): { read(): void; close(): void } {
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
      if (event?.type === 'engine.ask-opened' && event.call) asks.set(event.call, event.ask);
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
