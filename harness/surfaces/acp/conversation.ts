import type {
  AnyMessage,
  AnyNotification,
  AnyRequest,
  AnyResponse,
  JsonRpcId,
  PromptRequest,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionNotification,
} from '@agentclientprotocol/sdk';
import type { CallRole, EngineAskSettled, EventBody, ScreenState } from '../../history/events.ts';
import { wallClock } from '../../history/recorder.ts';
import type { Roles } from '../../history/roles.ts';
import type { CouldNotRun } from '../driver.ts';
import { type Ask, nameOf, opened, pending, type Run, settled } from './asks.ts';
import { screenOf } from './screen.ts';
import { isOver, outcomeOf, type ToolCall, ToolCalls } from './tool-calls.ts';
import type { WireTap } from './wire.ts';

export interface ConversationOptions {
  roles: Roles;
  record: (event: EventBody, when?: { at?: number; since?: number }) => void;
  /** The agent has ended an ask by itself: the client answers the request `cancelled`, so that nothing dangles. */
  withdrawn: (request: JsonRpcId) => void;
}

/**
 * The pipe and the scripted model are read by one event loop: within so many ms, the order in which two pieces of
 * evidence were read says nothing about the order in which they happened.
 */
const PIPE_LAG = 20;

/**
 * What a person at an ACP client sees, and what the agent shows of its runs and asks: a fold over the messages of both
 * directions, in pipe order. It is independent of how the messages are sent, so a raw late answer is seen as well.
 *
 * What counts as the agent's own evidence for a settlement: an answer that the person selects ends the request by
 * definition of the protocol, so it counts when it is written. `cancelled` after `session/cancel` is only the client's
 * duty: whether the agent let go of the ask is shown by the end of its prompt, by a failed tool call, or by a
 * `$/cancel_request`, and the ask is settled when the first of these is seen. An end of the prompt
 * with any other stop reason than `cancelled` does not settle an ask that nobody answered.
 */
export class Conversation implements WireTap {
  readonly #options: ConversationOptions;
  readonly #tools: ToolCalls;
  readonly #runs: Run[] = [];
  readonly #asks: Ask[] = [];
  readonly #prompts: { session: string; text: string }[] = [];
  #session: string | undefined;
  #notices: string[] = [];
  #gone = false;
  #seen = false;
  #screen: ScreenState;

  constructor(options: ConversationOptions) {
    this.#options = options;
    this.#tools = new ToolCalls(options.roles);
    this.#screen = this.#look();
  }

  /** The last look. */
  get screen(): ScreenState {
    return this.#screen;
  }

  /** Number of prompts sent so far. */
  get prompts(): number {
    return this.#prompts.length;
  }

  /** The person looks at this session from now on. */
  show(session: string): void {
    this.#session = session;
    this.#notices = [];
    this.#changed();
  }

  /** The open ask of a call in the session that is shown. */
  openAsk(call: CallRole): Ask | undefined {
    return this.#asks.findLast((ask) => ask.tool.call === call && ask.state === 'open' && this.#shown(ask));
  }

  /** Requests for permission that still wait for an answer, in one session or in all. */
  openAsks(session?: string): Ask[] {
    return this.#asks.filter((ask) => ask.state === 'open' && (!session || ask.session === session));
  }

  /** The last ask of a call, open or not. */
  lastAsk(call: CallRole): Ask | undefined {
    return this.#asks.findLast((ask) => ask.tool.call === call);
  }

  /** How the call fares by the agent's own word. */
  statusOf(call: CallRole): string | undefined {
    return this.#tools.withRole(call)?.status;
  }

  /** Records what the agent still waits for: its own requests without an answer. */
  recordPending(): void {
    this.#options.record({ type: 'engine.pending', asks: this.openAsks().map(pending) });
  }

  received(message: AnyMessage): void {
    if (!('method' in message)) this.#answered(message);
    else if ('id' in message) this.#asked(message);
    else if (message.method === 'session/update') this.#updated(message);
    else if (message.method === '$/cancel_request') this.#requestWithdrawn(message);
    this.#changed();
  }

