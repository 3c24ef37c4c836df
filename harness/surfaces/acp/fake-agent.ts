import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HandoffEvent, Header } from '../../history/events.ts';
import { Recorder } from '../../history/recorder.ts';
import { rolesOf } from '../../history/roles.ts';
import { headerOf } from '../../history/trial.ts';
import type { Driver, LaunchContext, Message } from '../driver.ts';
import { acpDriver } from './driver.ts';

/**
 * The program of a small agent, for tests of the surface. Each prompt asks for the permission of one call that carries the
 * prompt's text; a prompt with "plain" in it is only answered. `MODE` names one thing it does otherwise.
 */
const PROGRAM = `
import { createInterface } from 'node:readline';
const mode = process.env.MODE;
const send = (m) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...m }) + '\\n');
const update = (sessionId, update) => send({ method: 'session/update', params: { sessionId, update } });
if (mode === 'exits') { console.error('no key was given'); process.exit(3); }
if (mode === 'flood') for (;;) await new Promise((r) => process.stdout.write('x'.repeat(1e6), r));
if (mode === 'chatter') for (;;) await new Promise((r) => process.stdout.write('{"jsonrpc":"2.0","method":"x"}\\n', r));
if (mode === 'stderr-flood') for (let i = 0; i < 20000; i++) console.error('line ' + i);
if (mode === 'closes-stdout') { process.stdout.end(); setInterval(() => {}, 1000); await new Promise(() => {}); }
if (mode === 'stubborn') { process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); }
let ids = 0, session = 0;
const turns = [];
const asked = new Map();
const end = (turn, stopReason) => { if (!turn.over) { turn.over = true; send({ id: turn.id, result: { stopReason } }); } };
const on = {
  initialize: (id) => {
    if (mode === 'garbage') process.stdout.write('Welcome to the agent!\\n');
    if (mode === 'unknown-id') send({ id: 99, result: {} });
    if (mode === 'silent') return;
    const protocolVersion = mode === 'other-version' ? 7 : 1;
    send({ id, result: { protocolVersion, agentInfo: { name: 'fake', version: '1.2.3' }, agentCapabilities: {} } });
  },
  authenticate: (id) => send({ id, error: { code: -32000, message: 'the key is wrong' } }),
  'session/new': (id) => send({ id, result: { sessionId: 's' + ++session } }),
  'session/close': (id, { sessionId }) => { cancel(sessionId); send({ id, result: {} }); },
  'session/prompt': (id, { sessionId, prompt }) => {
    for (const old of turns.filter((t) => !t.over && t.sessionId === sessionId)) supersede(old);
    const text = prompt[0].text;
    const turn = { id, sessionId, tool: 'call_' + (mode === 'same-ids' ? 1 : id) };
    turns.push(turn);
    if (text.includes('plain')) return end(turn, 'end_turn');
    update(sessionId, { sessionUpdate: 'tool_call', toolCallId: turn.tool, title: text, kind: 'execute', status: 'pending' });
    turn.ask = ids++;
    asked.set(turn.ask, turn);
    send({ id: turn.ask, method: 'session/request_permission', params: { sessionId, toolCall: { toolCallId: turn.tool }, options: [
      { optionId: 'always', name: 'Always', kind: 'allow_always' }, { optionId: 'once', name: 'Allow', kind: 'allow_once' },
      { optionId: 'no', name: 'Reject', kind: 'reject_once' } ] } });
  },
  'session/cancel': (_id, { sessionId }) => cancel(sessionId),
};
function cancel(sessionId) {
  if (mode === 'dies-on-cancel') { console.error('assertion failed'); process.exit(1); }
  if (mode === 'garbage-on-cancel') process.stdout.write('oops\\n');
  for (const turn of turns) if (turn.sessionId === sessionId && mode === 'ends-before-answer') end(turn, 'cancelled');
}
function supersede(turn) {
  if (mode === 'withdraws') send({ method: '$/cancel_request', params: { requestId: turn.ask } });
  if (mode === 'fails-the-call') fail(turn);
  if (mode === 'ends-before-answer') end(turn, 'cancelled');
}
const fail = (turn) => update(turn.sessionId, { sessionUpdate: 'tool_call_update', toolCallId: turn.tool, status: 'failed' });
function answered(id, { outcome }) {
  const turn = asked.get(id);
  if (!turn || turn.answered) {
    if (mode === 'refuses-late') send({ id, error: { code: -32602, message: 'this request is over' } });
    if (mode === 'runs-late' && turn) update(turn.sessionId, { sessionUpdate: 'tool_call_update', toolCallId: turn.tool, status: 'completed' });
    return;
  }
  turn.answered = true;
  if (outcome.outcome === 'cancelled') return mode === 'ignores-cancelled' ? undefined : end(turn, 'cancelled');
  if (outcome.optionId === 'once') {
    update(turn.sessionId, { sessionUpdate: 'tool_call_update', toolCallId: turn.tool, status: 'in_progress' });
    const content = [{ type: 'content', content: { type: 'text', text: mode === 'never-ran' ? 'Command cancelled by user.' : 'done' } }];
    update(turn.sessionId, { sessionUpdate: 'tool_call_update', toolCallId: turn.tool, status: 'completed', content });
  } else fail(turn);
  end(turn, 'end_turn');
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const m = JSON.parse(line);
  if (!m.method) return m.result && answered(m.id, m.result);
  if (on[m.method]) return on[m.method](m.id, m.params);
  if ('id' in m) send({ id: m.id, error: { code: -32601, message: 'no such method' } });
});
`;

