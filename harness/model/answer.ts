import type { ServerResponse } from 'node:http';
import type { CallRole, EventBody } from '../history/events.ts';
import { type OutgoingCall, pieces } from './conversation.ts';
import type { Gates } from './gates.ts';
import type { Part } from './script.ts';
import type { Encoder, Wire } from './wires/index.ts';

/** A part whose tool call has already been chosen. */
export type Prepared = Part & { outgoing?: OutgoingCall };

/** How one answer is given. */
export interface AnswerOptions {
  request: number;
  wire: Wire;
  encoder: Encoder;
  stream: boolean;
  gates: Gates;
  record: (body: EventBody) => void;
  /** Side requests leave nothing but their request and their end in the journal. */
  silent?: boolean;
}

/**
 * One HTTP response in the making. It knows when the client closes it, at once, also while it is held at a gate and
 * before its first byte.
 */
export class Answer {
  readonly #response: ServerResponse;
  readonly #record: (body: EventBody) => void;
  readonly #request: number;
  readonly #closed = new AbortController();
  #ended = false;

  constructor(response: ServerResponse, request: number, record: (body: EventBody) => void) {
    this.#response = response;
    this.#record = record;
    this.#request = request;
    response.on('close', () => this.#end('client'));
    // A write to a connection that the client has closed; its closing is journalled above.
    response.on('error', () => {});
    if (response.destroyed) this.#end('client');
  }

  get over(): boolean {
    return this.#ended;
  }

  /** Answers with one JSON body. */
  json(status: number, body: unknown, by: 'complete' | 'server' = 'complete'): void {
    if (this.over) return;
    // The end is journalled first: the client may act on the bytes before this process goes on.
    this.#end(by);
    // Clients are told not to try again, or an unscripted request would show up as several.
    const headers = {
      'content-type': 'application/json',
      ...(status === 400 ? { 'x-should-retry': 'false' } : {}),
    };
    this.#response.writeHead(status, headers).end(JSON.stringify(body));
  }

  /** Cuts the connection. */
  cut(): void {
    if (this.over) return;
    this.#end('server');
    this.#response.destroy();
  }

  /** Plays the parts of a turn in order, to their end or to wherever the script or the client ends it. */
  async play(parts: Prepared[], options: AnswerOptions): Promise<void> {
    const { encoder, wire, stream } = options;
    for (const part of parts) {
      if (this.over) return;
      // Calls first: a call may name a gate of its own.
      if ('call' in part || 'subtask' in part) {
        await this.#call(part, options);
      } else if ('gate' in part) {
        await this.#hold(part.gate, options.gates);
      } else if ('error' in part) {
        this.#fail(part.error, wire, encoder);
      } else if ('cut' in part) {
        this.cut();
      } else {
        if (!options.silent) this.#record({ type: 'model.sent', request: this.#request, what: 'text' });
        const frames =
          'text' in part ? encoder.text(pieces(part.text)) : encoder.reasoning(pieces(part.reasoning));
        await this.#send(frames, options);
      }
    }
    if (this.over) return;
    if (!stream) {
      this.json(200, encoder.whole());
      return;
    }
    this.#open(encoder);
    this.#end('complete');
    this.#response.end(encoder.finish().join(''));
  }

  /** A call is journalled when its last piece is sent: before that no client can act on it. */
  async #call(
    part: Extract<Prepared, { call: CallRole } | { subtask: string }>,
    options: AnswerOptions,
  ): Promise<void> {
    const call = 'call' in part ? part.call : undefined;
    const gate = 'call' in part ? part.gate : undefined;
    if (!part.outgoing) throw new Error(`call ${call ?? part} was played before its tool was chosen`);
    const { opening, closing } = options.encoder.call(part.outgoing);
    await this.#send(opening, options);
    if (gate) await this.#hold(gate, options.gates);
    if (this.over) return;
    this.#record({ type: 'model.sent', request: this.#request, what: 'call', ...(call ? { call } : {}) });
    await this.#send(closing, options);
  }

  async #hold(name: string, gates: Gates): Promise<void> {
    const gate = gates.gate(name);
    if (gate.opened || this.over) return;
    // Waiting begins before it is journalled, so that whoever reads the journal finds the gate held.
    const passed = gate.wait(this.#closed.signal);
    this.#record({ type: 'model.sent', request: this.#request, what: 'held', gate: name });
    await passed;
    if (!this.over)
      this.#record({ type: 'model.sent', request: this.#request, what: 'released', gate: name });
  }

  #fail({ status, message }: { status: number; message: string }, wire: Wire, encoder: Encoder): void {
    this.#record({ type: 'model.sent', request: this.#request, what: 'error' });
    if (!this.#response.headersSent) {
      this.json(status, wire.error(status, message), 'server');
      return;
    }
    this.#end('server');
    this.#response.end(encoder.error(status, message).join(''));
  }

  /** Sends the headers and what opens the stream, once. Until then nothing at all has been sent. */
  #open(encoder: Encoder): void {
    if (this.#response.headersSent) return;
    this.#response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    for (const frame of encoder.start()) this.#response.write(frame);
  }

  /** Writes frames one by one and waits until they have left, so that a cut or a gate after them comes after them. */
  async #send(frames: string[], { encoder, stream }: AnswerOptions): Promise<void> {
    if (!stream || this.over || frames.length === 0) return;
    this.#open(encoder);
    await new Promise<void>((resolve) => {
      const left = () => {
        this.#closed.signal.removeEventListener('abort', left);
        resolve();
      };
      this.#closed.signal.addEventListener('abort', left);
      frames.forEach((frame, at) => {
        this.#response.write(frame, at === frames.length - 1 ? left : undefined);
      });
    });
  }

  #end(by: 'complete' | 'client' | 'server'): void {
    if (this.#ended) return;
    this.#ended = true;
    // The gates let go first, so that whoever reads of the end in the journal finds none held.
    this.#closed.abort();
    this.#record({ type: 'model.ended', request: this.#request, by });
  }
}
