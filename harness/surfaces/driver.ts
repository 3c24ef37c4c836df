import type { Browser } from '@playwright/test';
import type {
  AnswerRoute,
  CallRole,
  EventBody,
  Header,
  MessageRole,
  ScreenState,
} from '../history/events.ts';
import type { Roles } from '../history/roles.ts';
import type { ActionName, Wire } from '../history/vocabulary.ts';

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
  /** Limits that the driver's own waits keep, ms. */
  limits: { ready: number };
  /** Keeps a line of the client's own output; shown only when something failed. */
  output(line: string): void;
}

export type ActionOutcome = 'done' | 'refused' | 'queued' | 'stuck';
/** What a person says to an ask; `approve` of a question is an answer in words. */
export type Decision = 'approve' | 'deny';
export type AnswerOutcome = { outcome: 'accepted' | 'refused' | 'inert' | 'gone'; detail?: string };

/** A way to answer an ask late, made ready while the ask was open. */
export interface LateRoute {
  route: AnswerRoute;
  /** `approve` of a question is an answer in words. */
  press(decision: Decision): Promise<AnswerOutcome>;
}

/** A message as it is typed: the text contains its marker. */
export interface Message {
  role: MessageRole;
  text: string;
}

/** What a person can do in one window of a client. */
export interface Hands {
  /** Types the message into the composer and sends it. `stuck` when the composer does not take it. */
  submit(message: Message): Promise<ActionOutcome>;
  /**
   * The supersessions this driver performs. `next` is the message that the action itself carries (edit, new-message ...),
   * `variant` the action's variant.
   */
  actions: Partial<Record<ActionName, (next: Message, variant?: string) => Promise<ActionOutcome>>>;
  /** Presses a live ask's control. */
  answer(call: CallRole, decision: Decision): Promise<AnswerOutcome>;
}

/**
 * A client held as a person holds it; what it inherits is done in the main window. A driver performs and reports; it neither
 * waits for outcomes beyond its own action nor judges. Everything that the client shows goes to the history as
 * `screen.state`, everything that it records itself as `engine.*`.
 */
export interface Driver extends Hands {
  /** Version that the client itself reports, or the installed one. */
  readonly version: string;
  /** The main window as it was last seen; the same object that was last recorded. */
  screen(): ScreenState;
  /** Opens a second live window or client on the same agent, where the surface has such. */
  second?(): Promise<Hands>;
  /** Presses controls of one ask one after another within one task of the client, as a double click does. */
  answerTogether?(call: CallRole, decisions: readonly Decision[]): Promise<AnswerOutcome[]>;
  /** Gives an answer and holds it back on its way to the client. What it returns lets it go, and says what came of it. */
  holdAnswer?(call: CallRole, decision: Decision): Promise<() => Promise<AnswerOutcome>>;
  /** Makes ready, while the ask is open, every route by which it could be answered late. */
  lateRoutes(call: CallRole): Promise<LateRoute[]>;
  /** The late routes that need no preparation: for an ask that came and went, or never was on the screen. */
  blindRoutes?(call: CallRole): LateRoute[];
  /** Takes a full look at what is only known by asking (the client's pending list) and records it. */
  look(): Promise<void>;
  /** A screenshot or frame of the main window, for people. */
  picture?(): Promise<{ name: string; type: string; body: Buffer } | undefined>;
  /** Ends the client and everything it started. Never throws. */
  close(): Promise<void>;
}

/** Something that is needed is missing or failed before anything could be judged. Exit code 2. */
export class CouldNotRun extends Error {
  override name = 'CouldNotRun';
  constructor(problem: string, repair?: string, output?: string) {
    super(
      [problem, repair && `repair: ${repair}`, output && `last output:\n${output}`]
        .filter(Boolean)
        .join('\n'),
    );
  }
}