/** A launched fake agent, and what the history has of it. */
export interface Trial {
  driver: Driver;
  header: Header;
  say(role: 'A' | 'B' | 'C', plain?: boolean): Message;
  /** Recorded events in short: type, then what tells them apart. */
  told(...types: HandoffEvent['type'][]): string[];
  recorder: Recorder;
  output: string[];
  /** Process id of the agent, which is also its group. */
  pid(): number;
}

export interface FakeOptions {
  authenticate?: string;
  command?: string;
  /** Limit to be ready, ms. */
  ready?: number;
  /** Gets the events also of a launch that fails. */
  output?: string[];
}

/** Starts the fake agent in a mode. @throws CouldNotRun as `acpDriver` does. */
export async function fakeTrial(mode = '', options: FakeOptions = {}): Promise<Trial> {
  const folder = mkdtempSync(join(tmpdir(), 'handoff-fake-'));
  const program = join(folder, 'agent.mjs');
  writeFileSync(program, `console.error('pid', process.pid);\n${PROGRAM}`);
  const header = headerOf({ client: 'fake-acp', action: 'stop' }, { surface: 'acp', treatment: 'settle' });
  const recorder = new Recorder(header, join(folder, 'history.jsonl'));
  const output = options.output ?? [];
  const context: Partial<LaunchContext> = {
    home: folder,
    workspace: folder,
    header,
    roles: rolesOf(header),
    record: recorder.record,
    limits: { ready: options.ready ?? 5_000 },
    output: (line) => void output.push(line),
  };
  const tidy = () => {
    recorder.end('complete');
    rmSync(folder, { recursive: true, force: true });
  };
  const driver = await acpDriver(context as LaunchContext, {
    title: 'fake agent',
    command: options.command ?? process.execPath,
    args: [program],
    env: { MODE: mode },
    ...(options.authenticate ? { authenticate: options.authenticate } : {}),
  }).catch((error: unknown) => {
    tidy();
    throw error;
  });
  const { close } = driver;
  driver.close = () => close().finally(tidy);
  return {
    driver,
    header,
    recorder,
    output,
    pid: () => pidIn(output),
    say: (role, plain) => {
      const token = header.calls[role]?.token;
      return { role, text: `${header.messages[role]?.marker} ${plain ? 'plain' : `run ${token}`}` };
    },
    told: (...types) =>
      recorder.history.events.filter((event) => types.includes(event.type)).map((event) => short(event)),
  };
}

/** The process id that the agent wrote to its stderr. */
export const pidIn = (output: string[]): number =>
  Number(output.find((line) => line.startsWith('pid '))?.slice(4));

function short(event: HandoffEvent): string {
  const words = [event.type.split('.')[1]];
  if ('call' in event && event.call) words.push(event.call);
  if ('message' in event && event.message) words.push(event.message);
  if ('outcome' in event && event.outcome) words.push(event.outcome);
  if ('by' in event && event.by) words.push(`by ${event.by}`);
  if ('reason' in event && event.reason) words.push(`(${event.reason})`);
  return words.join(' ');
}
