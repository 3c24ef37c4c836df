import type { ToolCallContent, ToolCallUpdate, ToolKind } from '@agentclientprotocol/sdk';
import type { CallRole, ScreenRow } from '../../history/events.ts';
import type { Roles } from '../../history/roles.ts';
import type { AskKind } from '../../history/vocabulary.ts';

/** A tool call as the updates of one session tell it, merged, and what the person did about it. */
export interface ToolCall {
  id: string;
  session: string;
  status: string;
  title: string;
  kind?: AskKind;
  input: string;
  content: string;
  call?: CallRole;
  /** What the person's own client knows before the agent says anything. */
  person?: 'approved' | 'denied' | 'cancelled';
}

/** What a session's updates may carry. Values come unchecked from the pipe, so every field may be missing. */
export type RawToolCall = Partial<ToolCallUpdate>;

const KINDS: Partial<Record<ToolKind, AskKind>> = {
  execute: 'command',
  edit: 'edit',
  delete: 'edit',
  move: 'edit',
  read: 'read',
  search: 'read',
  fetch: 'read',
  switch_mode: 'plan',
};
const LONGEST_TEXT = 400;

/** Whether the agent itself has declared the call over. */
export const isOver = (call: ToolCall): boolean => /^(completed|failed|cancelled)$/.test(call.status);

/** The tool calls of all sessions, in the order in which they appeared. */
export class ToolCalls {
  readonly #calls: ToolCall[] = [];
  readonly #roles: Roles;

  constructor(roles: Roles) {
    this.#roles = roles;
  }

  /** Merges what an update or a permission request says of a call. */
  merge(session: string, raw: RawToolCall, fresh = false): ToolCall {
    const id = String(raw.toolCallId ?? '');
    let call = this.#calls.findLast((known) => known.session === session && known.id === id);
    // Some agents number their calls from the start in every run: a new call must not revive the row of an old one.
    if (!call || (fresh && isOver(call))) {
      call = { id, session, status: 'pending', title: '', input: '', content: '' };
      this.#calls.push(call);
    }
    if (raw.status) call.status = raw.status;
    if (raw.title) call.title = raw.title;
    if (raw.kind && KINDS[raw.kind]) call.kind = KINDS[raw.kind];
    if (raw.rawInput !== undefined) call.input = JSON.stringify(raw.rawInput) ?? '';
    if (Array.isArray(raw.content)) call.content = raw.content.map(textOf).join('\n');
    const role = call.call ?? this.#roles.callIn(textOfCall(call));
    if (role) call.call = role;
    return call;
  }

  of(session: string): ToolCall[] {
    return this.#calls.filter((call) => call.session === session);
  }

  /** The last call of this role, in whatever session. */
  withRole(role: CallRole): ToolCall | undefined {
    return this.#calls.findLast((call) => call.call === role);
  }
}

/** Everything that is shown of a call. */
export const textOfCall = (call: ToolCall): string =>
  [call.title, call.content, call.input].filter(Boolean).join('\n').slice(0, LONGEST_TEXT);

/** The call as a row of the conversation. `waits`: an ask about it is open. */
export function rowOf(call: ToolCall, waits: boolean): ScreenRow {
  const outcome = waits && !isOver(call) ? 'waiting' : outcomeOf(call);
  return { ...(call.call ? { call: call.call } : {}), outcome, text: textOfCall(call) };
}

/** Agents report a call that ended before it began as `completed`, and say in its content that it never ran. */
const SAYS_IT_NEVER_RAN = /\b(cancell?ed|rejected|denied|declined|aborted) by (the )?user\W*$/i;

/** What a person reads became of the call: its status, its content, and what the person did about it. */
export function outcomeOf(call: ToolCall): ScreenRow['outcome'] {
  const refused = call.person === 'denied' || call.person === 'cancelled';
  switch (call.status) {
    case 'completed':
      return SAYS_IT_NEVER_RAN.test(call.content.slice(0, LONGEST_TEXT)) ? 'denied' : 'ran';
    case 'cancelled':
      return 'denied';
    case 'failed':
      return refused ? 'denied' : 'failed';
    default:
      // The protocol wants the client to mark unfinished calls cancelled by itself, as soon as it cancels or rejects.
      if (refused) return 'denied';
      if (call.status === 'in_progress') return 'running';
      // After an approval only the agent knows whether the call has begun: a guess here would be evidence against it.
      return call.person === 'approved' ? 'unknown' : 'waiting';
  }
}

function textOf(part: ToolCallContent): string {
  if (part.type === 'content') return part.content?.type === 'text' ? part.content.text : '';
  if (part.type === 'diff') return `${part.path}\n${part.newText}`;
  return '';
}
