import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EventBody, ModelRequest } from '../history/events.ts';
import type { Roles } from '../history/roles.ts';
import type { Wire as WireName } from '../history/vocabulary.ts';
import { Answer, type Prepared } from './answer.ts';
import { attribute, shapeOf } from './attribution.ts';
import type { Conversation } from './conversation.ts';
import { Gates } from './gates.ts';
import { Queues } from './queues.ts';
import { fill } from './schema.ts';
import type { ScriptedModel, Turn } from './script.ts';
import { chooseSubtask, chooseTool } from './tools.ts';
import { allWires, type Incoming, type Wire } from './wires/index.ts';

export type { CallInput, Gate, Part, ScriptedModel, Turn } from './script.ts';

export interface ScriptedModelOptions {
  /** The wire that a request belongs to which has none of its own, e.g. `HEAD /`. Every wire is answered anyway. */
  wire?: WireName;
  roles: Roles;
  /** Receives the journal: `model.*` events, each before anybody can act on it. */
  record: (body: EventBody) => void;
  /** Whether a request that offers no tools is a turn too. Else it is a side request, whatever it carries. */
  toolless?: boolean;
}

/** What is said to titles, summaries and the like. It carries nothing that could be taken for evidence. */
const SIDE_TEXT = 'A short check';

/**
 * Starts the scripted provider on loopback, on a port of the system's choice.
 *
 * @throws Error when it cannot listen.
 */
export async function startScriptedModel(options: ScriptedModelOptions): Promise<ScriptedModel> {
  const { roles, record } = options;
  const [wires, gates, queues] = [allWires(), new Gates(), new Queues()];
  const answers = new Set<Answer>();
  const fallback = wires.find((wire) => wire.name === (options.wire ?? 'openai-chat')) as Wire;
  let requests = 0;

  const handle = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const incoming = await read(message);
    if (!incoming) return;
    const request = ++requests;
    const { wire, recognised } = recognise(wires, fallback, incoming);
    const journal = (said: Partial<ModelRequest>, kind: ModelRequest['kind']) =>
      record({
        type: 'model.request',
        request,
        wire: wire.name,
        kind,
        carries: [],
        calls: [],
        orphanResults: 0,
        tools: [],
        ...said,
      });
    /** The request is in the journal before the answer can end, so the answer is made after it. */
    const begin = (said: Partial<ModelRequest>, kind: ModelRequest['kind']): Answer => {
      journal(said, kind);
      const answer = new Answer(response, request, record);
      answers.add(answer);
      return answer;
    };
    const refuse = (answer: Answer, shape: string): void => {
      record({ type: 'model.unscripted', request, shape });
      answer.json(400, wire.error(400, `not scripted: ${shape}`), 'server');
    };
    let answer: Answer | undefined;
    try {
      if (recognised?.as === 'side') {
        answer = begin({}, 'side');
        return answer.json(200, recognised.answer);
      }
      if (!recognised) {
        return refuse(begin({}, 'run'), `${incoming.method} ${incoming.path} is a request of no wire`);
      }
      let conversation: Conversation;
      try {
        conversation = wire.parse(incoming);
      } catch (error) {
        return refuse(begin({}, 'run'), `${wire.name} ${incoming.path}: ${(error as Error).message}`);
      }
      // A request that offers no tools is a title, a summary or the like, even when it carries a marker: several
      // clients ask for a title by sending the person's message again.
      const side = conversation.tools.length === 0 && !options.toolless;
      const said = attribute(conversation, roles);
      answer = begin(said, side ? 'side' : 'run');
      const turn = side ? plainly(conversation) : queues.next(said.message);
      if (typeof turn === 'string') {
        return refuse(answer, `${turn}: ${shapeOf({ wire: wire.name, path: incoming.path }, conversation)}`);
      }
      const prepared = prepare(turn, conversation);
      if (typeof prepared === 'string') return refuse(answer, prepared);
      const encoder = wire.encoder(conversation);
      const { stream } = conversation;
      await answer.play(prepared, { request, wire, encoder, stream, gates, record, silent: side });
    } catch (error) {
      // A defect of the harness itself. It must fail the hand-off, not this process.
      record({
        type: 'model.unscripted',
        request,
        shape: `the scripted model failed: ${(error as Error).stack}`,
      });
      answer?.cut();
    } finally {
      if (answer) answers.delete(answer);
    }
  };

  let open = 0;
  const server = createServer((message, response) => {
    open += 1;
    handle(message, response).finally(() => {
      open -= 1;
    });
  });
  // A client may hold a connection for as long as a person thinks.
  Object.assign(server, { requestTimeout: 0, timeout: 0, keepAliveTimeout: 600_000 });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    script: (message, turns) => queues.set(message, turns),
    gate: (name) => gates.gate(name),
    inFlight: () => open - gates.waiting(),
    leftovers: () => queues.leftovers(),
    heldGates: () => gates.held(),
    close: () => {
      for (const answer of answers) answer.cut();
      return new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

/** The request with its body, or nothing when the client went away while sending it. */
async function read(message: IncomingMessage): Promise<Incoming | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of message) chunks.push(chunk as Buffer);
  } catch {
    return undefined;
  }
  let body: unknown;
  try {
    body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    // No JSON; the wire that wants one says so.
  }
  const path = new URL(message.url ?? '/', 'http://localhost').pathname;
  return { method: message.method ?? 'GET', path, headers: message.headers, body };
}

/** Which wire's request this is, and what it is to it. */
function recognise(wires: Wire[], fallback: Wire, incoming: Incoming) {
  for (const wire of wires) {
    const recognised = wire.recognise(incoming);
    if (recognised) return { wire, recognised };
  }
  // Clients knock to see whether anybody is there.
  const knock = incoming.method === 'HEAD' || (incoming.method === 'GET' && incoming.path === '/');
  return { wire: fallback, recognised: knock ? ({ as: 'side', answer: {} } as const) : undefined };
}

/** The answer to a side request: JSON where a schema asks for it, else a short text. */
function plainly({ answerSchema }: Conversation): Turn {
  return { parts: [{ text: answerSchema ? JSON.stringify(fill(answerSchema)) : SIDE_TEXT }] };
}

/** Chooses every tool of a turn before its first byte, so that a turn that cannot be played fails as a whole. */
function prepare(turn: Turn, { tools }: Conversation): Prepared[] | string {
  try {
    return turn.parts.map((part) => {
      if ('call' in part) return { ...part, outgoing: chooseTool(tools, part.kind, part.input) };
      return 'subtask' in part ? { ...part, outgoing: chooseSubtask(tools, part.subtask) } : part;
    });
  } catch (error) {
    return (error as Error).message;
  }
}
