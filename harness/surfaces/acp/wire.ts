import type { AnyMessage, AnyResponse, JsonRpcId, Stream } from '@agentclientprotocol/sdk';
import { wallClock } from '../../history/recorder.ts';
import { CouldNotRun } from '../driver.ts';
import { ClientProcess, type StartOptions } from '../process.ts';
import { LineReader } from './lines.ts';

/** One line of the protocol, as it was on the pipe. */
export interface WireLine {
  /** Wall-clock ms. */
  at: number;
  from: 'agent' | 'client';
  line: string;
}

/** Sees every message in the order of the pipe, before anybody acts on it. */
export interface WireTap {
  received(message: AnyMessage): void;
  sent(message: AnyMessage): void;
  /** The connection is of no more use: the agent has gone, or it does not speak the protocol. */
  closed(why: CouldNotRun): void;
}

export interface WireOptions extends Omit<StartOptions, 'stdout'> {
  tap: WireTap;
}

/** Characters of protocol lines kept for evidence; the oldest go first. */
const KEPT_CHARACTERS = 4_000_000;
/** Longest line taken from an agent, bytes. */
const LONGEST_LINE = 8_000_000;
const SHOWN = 300;
/** How long after its exit an agent's last output is waited for, ms. */
const LAST_WORDS = 100;

/** JSON-RPC tells the ids 1 and "1" apart, so their keys differ too. */
const keyOf = (id: JsonRpcId | undefined): string => JSON.stringify(id ?? null);

/**
 * An agent on its stdio pipe. Both directions are tapped: each line is kept, and each message is shown to the tap
 * synchronously and in pipe order, which an SDK's own asynchronous handlers would not promise. What the agent may not send
 * (text that is no JSON, an answer to nothing) breaks the wire with a named error instead of being skipped.
 */
export class AcpWire {
  readonly process: ClientProcess;
  /** For the SDK's side of the connection. */
  readonly stream: Stream;
  readonly lines: WireLine[] = [];
  /** Answers of the agent to requests that were already answered or are ours to answer: how it may refuse a late answer. */
  readonly strays: AnyResponse[] = [];
  #broken: CouldNotRun | undefined;
  #kept = 0;
  #gone = false;
  #ending = false;
  readonly #tap: WireTap;
  readonly #pending = new Set<string>();
  readonly #known = new Set<string>();
  readonly #output: (line: string) => void;

  constructor({ tap, ...start }: WireOptions) {
    this.#tap = tap;
    this.#output = start.output;
    this.process = new ClientProcess({ ...start, stdout: 'pipe' });
    const { child, title } = this.process;
    let forward: ReadableStreamDefaultController<AnyMessage> | undefined;
    const finish = () => {
      try {
        forward?.close();
      } catch {
        // The SDK has closed its side already.
      }
      forward = undefined;
    };
    const reader = new LineReader(LONGEST_LINE, (line) => {
      const message = this.#take(line);
      if (message) forward?.enqueue(message);
    });
    this.stream = {
      readable: new ReadableStream<AnyMessage>({
        start: (controller) => {
          forward = controller;
        },
        cancel: () => {
          forward = undefined;
        },
      }),
      writable: new WritableStream<AnyMessage>({ write: (message) => this.send(message) }),
    };
    child.stdout?.on('data', (chunk: Buffer) => {
      if (this.#broken) return;
      if (!reader.push(chunk)) {
        this.#break(`${title} sent a line of more than ${LONGEST_LINE} bytes on stdout`, FRAMING);
      }
    });
    const gone = () => {
      if (!this.#ending) this.#leave();
      finish();
    };
    const soon = () => void setTimeout(gone, LAST_WORDS).unref();
    // `close` comes after the last output, so the error can carry what the agent said last. A process that the agent
    // left behind may hold the pipe open for ever, and an agent may live on without its stdout: then those have to do.
    child.on('close', gone);
    child.on('exit', soon);
    child.stdout?.on('end', soon);
    child.on('error', gone);
  }

  /** Why the wire is of no more use, once it is. */
  get broken(): CouldNotRun | undefined {
    return this.#broken;
  }

  /** Whether the agent has ended, as opposed to a wire broken by what it sent. */
  get gone(): boolean {
    return this.#gone;
  }

  /** @throws CouldNotRun when the wire is broken. */
  check(): void {
    if (this.#broken) throw this.#broken;
  }

  /** Writes one message as it is: also one that a well-behaved SDK would not send. */
  async send(message: AnyMessage): Promise<void> {
    this.check();
    if ('method' in message && 'id' in message) {
      this.#pending.add(keyOf(message.id));
      this.#known.add(keyOf(message.id));
    }
    const line = JSON.stringify(message);
    this.#keep('client', line);
    this.#tap.sent(message);
    this.process.child.stdin?.write(`${line}\n`);
  }

  /** Ends the agent and everything it started. Never throws. */
  async stop(): Promise<void> {
    this.#ending = true;
    await this.process.stop();
  }

  #take(line: string): AnyMessage | undefined {
    if (this.#broken || line.trim() === '') return;
    this.#keep('agent', line);
    const message = parse(line);
    if (!message) {
      this.#break(
        `${this.process.title} wrote to stdout what is no JSON-RPC message: ${shown(line)}`,
        FRAMING,
      );
      return;
    }
    if ('method' in message) {
      if ('id' in message) this.#known.add(keyOf(message.id));
      this.#tap.received(message);
      return message;
    }
    const key = keyOf(message.id);
    if (this.#pending.delete(key)) {
      this.#tap.received(message);
      return message;
    }
    // A second answer, or an error about something we sent, is evidence. Only an id that nobody ever used means
    // that the two sides are not in the same conversation.
    if (message.id === null || this.#known.has(key)) this.strays.push(message);
    else {
      const what = `${this.process.title} answered request ${key}, which was never sent: ${shown(line)}`;
      this.#break(what, 'check that nothing else writes to the agent’s stdout');
    }
    return;
  }

  #keep(from: WireLine['from'], line: string): void {
    this.lines.push({ at: wallClock(), from, line });
    this.#kept += line.length;
    while (this.#kept > KEPT_CHARACTERS && this.lines.length > 1) {
      this.#kept -= this.lines.shift()?.line.length ?? 0;
    }
    this.#output(`${from === 'agent' ? '<-' : '->'} ${shown(line)}`);
  }

  #leave(): void {
    // The first error stays the cause: an agent that sent nonsense may well leave after it.
    this.#gone ||= this.#broken === undefined;
    const { ended, title, lastOutput } = this.process;
    const closed = () =>
      new CouldNotRun(`${title} closed its stdout and goes on running`, FRAMING, lastOutput);
    this.#close(ended ? this.process.gone('and left the connection') : closed());
  }

  #break(problem: string, repair: string): void {
    this.#close(new CouldNotRun(problem, repair, this.process.lastOutput));
  }

  #close(why: CouldNotRun): void {
    if (this.#broken) return;
    this.#broken = why;
    this.#tap.closed(why);
  }
}

const FRAMING = 'start the agent in its ACP mode, with everything else it prints on stderr';

const shown = (line: string): string => (line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line);

function parse(line: string): AnyMessage | undefined {
  try {
    const value = JSON.parse(line) as unknown;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    const fits = 'method' in value || ('id' in value && ('result' in value || 'error' in value));
    return fits ? (value as AnyMessage) : undefined;
  } catch {
    return;
  }
}