  sent(message: AnyMessage): void {
    if (!('method' in message)) this.#permissionAnswered(message);
    else if (message.method === 'session/prompt' && 'id' in message) this.#prompted(message);
    else if (/^session\/(cancel|close)$/.test(message.method)) this.#cancelled(message);
    this.#changed();
  }

  closed(why: CouldNotRun): void {
    this.#gone = true;
    this.#notices.push(why.message);
    this.#changed();
  }

  // ---- runs -------------------------------------------------------------------------------------------------------

  #prompted({ id, params }: AnyRequest): void {
    const { sessionId: session, prompt } = params as PromptRequest;
    const text = prompt.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
    const message = this.#options.roles.messagesIn(text).at(-1);
    const run: Run = {
      id: `prompt-${String(id)}`,
      request: id,
      session,
      startedAt: wallClock(),
      ended: false,
      ...(message ? { message } : {}),
    };
    this.#runs.push(run);
    this.#prompts.push({ session, text });
    this.#notices = [];
    this.#options.record({ type: 'engine.run-started', run: run.id, ...(message ? { message } : {}) });
  }

  #answered(message: AnyResponse): void {
    const run = this.#runs.find((known) => known.request === message.id && !known.ended);
    if (!run) return;
    run.ended = true;
    const failure = 'error' in message ? message.error : undefined;
    const stop = failure ? undefined : (message as { result?: { stopReason?: string } }).result?.stopReason;
    const reason = failure ? `error ${failure.code}: ${failure.message}` : (stop ?? 'without a stop reason');
    for (const ask of this.#asks.filter((known) => known.run === run)) {
      if (ask.state === 'cancelling') this.#settle(ask, `session/cancel, then ${reason}`);
      else if (ask.state === 'open' && stop === 'cancelled') this.#withdraw(ask, `stop reason ${stop}`);
    }
    if (failure && run.session === this.#session) this.#notices = [`The run failed: ${failure.message}`];
    this.#options.record(
      {
        type: 'engine.run-ended',
        run: run.id,
        reason,
        ...(run.message ? { message: run.message } : {}),
      },
      { since: Math.max(run.startedAt, wallClock() - PIPE_LAG) },
    );
  }

  /** Unfinished calls are marked at once, as the protocol wants it; one that is asked about, when its ask is answered. */
  #cancelled({ params }: AnyNotification): void {
    const { sessionId } = params as { sessionId: string };
    const asked = this.openAsks(sessionId).map((ask) => ask.tool);
    for (const call of this.#tools.of(sessionId)) {
      if (!isOver(call) && !asked.includes(call)) call.person ??= 'cancelled';
    }
  }

  // ---- asks -------------------------------------------------------------------------------------------------------

  #asked({ id, method, params }: AnyRequest): void {
    if (method !== 'session/request_permission') return;
    const {
      sessionId: session = '',
      toolCall,
      options,
    } = (params ?? {}) as Partial<RequestPermissionRequest>;
    const tool = this.#tools.merge(session, toolCall ?? {}, true);
    const run = this.#runOf(session, tool);
    const ask: Ask = {
      request: id,
      session,
      tool,
      options: Array.isArray(options) ? options : [],
      openedAt: wallClock(),
      state: 'open',
      ...(run ? { run } : {}),
    };
    this.#asks.push(ask);
    this.#options.record(opened(ask));
  }

  /** By the message that the call belongs to, and where that says nothing by the newest prompt. */
  #runOf(session: string, tool: ToolCall): Run | undefined {
    const live = this.#runs.filter((run) => run.session === session && !run.ended);
    return live.findLast((run) => run.message && tool.call?.startsWith(run.message)) ?? live.at(-1);
  }

  #permissionAnswered(message: AnyResponse): void {
    // An agent may use an id again once its request has been answered: the newest one counts.
    const ask = this.#asks.findLast((known) => known.request === message.id);
    if (ask?.state !== 'open') return;
    const { outcome } = ('result' in message ? message.result : {}) as Partial<RequestPermissionResponse>;
    if (outcome?.outcome === 'selected') {
      const option = ask.options.find((known) => known.optionId === outcome.optionId);
      const approved = option?.kind.startsWith('allow') ?? false;
      ask.state = 'closed';
      ask.tool.person = approved ? 'approved' : 'denied';
      this.#options.record(settled(ask, { outcome: approved ? 'approved' : 'denied', by: 'person' }));
      return;
    }
    if (outcome?.outcome !== 'cancelled') {
      this.#options.record({ type: 'harness.note', text: `ask ${nameOf(ask)} was answered with an error` });
    }
    ask.state = 'cancelling';
    ask.tool.person ??= 'cancelled';
    if (!ask.run || ask.run.ended) this.#settle(ask, 'cancelled after its run had ended');
  }

  #requestWithdrawn({ params }: AnyNotification): void {
    const { requestId } = (params ?? {}) as { requestId?: JsonRpcId };
    const ask = this.#asks.findLast((known) => known.request === requestId);
    if (ask && ask.state !== 'closed') this.#withdraw(ask, '$/cancel_request');
  }

  #updated({ params }: AnyNotification): void {
    const { sessionId, update } = (params ?? {}) as Partial<SessionNotification>;
    if (!sessionId || (update?.sessionUpdate !== 'tool_call' && update?.sessionUpdate !== 'tool_call_update'))
      return;
    const tool = this.#tools.merge(sessionId, update, update.sessionUpdate === 'tool_call');
    const about = tool.call ? { call: tool.call } : {};
    // Before the person's answer "in progress" only means that the agent is at it: waiting, as well as working.
    if (update.status === 'in_progress' && tool.person === 'approved') {
      this.#options.record({ type: 'engine.tool-started', ...about });
    }
    if (!update.status || !isOver(tool)) return;
    this.#options.record({ type: 'engine.tool-ended', ...about, outcome: outcomeOf(tool) });
    if (tool.status === 'completed') return;
    for (const ask of this.#asks.filter((known) => known.tool === tool && known.state !== 'closed')) {
      this.#withdraw(ask, `tool call ${tool.status}`);
    }
  }

  /** The agent has let go of an ask. */
  #withdraw(ask: Ask, reason: string): void {
    const wasOpen = ask.state === 'open';
    ask.tool.person ??= 'cancelled';
    this.#settle(ask, wasOpen ? reason : `session/cancel, then ${reason}`);
    if (wasOpen) this.#options.withdrawn(ask.request);
  }

  #settle(ask: Ask, reason: string): void {
    ask.state = 'closed';
    const event: EngineAskSettled = settled(ask, { outcome: 'cancelled', by: 'system', reason });
    this.#options.record(event, { since: Math.max(ask.openedAt, wallClock() - PIPE_LAG) });
  }

  // ---- screen -----------------------------------------------------------------------------------------------------

  #shown = ({ session }: { session: string }): boolean => session === this.#session;

  /** Records the screen when it is another than the last one, and always when it is the first. */
  #changed(): void {
    if (!this.#session && !this.#gone) return;
    const next = this.#look();
    if (this.#seen && JSON.stringify(next) === JSON.stringify(this.#screen)) return;
    this.#seen = true;
    this.#screen = next;
    this.#options.record(next);
  }

  #look(): ScreenState {
    const visible = {
      asks: this.#asks.filter((ask) => ask.state === 'open' && this.#shown(ask)),
      runs: this.#runs.filter(this.#shown),
      calls: this.#session ? this.#tools.of(this.#session) : [],
      prompts: this.#prompts.filter(this.#shown).map(({ text }) => text),
      notices: this.#notices,
      gone: this.#gone,
    };
    return screenOf(visible, this.#options.roles);
  }
}
