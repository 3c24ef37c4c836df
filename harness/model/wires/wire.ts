import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Wire as WireName } from '../../history/vocabulary.ts';
import type { Conversation, OutgoingCall } from '../conversation.ts';

/** An HTTP request as a wire sees it. */
export interface Incoming {
  method: string;
  /** Without the query. */
  path: string;
  headers: IncomingHttpHeaders;
  /** Parsed JSON; `undefined` when there is none. */
  body: unknown;
}

/** What a request is to a wire: a turn of the model, or a side request with its plain answer. */
export type Recognised = { as: 'turn' } | { as: 'side'; answer: unknown };

/** Puts the parts of one answer on the wire. It keeps what it was given, so it can also tell it as one whole. */
export interface Encoder {
  /** What opens the stream. */
  start(): string[];
  /** Text in pieces. Text that follows text goes on in the same block. */
  text(pieces: string[]): string[];
  reasoning(pieces: string[]): string[];
  /** A call in two halves, between which a stream can be held; a wire that sends calls whole has an empty first half. */
  call(call: OutgoingCall): { opening: string[]; closing: string[] };
  /** What ends the stream properly. */
  finish(): string[];
  /** An error inside the stream, which ends there. */
  error(status: number, message: string): string[];
  /** The whole answer as the body of a response that is not streamed. */
  whole(): unknown;
}

/** One protocol between clients and their model provider. Made afresh for every server, since one keeps state. */
export interface Wire {
  readonly name: WireName;
  /** By path and shape; `undefined` when the request is none of this wire. */
  recognise(request: Incoming): Recognised | undefined;
  /** @throws Error when the body has not the shape of this wire. */
  parse(request: Incoming): Conversation;
  encoder(conversation: Conversation): Encoder;
  /** Body of an error response. */
  error(status: number, message: string): unknown;
}

/** One server-sent event. */
export const sse = (data: unknown, event?: string): string =>
  `${event ? `event: ${event}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

/** A fresh id in a provider's style, e.g. `call_5f2c...`. */
export const freshId = (prefix: string): string => `${prefix}${randomBytes(12).toString('hex')}`;

export type Json = Record<string, unknown>;

/** A value as an object; anything else is an empty one, so that parsing need not ask at every step. */
export const object = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};

/** A value as a list of objects. */
export const objects = (value: unknown): Json[] => (Array.isArray(value) ? value.map(object) : []);

/** Text of a content that is a string or a list of parts with a text in each. */
export const textOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : objects(content)
        .map((part) => part.text ?? part.refusal)
        .filter((text) => typeof text === 'string')
        .join('\n');

/** Last segment of a path, for `GET .../models/<id>`. */
export const lastSegment = (path: string): string => decodeURIComponent(path.split('/').at(-1) ?? '');
