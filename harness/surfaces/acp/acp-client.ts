import {
  type ClientConnection,
  type ClientContext,
  client,
  type InitializeResponse,
  type JsonRpcId,
  methods,
  PROTOCOL_VERSION,
  type RequestPermissionResponse,
} from '@agentclientprotocol/sdk';
import type { EventBody } from '../../history/events.ts';
import type { Roles } from '../../history/roles.ts';
import { until, WaitedInVain } from '../../until.ts';
import { CouldNotRun } from '../driver.ts';
import type { Ask } from './asks.ts';
import { Conversation } from './conversation.ts';
import { AcpWire, type WireOptions } from './wire.ts';

export interface AcpClientOptions extends Omit<WireOptions, 'tap'> {
  roles: Roles;
  record: (event: EventBody, when?: { at?: number; since?: number }) => void;
  /** Limit of one request whose answer does not wait for the model, ms. */
  limit: number;
}

interface Answer {
  given: Promise<RequestPermissionResponse>;
  give: (response: RequestPermissionResponse) => void;
}

/** Limit of the question by which it is known that the agent has read everything before it, ms. */
const BARRIER_LIMIT = 1_000;

/**
 * The client side of ACP, as a well-behaved editor plays it: it offers no file system and no terminal of its own, so the
 * agent's tools work by themselves; it answers every open permission request `cancelled` after it has cancelled; and it
 * lets an ask go when the agent withdraws it. Messages are built and checked by the official SDK.
 */
export class AcpClient {
  readonly wire: AcpWire;
  readonly conversation: Conversation;
  readonly #connection: ClientConnection;
  readonly #limit: number;
  readonly #answers = new Map<JsonRpcId, Answer>();
  #session: string | undefined;

  constructor({ roles, record, limit, ...start }: AcpClientOptions) {
    this.#limit = limit;
    this.conversation = new Conversation({
      roles,
      record,
      withdrawn: (request) => this.#respond(request, CANCELLED),
    });
    this.wire = new AcpWire({ ...start, tap: this.conversation });
    const raw = (params: unknown): unknown => params;
    this.#connection = client({ name: 'approval-handoff' })
      .onRequest(methods.client.session.requestPermission, ({ requestId, signal }) =>
        this.#wait(requestId, signal),
      )
      // The tap has seen every notification already; without these the SDK would complain of extensions it does not know.
      .onNotification(methods.client.session.update, raw, () => {})
      .onNotification('*', () => {})
      .connect(this.wire.stream);
    this.#connection.closed.catch(() => {});
  }

  /** The session that prompts go to. @throws Error before there is one. */
  get session(): string {
    if (!this.#session) throw new Error(`${this.wire.process.title} has no session yet`);
    return this.#session;
  }

  /** @throws CouldNotRun when the agent does not answer in time, or speaks another version of the protocol. */
  async initialize(): Promise<InitializeResponse> {
    const answer = await this.#quick('initialize', (agent) =>
      agent.request(methods.agent.initialize, {
        protocolVersion: PROTOCOL_VERSION,
        clientInfo: { name: 'approval-handoff', version: '0' },
        clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      }),
    );
    if (answer.protocolVersion !== PROTOCOL_VERSION) {
      throw new CouldNotRun(
        `${this.wire.process.title} speaks ACP version ${answer.protocolVersion}, not ${PROTOCOL_VERSION}`,
        'use a version of the agent that speaks it',
      );
    }
    return answer;
  }

