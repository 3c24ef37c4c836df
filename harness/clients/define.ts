import type { AnswerRoute, CallRole, EventBody, Header, MessageRole, ScreenState } from '../history/events.ts';
import type { Roles } from '../history/roles.ts';
import type { ActionName, AskKind, Surface, Treatment, Wire } from '../history/vocabulary.ts';
import type { Browser } from '@playwright/test';

/** How a client treats one action, as its profile declares; checked by every hand-off. */
export type Offer =
  | { treatment: Treatment }
  /** The client has no such action. The reason is shown. */
  | { notOffered: string };

/** How a client is got. Several clients may share one. */
export interface Install {
  /** Name on the command line: `approval-handoff clients install <name>`. */
  name: string;
  /** npm package and its pinned version. */
  package: string;
  version: string;
  /** Packages whose install scripts npm's guard leaves out and this client needs. */
  scripts?: string[];
  /** Packages installed beside it, `name@version`. */
  also?: string[];
  /** Path of the program inside the install folder, e.g. `node_modules/.bin/gemini`. */
  bin: string;
}

/** What a driver gets to launch its client. Everything is fresh, on loopback and temporary. */
export interface LaunchContext {
  /** The client's temporary home. */
  home: string;
  /** The folder that the agent works on. */
  workspace: string;
  /** Base URL of the scripted model, without a version path. */
  modelUrl: string;
  wire: Wire;
  header: Header;
  roles: Roles;
  /** Folder of an installed client; set when the client has an {@link Install}. */
  installed?: string;
  /** Seeded fault to start with; only the reference agent takes one. */
  fault?: string;
  /**
   * Adds to the history. `at` and `since` are wall-clock milliseconds (`performance.timeOrigin + performance.now()`) when
   * the evidence carries its own time; without `at` it is now.
   */
  record(event: EventBody, when?: { at?: number; since?: number }): void;
  /** A browser, for surfaces that need one; launched once per worker. */
  browser(): Promise<Browser>;
  headed: boolean;
  /** Keeps a line of the client's own output; shown only when something failed. */
  output(line: string): void;
}

export type ActionOutcome = 'done' | 'refused' | 'queued' | 'stuck';
export type AnswerOutcome = { outcome: 'accepted' | 'refused' | 'inert' | 'gone'; detail?: string };

/** A way to answer an ask late, made ready while the ask was open. */
export interface LateRoute {
  route: AnswerRoute;
  press(decision: 'approve' | 'deny'): Promise<AnswerOutcome>;
}

/** A message as it is typed: the text contains its marker. */
export interface Message {
  role: MessageRole;
  text: string;
}

/**
 * A client held as a person holds it. A driver performs and reports; it neither waits for outcomes beyond its own action nor judges.
 * Everything that the client shows goes to the history as `screen.state`, everything that it records itself as `engine.*`.
 */
export interface Driver {
  /** Version that the client itself reports, or the installed one. */
  readonly version: string;
  /** The main window as it was last seen; the same object that was last recorded. */
  screen(): ScreenState;
  /** Types the message into the composer and sends it. `stuck` when the composer does not take it. */
  submit(message: Message): Promise<ActionOutcome>;
  /** The supersessions this driver performs. `next` is the message that the action itself carries (edit, new-message ...). */
  actions: Partial<Record<ActionName, (next: Message) => Promise<ActionOutcome>>>;
  /** Presses a live ask's control in the main window. */
  answer(call: CallRole, decision: 'approve' | 'deny'): Promise<AnswerOutcome>;
  /** Makes ready, while the ask is open, every route by which it could be answered late. */
  lateRoutes(call: CallRole): Promise<LateRoute[]>;
  /** Takes a full look at what is only known by asking (the client's pending list) and records it. */
  look(): Promise<void>;
  /** A screenshot or frame of the main window, for people. */
  picture?(): Promise<{ name: string; type: string; body: Buffer } | undefined>;
  /** Ends the client and everything it started. Never throws. */
  close(): Promise<void>;
}

/** One agent client: profile and driver. */
export interface Client {
  /** Lower-case id, e.g. `opencode-web`. */
  id: string;
  /** Name for people. */
  title: string;
  surface: Surface;
  /** Wires it can be driven over; the first is the default. */
  wires: readonly Wire[];
  asks: readonly AskKind[];
  /** Every action must be named: an action that is left out is an error, not a silence. */
  actions: Partial<Record<ActionName, Offer>>;
  /** Witnesses this client has. */
  witnesses: Header['witnesses'];
  install?: Install;
  /** Limits, ms. */
  limits?: {
    /** From launch to ready for the first message. Default 30 000. */
    ready?: number;
    /** Window without any event after which the client counts as stuck. Default 700. */
    quiet?: number;
    /** One whole hand-off. Default 60 000. */
    handoff?: number;
  };
  /** The seeded faults it can be started with, when it takes any. */
  faults?(): Promise<FaultInfo[]>;
  /**
   * Starts the client and brings it to where the first message can be typed.
   * @throws CouldNotRun when it exits, never becomes ready, or lacks something.
   */
  launch(context: LaunchContext): Promise<Driver>;
}

/** A seeded defect of the reference agent, as its own program lists it. */
export interface FaultInfo {
  name: string;
  /** What it does wrong, in one sentence. */
  what: string;
  /** Public reports it is drawn from. */
  reports: string[];
  /** Requirements it must break, exactly. */
  breaks: string[];
  /** Hand-offs that show it. */
  tries: { action: ActionName; aftermath?: string; ask?: AskKind; moment?: string }[];
}

/** Something that is needed is missing or failed before anything could be judged. Exit code 2. */
export class CouldNotRun extends Error {
  override name = 'CouldNotRun';
  constructor(problem: string, repair?: string, output?: string) {
    super([problem, repair && `repair: ${repair}`, output && `last output:\n${output}`].filter(Boolean).join('\n'));
  }
}

/** Declares a client. The identity function, typed: it keeps literal types and checks the shape. */
export function defineClient(client: Client): Client {
  return client;
}
