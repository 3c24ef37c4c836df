import type {
  ActionName,
  Aftermath,
  AskKind,
  Leaves,
  Moment,
  Settlement,
  Surface,
  Treatment,
  Wire,
} from './vocabulary.ts';

/** The version of the history format. A reader refuses any other. */
export const HISTORY_VERSION = 1;

/**
 * A call's role in the hand-off. `A` is the call whose ask is superseded, `B` the call of the message that follows.
 * `A2`, `A3` are further calls of A's turn; `C` belongs to the third message.
 */
export type CallRole = 'A' | 'A2' | 'A3' | 'B' | 'B2' | 'C';

/** The message that a run answers: A, then B, then C. `D` is an earlier message, e.g. of another task. */
export type MessageRole = 'A' | 'B' | 'C' | 'D';

/** First record of every history: what was tried, on what, and with which tokens. */
export interface Header {
  type: 'handoff';
  schema: typeof HISTORY_VERSION;
  /** Stable name of the trial: `<client>/<action>[:<variant>]/<ask>/<moment>/<aftermath>/<wire>`. */
  id: string;
  client: string;
  version: string;
  surface: Surface;
  action: ActionName;
  /** Which of the action's variants; `plain` when there is only one. */
  variant: string;
  ask: AskKind;
  moment: Moment;
  aftermath: Aftermath;
  wire: Wire;
  /** Name of the seeded fault the client was started with, if any. */
  fault?: string;
  /** How the client's profile says that it treats this action. */
  treatment: Treatment;
  /** What kind of action it is: what it may leave of an open ask. Judged together with `treatment`. */
  leaves: Leaves;
  /** Unique token of each call: its effect is a canary that carries it, its ask shows it, its arguments contain it. */
  calls: Partial<Record<CallRole, { token: string; message: MessageRole; ask: AskKind }>>;
  /** Unique marker inside the text of each message. */
  messages: Partial<Record<MessageRole, { marker: string }>>;
  /** Witnesses that this client has on this surface; one that is absent can only be `unobserved`. */
  witnesses: { engine: boolean; world: boolean; model: boolean; screen: boolean };
  /** Wall-clock start, ISO 8601, for people only; judging never reads it. */
  startedAt: string;
}

/** Every event's common part. */
export interface Stamp {
  /** Position in the history, from 1, without a gap. */
  seq: number;
  /** When it was seen, milliseconds (fractional) since the hand-off began. */
  t: number;
  /**
   * Earliest time at which it can have happened, when that differs from `t` (evidence that was polled, or received
   * from the client's own event stream). The judge orders two events only when their intervals do not overlap.
   */
  since?: number;
}

// ---- what the person did ------------------------------------------------------------------------------------------

/** A message was given to the client. `begin` when typing is done and Send is about to be pressed, `end` when it was taken. */
export interface PersonSubmit {
  type: 'person.submit';
  message: MessageRole;
  phase: 'begin' | 'end';
  /** `end` only: whether the client took it, visibly refused it, or visibly queued it; `stuck` = input never took it. */
  outcome?: 'taken' | 'refused' | 'queued' | 'stuck';
  detail?: string;
}

/** The supersession itself. */
export interface PersonSupersede {
  type: 'person.supersede';
  action: ActionName;
  phase: 'begin' | 'end';
  outcome?: 'done' | 'refused' | 'queued' | 'stuck';
  detail?: string;
}

/** By which way an answer was given. */
export type AnswerRoute =
  | 'screen'
  | 'leftover-control'
  | 'second-window'
  | 'stored-element'
  | 'protocol'
  /** Given while the ask was open, and held back on its way until after the supersession. */
  | 'in-flight';

/** An answer to an ask, also a late one to a dead ask. */
export interface PersonAnswer {
  type: 'person.answer';
  /** The ask the answer was drawn for. */
  call: CallRole;
  decision: 'approve' | 'deny' | 'answer';
  route: AnswerRoute;
  phase: 'begin' | 'end';
  /** Why it was given: `live` = to a live ask, `late` = to one that should be dead. */
  intent: 'live' | 'late';
  /**
   * `end` only. `accepted`: the client took it without complaint; `refused`: it said, visibly, that this ask is over;
   * `inert`: it had no effect that the person could see; `gone`: there was nothing left to press.
   */
  outcome?: 'accepted' | 'refused' | 'inert' | 'gone';
  detail?: string;
}

