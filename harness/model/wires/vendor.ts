import { SHELL } from '../rehearsal.ts';

/** What a vendor's own SDK made of one answer. */
export interface Heard {
  text: string;
  reasoning: string;
  calls: { id: string; name: string; input: unknown }[];
  /** Number of pieces that the text came in. */
  deltas: number;
  output: number;
  finish: string;
}

/** A call and its result, to be told with the next request. */
export interface Told {
  id: string;
  name: string;
  input: unknown;
  result?: string;
}

export interface SayOptions {
  told?: Told[];
  signal?: AbortSignal;
  /** Whether a tool is offered. Default true. */
  tools?: boolean;
  /** Called with the text so far, whenever some arrives. */
  hears?: (text: string) => void;
}

/** One vendor's SDK as the client of its wire. */
export interface Vendor {
  wire: 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'gemini';
  /** Finish reasons of a turn that says something and of one that calls. */
  finish: [string, string];
  reasons: boolean;
  say(url: string, text: string, options?: SayOptions): Promise<Heard>;
  /** The same without a stream; the text only. */
  whole(url: string, text: string): Promise<Heard>;
}

/** Nothing heard yet. */
export const nothing = (): Heard => ({
  text: '',
  reasoning: '',
  calls: [],
  deltas: 0,
  output: 0,
  finish: '',
});
/** Parameters of the one tool that is offered. */
export const parameters = { ...SHELL.schema, required: [...SHELL.schema.required] };
/** Adds a piece of text. */
export const hear = (heard: Heard, text: string, hears?: SayOptions['hears']): void => {
  heard.text += text;
  heard.deltas += 1;
  hears?.(heard.text);
};
