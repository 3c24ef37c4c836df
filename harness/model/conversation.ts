/**
 * The neutral form of what a client sends to its model and of what the model answers. Every wire parses into it and
 * is encoded from it, so that nothing outside `wires/` knows a provider's shapes.
 */

/** A JSON Schema as tools carry it. Only the parts that are read here are typed. */
export interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  minimum?: number;
  nullable?: boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  $ref?: string;
  [other: string]: unknown;
}

/** A tool that the request offers. */
export interface OfferedTool {
  name: string;
  /** `function`: JSON arguments; `freeform`: plain text; `local-shell`: the provider's own shell call. */
  form: 'function' | 'freeform' | 'local-shell';
  schema?: Schema;
  /** Group that the tool belongs to, where the wire has such. */
  namespace?: string;
}

/** One thing in a conversation, in order. */
export type Item =
  | { is: 'system' | 'user' | 'assistant'; text: string }
  /** `input` is the text of the arguments. `id` is absent where the wire may leave it out. */
  | { is: 'call'; id?: string; name: string; input: string }
  | { is: 'result'; id?: string; name?: string; text: string; failed?: boolean };

/** One model request. */
export interface Conversation {
  model: string;
  stream: boolean;
  items: Item[];
  tools: OfferedTool[];
  /** Schema that the answer must follow, where the client asks for JSON. */
  answerSchema?: Schema;
  /** Whether the client wants token usage in its stream; wires that always send it leave this out. */
  wantsUsage?: boolean;
}

/** A call as it is to be sent: tool and input are chosen. */
export interface OutgoingCall {
  tool: OfferedTool;
  /** Arguments of a `function`, the text of a `freeform` tool, the command of a `local-shell`. */
  input: Record<string, unknown> | string;
}

/** Text of a call's input, as the wires carry it. */
export const inputText = (call: OutgoingCall): string =>
  typeof call.input === 'string' ? call.input : JSON.stringify(call.input);

/** Cuts a text into at most `most` pieces, so that a client has something to put together. */
export function pieces(text: string, most = 3): string[] {
  // Whole code points, because a wire must never split a surrogate pair.
  const points = [...text];
  const size = Math.max(1, Math.ceil(points.length / most));
  const cut: string[] = [];
  for (let at = 0; at < points.length; at += size) cut.push(points.slice(at, at + size).join(''));
  return cut.length > 0 ? cut : [''];
}

/** A plausible number of tokens. Nothing depends on it beyond its being positive. */
export const tokens = (text: string): number => Math.max(1, Math.ceil(text.length / 4));

/** Plausible size of a whole conversation in tokens. */
export const promptTokens = (conversation: Conversation): number =>
  tokens(conversation.items.map((item) => ('text' in item ? item.text : item.input)).join(' '));
