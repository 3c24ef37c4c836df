import type { CallRole, MessageRole } from '../history/events.ts';
import type { AskKind } from '../history/vocabulary.ts';

/** One piece of a scripted model turn, sent in order. */
export type Part =
  | { text: string }
  | { reasoning: string }
  /** A tool call. The tool's name and arguments are chosen among the tools that the request offers, by `kind`. */
  | {
      call: CallRole;
      kind: AskKind;
      input: CallInput;
      /** Gate between the two halves of the call's arguments; on a wire that sends calls whole, before the call. */
      gate?: string;
    }
  /** A call of the tool that starts a run of its own for a task; `subtask` is the text of the task. */
  | { subtask: string }
  /** Nothing more is sent until the gate of this name is opened. As the first part it holds the first byte. */
  | { gate: string }
  /** The stream ends here in the middle, without its proper end. */
  | { cut: true }
  /** As the first part: the request is answered with this HTTP status. Later: an error inside the stream. */
  | { error: { status: number; message: string } };

/** What a scripted call is about, in the neutral form from which each tool's own arguments are made. */
export interface CallInput {
  /** The call's unique token; it is part of one of the others. */
  token: string;
  command?: string;
  /** Path relative to the workspace, with `content` for edits. */
  path?: string;
  content?: string;
  question?: string;
  options?: string[];
  /** Arguments of a named MCP tool. */
  mcp?: { tool: string; arguments: Record<string, unknown> };
}

/** What the model says to one request. */
export interface Turn {
  parts: Part[];
  /** A turn that need not be asked for: it is no leftover when it is not. */
  optional?: boolean;
}

/** A gate in the model's stream: the stream waits at it until it is opened. */
export interface Gate {
  readonly name: string;
  /** Whether a stream waits at it now. */
  readonly held: boolean;
  /** Lets waiting and later streams pass. Idempotent. */
  open(): void;
}

/** The scripted provider, as the scenario uses it. */
export interface ScriptedModel {
  /** `http://127.0.0.1:<port>`, without a version path. */
  readonly url: string;
  /** Sets what is answered to the requests whose last marked message is this one; one turn per request, in order. */
  script(message: MessageRole, turns: Turn[]): void;
  gate(name: string): Gate;
  /** Requests being answered now, apart from those that wait at a gate. */
  inFlight(): number;
  /** Scripted turns that are not optional and were not asked for. */
  leftovers(): { message: MessageRole; turn: number; parts: string }[];
  /** Names of gates at which a stream still waits. */
  heldGates(): string[];
  /** Ends every connection and stops listening. */
  close(): Promise<void>;
}
