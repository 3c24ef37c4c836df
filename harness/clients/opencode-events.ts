import type { CallRole, EventBody, MessageRole } from '../history/events.ts';
import type { Roles } from '../history/roles.ts';
import type { AskKind } from '../history/vocabulary.ts';

/** An event of opencode's own stream (`GET /event`). Its id carries the time at which it happened. */
export interface OpencodeEvent {
  id?: string;
  type: string;
  properties: Record<string, unknown>;
}

/** A pending permission, as `permission.asked` and `GET /permission` give it. */
export interface Permission {
  id: string;
  permission?: string;
  tool?: { messageID?: string; callID?: string };
}

/** Ids count milliseconds modulo this: 48 bits, of which 12 are a counter. */
const ID_WRAPS = 2 ** 36;
/** An id that seems to be further from now than this is of another make, ms. */
const PLAUSIBLE = 60_000;

/**
 * The time in an ascending id such as `evt_22e8a5593001WKlI5n3aoShYSq`: milliseconds and a counter in twelve hex digits.
 *
 * @param now epoch milliseconds, to which the id must be near
 * @returns epoch milliseconds, or nothing when the id carries no time
 */
export function timeInId(id: string | undefined, now: number): number | undefined {
  const digits = /^[a-z]+_([0-9a-f]{12})/.exec(id ?? '')?.[1];
  if (!digits) return undefined;
  const counted = Math.floor(Number.parseInt(digits, 16) / 2 ** 12);
  const time = counted + Math.round((now - counted) / ID_WRAPS) * ID_WRAPS;
  return Math.abs(time - now) < PLAUSIBLE ? time : undefined;
}

const KINDS: Record<string, AskKind> = { bash: 'command', edit: 'edit', write: 'edit', read: 'read' };

/** Attribution of a permission: its command or path carries the call's token. */
export const callOf = (roles: Roles, permission: Permission): { call?: CallRole } => {
  const call = roles.callIn(JSON.stringify(permission));
  return call ? { call } : {};
};

interface ToolPart {
  type: string;
  callID?: string;
  messageID?: string;
  text?: string;
  state?: { status?: string; error?: string; metadata?: Record<string, unknown> };
}

interface MessageInfo {
  id: string;
  role: string;
  parentID?: string;
  sessionID: string;
}

interface Run {
  id: string;
  session: string;
  cancelled?: string;
}

/**
 * Makes a reader that turns opencode's stream into engine evidence. A run is named by the person's message that it
 * answers: the first assistant message with that parent begins it, the next parent or an idle session ends it.
 */
export function opencodeReader(roles: Roles): (event: OpencodeEvent) => EventBody[] {
  const messages = new Map<string, MessageRole>();
  const parents = new Map<string, string>();
  const calls = new Map<string, CallRole>();
  const started = new Set<string>();
  let running: Run | undefined;

  const runEvent = (
    type: 'engine.run-started' | 'engine.run-ended',
    run: Run,
    reason?: string,
  ): EventBody => {
    const message = messages.get(run.id);
    return { type, run: run.id, ...(message ? { message } : {}), ...(reason ? { reason } : {}) };
  };
  const endRun = (): EventBody[] => {
    if (!running) return [];
    const run = running;
    running = undefined;
    return [runEvent('engine.run-ended', run, run.cancelled ?? 'completed')];
  };

  const onMessage = (info: MessageInfo): EventBody[] => {
    if (info.role !== 'assistant' || !info.parentID || parents.has(info.id)) return [];
    parents.set(info.id, info.parentID);
    if (running?.id === info.parentID) return [];
    const ended = endRun();
    running = { id: info.parentID, session: info.sessionID };
    return [...ended, runEvent('engine.run-started', running)];
  };

  const onPart = (part: ToolPart): EventBody[] => {
    const message = part.type === 'text' ? roles.messagesIn(part.text ?? '').at(-1) : undefined;
    // Only the person's messages carry markers, and their text comes before their run begins.
    if (message && part.messageID && !parents.has(part.messageID)) messages.set(part.messageID, message);
    if (part.type !== 'tool' || !part.callID) return [];
    const named = roles.callIn(JSON.stringify(part.state ?? {}));
    if (named) calls.set(part.callID, named);
    const call = calls.get(part.callID);
    const attribution = call ? { call } : {};
    const { status, error, metadata } = part.state ?? {};
    const events: EventBody[] = [];
    // `running` alone says little: a call is already called so while it waits for its permission. With output it runs.
    const runs = (status === 'running' && metadata && 'output' in metadata) || status === 'completed';
    if (runs && !started.has(part.callID)) {
      started.add(part.callID);
      events.push({ type: 'engine.tool-started', ...attribution });
    }
    if (status === 'completed') events.push({ type: 'engine.tool-ended', ...attribution, outcome: 'ran' });
    if (status === 'error')
      events.push({ type: 'engine.tool-ended', ...attribution, outcome: error ?? 'error' });
    return events;
  };

  return ({ type, properties }) => {
    switch (type) {
      case 'permission.asked': {
        const asked = properties as unknown as Permission;
        const kind = KINDS[asked.permission ?? ''];
        const run = parents.get(asked.tool?.messageID ?? '');
        const attribution = callOf(roles, asked);
        if (attribution.call) calls.set(asked.id, attribution.call);
        const details = { ...attribution, ...(kind ? { kind } : {}), ...(run ? { run } : {}) };
        return [{ type: 'engine.ask-opened', ask: asked.id, ...details }];
      }
      case 'permission.replied': {
        const { requestID, reply } = properties as { requestID: string; reply: string };
        const call = calls.get(requestID);
        const outcome = reply === 'reject' ? 'denied' : 'approved';
        const attribution = call ? { call } : {};
        return [{ type: 'engine.ask-settled', ask: requestID, ...attribution, outcome, reason: reply }];
      }
      case 'message.updated':
        return onMessage(properties.info as MessageInfo);
      case 'message.part.updated':
        return onPart(properties.part as ToolPart);
      case 'session.error': {
        const { error, sessionID } = properties as { error?: { name?: string }; sessionID?: string };
        if (running && running.session === sessionID) {
          running.cancelled = error?.name === 'MessageAbortedError' ? 'cancelled' : (error?.name ?? 'failed');
        }
        return [];
      }
      case 'session.idle':
        return running?.session === properties.sessionID ? endRun() : [];
      default:
        return [];
    }
  };
}