/** Input that is not an answer: keys, paste, mode switch, page reload and the like. */
export interface PersonDid {
  type: 'person.did';
  what: string;
}

// ---- engine: what the client itself records -----------------------------------------------------------------------

export interface EngineAskOpened {
  type: 'engine.ask-opened';
  /** The client's own id of the ask. */
  ask: string;
  /** Attribution by token; absent when the ask belongs to no scripted call. */
  call?: CallRole;
  kind?: AskKind;
  /** The client's own id of the run. */
  run?: string;
}

export interface EngineAskSettled {
  type: 'engine.ask-settled';
  ask: string;
  call?: CallRole;
  outcome: Settlement;
  /** Absent when the surface carries no reasons; empty when the client recorded that it has none, which is a fault. */
  reason?: string;
  /** `person`: an answer; `system`: the client, because of a supersession. Absent when the client does not say. */
  by?: 'person' | 'system';
}

/** A full list of what the client holds as pending. Taken at probe points, and it is how absence is seen. */
export interface EnginePending {
  type: 'engine.pending';
  asks: { ask: string; call?: CallRole }[];
}

export interface EngineAnswerRefused {
  type: 'engine.answer-refused';
  ask: string;
  call?: CallRole;
  reason: string;
}

export interface EngineRun {
  type: 'engine.run-started' | 'engine.run-ended';
  run: string;
  /** Message that the run answers, by marker. */
  message?: MessageRole;
  /** `run-ended` only: e.g. `completed`, `cancelled`, `superseded`, `failed`. */
  reason?: string;
}

export interface EngineTool {
  type: 'engine.tool-started' | 'engine.tool-ended';
  call?: CallRole;
  outcome?: string;
}

/** The client itself recorded a tool decision (OpenTelemetry, a persisted transcript). */
export interface EngineDecision {
  type: 'engine.decision';
  call?: CallRole;
  outcome: Settlement;
  source: string;
}

/** The client's own rule of what needs an approval changed: its mode, its auto-approval. */
export interface EnginePolicyChanged {
  type: 'engine.policy-changed';
  policy: string;
}

// ---- world: what happened to the machine --------------------------------------------------------------------------

/** A canary was written: the effect of a call was seen. */
export interface WorldEffect {
  type: 'world.effect';
  call: CallRole;
  /** How many times its token has been seen by now. */
  count: number;
}

/** The tool of a call is at work, and its effect has not happened yet. */
export interface WorldStarted {
  type: 'world.started';
  call: CallRole;
}

/** Somebody looked: the counts at that moment, zero included. Absence is only known by looking. */
export interface WorldChecked {
  type: 'world.checked';
  counts: Partial<Record<CallRole, number>>;
  /** `final` is the look after a delay, at the very end. */
  final?: boolean;
}

// ---- model: the scripted provider's journal -----------------------------------------------------------------------

/** How a call fares in a parsed conversation. */
export interface ConversationCall {
  /** The provider's id of the call, as sent. */
  id: string;
  role?: CallRole;
  /** Number of results that the conversation carries for it. */
  results: number;
  /**
   * What the model is told, read from the result: `denied` (denied, cancelled, interrupted, aborted, expired),
   * `ran` (the tool's own output, token found), `error`, `other`.
   */
  told?: 'denied' | 'ran' | 'error' | 'answered' | 'other';
  /** First 200 characters of the result. */
  text?: string;
}

export interface ModelRequest {
  type: 'model.request';
  /** Number of the request in this hand-off, from 1. */
  request: number;
  wire: Wire;
  /** `run` = a model turn; `side` = title, summary, model list, token count and the like. */
  kind: 'run' | 'side';
  /** Last message in the conversation, by marker. */
  message?: MessageRole;
  /** Every message whose marker the conversation contains, in order. */
  carries: MessageRole[];
  calls: ConversationCall[];
  /** Results that belong to no call of the conversation. */
  orphanResults: number;
  tools: string[];
}