  /** @throws CouldNotRun when the agent refuses, or does not answer in time. */
  async authenticate(methodId: string): Promise<void> {
    await this.#quick(`authenticate (${methodId})`, (agent) =>
      agent.request(methods.agent.authenticate, { methodId }),
    );
  }

  /** Opens a session and looks at it. @throws CouldNotRun when the agent refuses, or does not answer in time. */
  async newSession(cwd: string): Promise<void> {
    const { sessionId } = await this.#quick('session/new', (agent) =>
      agent.request(methods.agent.session.new, { cwd, mcpServers: [] }),
    );
    this.#session = sessionId;
    this.conversation.show(sessionId);
  }

  /** Sets a configuration option of the session. @throws CouldNotRun when the agent refuses or does not answer. */
  async configure(configId: string, value: string): Promise<void> {
    await this.#quick(`session/set_config_option (${configId})`, (agent) =>
      agent.request(methods.agent.session.setConfigOption, { sessionId: this.session, configId, value }),
    );
  }

  /** Sends a prompt. Returns once it is written; how it ends is seen by the conversation. */
  async prompt(text: string): Promise<void> {
    this.wire.check();
    const before = this.conversation.prompts;
    const answer = this.#connection.agent.request(methods.agent.session.prompt, {
      sessionId: this.session,
      prompt: [{ type: 'text', text }],
    });
    answer.catch(() => {
      // A failed run is a run that ended; the conversation has recorded it.
    });
    await this.#written(() => this.conversation.prompts > before);
  }

  /** Cancels the running turn, and answers every permission request that is still open, as the protocol demands. */
  async cancel(): Promise<void> {
    this.wire.check();
    await this.#connection.agent.notify(methods.agent.session.cancel, { sessionId: this.session });
    await this.#answerCancelled();
  }

  /** Closes the session: the protocol has the agent treat it as a cancel. @throws CouldNotRun when it does not answer. */
  async closeSession(): Promise<void> {
    const closed = this.#quick('session/close', (agent) =>
      agent.request(methods.agent.session.close, { sessionId: this.session }),
    );
    closed.catch(() => {});
    await this.#answerCancelled();
    await closed;
  }

  /** Answers an open ask with one of its options, and returns once that is written. */
  async select(ask: Ask, optionId: string): Promise<void> {
    this.wire.check();
    this.#respond(ask.request, { outcome: { outcome: 'selected', optionId } });
    await this.#written(() => ask.state !== 'open');
  }

  /**
   * Returns when the agent has read everything sent so far: it has to answer an extension method it does not know, and it
   * reads its pipe in order. `false` when it did not answer in time, as agents do that read nothing while they are busy.
   */
  async barrier(): Promise<boolean> {
    let answered = false;
    const done = () => {
      answered = true;
    };
    this.#connection.agent.request('_approval-handoff/barrier', {}).then(done, done);
    try {
      await until(() => answered || this.wire.broken, {
        what: 'the agent to read what was sent',
        limit: BARRIER_LIMIT,
        every: 2,
      });
    } catch (error) {
      if (!(error instanceof WaitedInVain)) throw error;
    }
    return answered;
  }

  /** Ends the agent and everything it started. Never throws. */
  async close(): Promise<void> {
    await this.wire.stop();
    this.#connection.close();
  }

  async #answerCancelled(): Promise<void> {
    const open = this.conversation.openAsks(this.session);
    for (const ask of open) this.#respond(ask.request, CANCELLED);
    await this.#written(() => open.every((ask) => ask.state !== 'open'));
  }

  /** The SDK's side of an open ask: it is answered when the person, a cancel or the agent itself ends it. */
  #wait(request: JsonRpcId, signal: AbortSignal): Promise<RequestPermissionResponse> {
    if (signal.aborted) return Promise.resolve(CANCELLED);
    signal.addEventListener('abort', () => this.#respond(request, CANCELLED), { once: true });
    const { given } = this.#answerTo(request);
    // An agent may use the id again for its next request.
    return given.finally(() => this.#answers.delete(request));
  }

  #respond(request: JsonRpcId, response: RequestPermissionResponse): void {
    this.#answerTo(request).give(response);
  }

  /** The answer may be known before the SDK asks for it: the tap is ahead of the SDK's handlers. */
  #answerTo(request: JsonRpcId): Answer {
    let answer = this.#answers.get(request);
    if (!answer) {
      let give: Answer['give'] = () => {};
      const given = new Promise<RequestPermissionResponse>((resolve) => {
        give = resolve;
      });
      answer = { given, give };
      this.#answers.set(request, answer);
    }
    return answer;
  }

  /** The SDK writes in its own time; what it wrote is known when the tap has seen it. */
  async #written(seen: () => boolean): Promise<void> {
    const { signal } = this.#connection;
    await until(() => this.wire.broken || signal.aborted || seen(), {
      what: `the message to ${this.wire.process.title} to be written`,
      limit: this.#limit,
      every: 1,
    });
    this.wire.check();
    if (!seen()) throw this.#failed(`the connection to ${this.wire.process.title} closed: ${signal.reason}`);
  }

  async #quick<T>(what: string, ask: (agent: ClientContext) => Promise<T>): Promise<T> {
    const { title } = this.wire.process;
    this.wire.check();
    let answer: { value: T } | { error: unknown } | undefined;
    ask(this.#connection.agent).then(
      (value) => {
        answer = { value };
      },
      (error: unknown) => {
        answer = { error };
      },
    );
    try {
      await until(() => answer ?? this.wire.broken, { what, limit: this.#limit, every: 5 });
    } catch (error) {
      if (!(error instanceof WaitedInVain)) throw error;
      throw this.#failed(`${title} did not answer ${what} within ${this.#limit} ms`);
    }
    // The wire's own error comes first: the SDK only knows that the connection closed.
    this.wire.check();
    if (answer && 'value' in answer) return answer.value;
    const error = answer?.error;
    throw this.#failed(`${title} refused ${what}: ${error instanceof Error ? error.message : String(error)}`);
  }

  #failed(problem: string): CouldNotRun {
    return new CouldNotRun(problem, 'check its version and configuration', this.wire.process.lastOutput);
  }
}

const CANCELLED: RequestPermissionResponse = { outcome: { outcome: 'cancelled' } };
