import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { wallClock } from '../history/recorder.ts';
import { ClientProcess, cleanEnvironment } from '../surfaces/process.ts';
import { until } from '../until.ts';
import { CouldNotRun, type Install, type LaunchContext } from './define.ts';
import { callOf, type OpencodeEvent, opencodeReader, type Permission, timeInId } from './opencode-events.ts';

const VERSION = '1.18.33';
const PLUGIN = '@opencode-ai/plugin';

export const opencodeInstall: Install = {
  name: 'opencode',
  package: 'opencode-ai',
  version: VERSION,
  scripts: ['opencode-ai'],
  bin: 'node_modules/.bin/opencode',
};

/** `opencode serve` on a workspace, with its own record of permissions and runs going to the history. */
export interface OpencodeServer {
  process: ClientProcess;
  url: string;
  version: string;
  /** Opens a conversation in the workspace and gives its id. */
  newSession(): Promise<string>;
  /** What it holds as pending now; recorded as `engine.pending`. */
  look(): Promise<void>;
  /** The pending permission of a call. */
  permissionOf(call: string): Promise<Permission | undefined>;
  /** Answers a permission over HTTP. */
  reply(permission: string, decision: 'approve' | 'deny'): Promise<{ status: number; text: string }>;
  stop(): Promise<void>;
}

/** Nobody listens here: what a client sends beyond loopback ends at once and reaches nobody. */
const NOWHERE = 'http://127.0.0.1:9';
/** One answer of the server over HTTP, ms. A request that comes too early is never answered. */
const REPLY_LIMIT = 10_000;

/**
 * Starts opencode on the scripted model with every command asked for.
 *
 * @throws CouldNotRun when it is not installed, exits, or is not ready within the limit.
 */
export async function startOpencode(context: LaunchContext): Promise<OpencodeServer> {
  const { installed, workspace } = context;
  if (!installed)
    throw new CouldNotRun('opencode is not installed', 'approval-handoff clients install opencode');
  configure(context);
  const port = await freePort();
  let listens = false;
  const server = new ClientProcess({
    title: 'opencode',
    command: join(installed, opencodeInstall.bin),
    args: ['serve', '--port', String(port), '--hostname', '127.0.0.1'],
    cwd: workspace,
    env: environment(context.home),
    output: (line) => {
      listens ||= line.includes('server listening on');
      context.output(line);
    },
  });
  const url = `http://127.0.0.1:${port}`;
  const query = `?directory=${encodeURIComponent(workspace)}`;
  const ask = async (path: string, body?: object): Promise<{ status: number; text: string }> => {
    const response = await fetch(`${url}${path}${query}`, {
      ...(body
        ? { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
        : {}),
      signal: AbortSignal.timeout(REPLY_LIMIT),
    });
    return { status: response.status, text: await response.text() };
  };
  const pending = async () => JSON.parse((await ask('/permission')).text) as Permission[];
  const streams = new AbortController();
  const stop = async () => {
    streams.abort();
    await server.stop();
  };
  try {
    await server.ready(() => listens, 'it to say that it listens', context.limits.ready);
    const { version } = JSON.parse((await ask('/global/health')).text) as { version: string };
    await follow(`${url}/event${query}`, context, streams.signal);
    return {
      process: server,
      url,
      version,
      newSession: async () => (JSON.parse((await ask('/session', {})).text) as { id: string }).id,
      look: async () => {
        const since = wallClock();
        const asks = (await pending()).map((one) => ({ ask: one.id, ...callOf(context.roles, one) }));
        context.record({ type: 'engine.pending', asks }, { since, at: wallClock() });
      },
      permissionOf: async (call) => (await pending()).find((one) => callOf(context.roles, one).call === call),
      reply: (permission, decision) =>
        ask(`/permission/${permission}/reply`, { reply: decision === 'approve' ? 'once' : 'reject' }),
      stop,
    };
  } catch (error) {
    await stop();
    if (error instanceof CouldNotRun) throw error;
    throw new CouldNotRun(`opencode did not come up: ${error}`, undefined, server.lastOutput);
  }
}

function configure({ home, modelUrl }: LaunchContext): void {
  const folder = join(home, '.config', 'opencode');
  // It fetches its plugin package unless the folder's lock file names it already. No plugin is used here.
  const dependencies = { [PLUGIN]: VERSION };
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies }));
  const lock = { lockfileVersion: 3, packages: { '': { dependencies } } };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  const model = { name: 'Scripted', tool_call: true, limit: { context: 100_000, output: 8_000 } };
  const provider = {
    npm: '@ai-sdk/openai-compatible',
    name: 'Scripted',
    options: { baseURL: `${modelUrl}/v1`, apiKey: 'sk-test' },
    models: { scripted: model },
  };
  const config = {
    autoupdate: false,
    share: 'disabled',
    permission: { bash: 'ask', edit: 'ask' },
    enabled_providers: ['scripted'],
    model: 'scripted/scripted',
    small_model: 'scripted/scripted',
    provider: { scripted: provider },
  };
  writeFileSync(join(folder, 'opencode.json'), JSON.stringify(config));
}

function environment(home: string): Record<string, string> {
  const off = ['AUTOUPDATE', 'MODELS_FETCH', 'LSP_DOWNLOAD', 'SHARE', 'DEFAULT_PLUGINS'];
  return {
    ...cleanEnvironment(home),
    ...Object.fromEntries(off.map((name) => [`OPENCODE_DISABLE_${name}`, '1'])),
    HTTP_PROXY: NOWHERE,
    HTTPS_PROXY: NOWHERE,
    npm_config_registry: NOWHERE,
  };
}

/** Asks the system for a port. opencode takes a well-known one when it is left to choose. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** Follows the server's own event stream until the signal; gives back once the stream is open. */
async function follow(url: string, context: LaunchContext, signal: AbortSignal): Promise<void> {
  const read = opencodeReader(context.roles);
  let connected = false;
  const take = (event: OpencodeEvent) => {
    connected ||= event.type === 'server.connected';
    const when = timesOf(event);
    for (const body of read(event)) context.record(body, when);
  };
  const response = await fetch(url, { signal });
  const stream = async () => {
    let rest = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const blocks = (rest + chunk).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) if (block.startsWith('data:')) take(JSON.parse(block.slice(5)));
    }
  };
  const lost = (why: string) => {
    // Said in the history, because from here on the engine is silent without meaning anything by it.
    if (!signal.aborted) context.record({ type: 'harness.note', text: `opencode's event stream ${why}` });
  };
  stream().then(
    () => lost('ended'),
    (error) => lost(`broke: ${error}`),
  );
  await until(() => connected, { what: "opencode's event stream to open", limit: context.limits.ready });
}

/** When an event happened, on the harness's clock: within the millisecond that its id names, whenever it arrived. */
function timesOf({ id }: OpencodeEvent): { at?: number; since?: number } {
  const drift = Date.now() - wallClock();
  const time = timeInId(id, Date.now());
  return time === undefined ? {} : { since: time - drift - 1, at: Math.min(wallClock(), time - drift + 1) };
}