export interface ModelUnscripted {
  type: 'model.unscripted';
  request: number;
  shape: string;
}

/** Something was sent. `text` and `call` once per part, not per token. */
export interface ModelSent {
  type: 'model.sent';
  request: number;
  what: 'text' | 'call' | 'held' | 'released' | 'error';
  call?: CallRole;
  gate?: string;
}

export interface ModelEnded {
  type: 'model.ended';
  request: number;
  /** `complete`: sent to its end; `client`: the client closed it; `server`: cut or refused by script. */
  by: 'complete' | 'client' | 'server';
}

// ---- screen: what a person sees -----------------------------------------------------------------------------------

export type Phase = 'idle' | 'thinking' | 'awaiting' | 'error';

export interface ScreenAsk {
  /** Attribution by the token in the shown text; absent for an ask that shows none of ours. */
  call?: CallRole;
  kind?: AskKind;
  /** The client's own id, where the surface carries one. */
  id?: string;
  /** Names of the enabled controls. Empty: shown, but not answerable. */
  controls: string[];
  text: string;
}

export interface ScreenRow {
  call?: CallRole;
  /** What the row says became of it. */
  outcome: 'waiting' | 'running' | 'ran' | 'denied' | 'failed' | 'unknown';
  text: string;
}

/** One look of one window. Recorded when it changes, so between two of them nothing changed. */
export interface ScreenState {
  type: 'screen.state';
  /** `main`, or the name of a further window. */
  window: string;
  phase: Phase;
  input: 'enabled' | 'disabled' | 'hidden';
  asks: ScreenAsk[];
  rows: ScreenRow[];
  /** Count shown by a badge, where there is one. */
  badge?: number;
  notices: string[];
  /** Messages whose marker is visible as a message of the conversation. */
  messages: MessageRole[];
}

// ---- the harness itself -------------------------------------------------------------------------------------------

/** A named step of the hand-off began: arrange, supersede, observe, probe, final. */
export interface HarnessStep {
  type: 'harness.step';
  step: 'arrange' | 'supersede' | 'observe' | 'aftermath' | 'late-answers' | 'final';
}

/** The observation of the new run ended. */
export interface HarnessObserved {
  type: 'harness.observed';
  message: MessageRole;
  /**
   * `ask`: its ask is presented; `streaming`: its text is arriving; `done`: it was answered and the client is idle;
   * `stuck`: nothing moved for the quiet window and the client still says busy, or never answered;
   * `dead`: the client refuses input for it.
   */
  outcome: 'ask' | 'streaming' | 'done' | 'stuck' | 'dead';
  /** What was being waited for, in words. */
  waitedFor: string;
  /** Length of the quiet window that decided it, ms. */
  quiet?: number;
}

export interface HarnessNote {
  type: 'harness.note';
  text: string;
}

/** Last record. A history without it is truncated and is never judged as held. */
export interface End {
  type: 'end';
  reason: 'complete' | 'crashed' | 'interrupted';
  detail?: string;
}

export type EventBody =
  | PersonSubmit
  | PersonSupersede
  | PersonAnswer
  | PersonDid
  | EngineAskOpened
  | EngineAskSettled
  | EnginePending
  | EngineAnswerRefused
  | EngineRun
  | EngineTool
  | EngineDecision
  | EnginePolicyChanged
  | WorldStarted
  | WorldEffect
  | WorldChecked
  | ModelRequest
  | ModelUnscripted
  | ModelSent
  | ModelEnded
  | ScreenState
  | HarnessStep
  | HarnessObserved
  | HarnessNote
  | End;

/** One record of a history after its header. */
export type HandoffEvent = EventBody & Stamp;

/** What the witnesses of one hand-off saw, in the order in which it was recorded. */
export interface History {
  header: Header;
  events: HandoffEvent[];
}
