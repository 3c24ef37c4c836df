import type { ConversationCall, MessageRole, ModelRequest } from '../history/events.ts';
import type { Roles } from '../history/roles.ts';
import type { Conversation, Item } from './conversation.ts';
import { toldBy } from './told.ts';
import { isQuestionTool } from './tools.ts';

type Call = Extract<Item, { is: 'call' }>;
type Result = Extract<Item, { is: 'result' }>;

/** What a request says, attributed to the hand-off's messages and calls. */
export type Attribution = Pick<ModelRequest, 'message' | 'carries' | 'calls' | 'orphanResults' | 'tools'>;

/** Reads whose request this is and how each call of its conversation fares. */
export function attribute(conversation: Conversation, roles: Roles): Attribution {
  const marked = conversation.items
    .flatMap((item) => (item.is === 'user' ? [roles.messagesIn(item.text)] : []))
    .filter((found) => found.length > 0);
  const carries: MessageRole[] = [...new Set(marked.flat())];
  const message = marked.at(-1)?.at(-1);
  const { calls, orphans } = pair(conversation.items);
  return {
    ...(message ? { message } : {}),
    carries,
    calls: calls.map(({ call, results }) => fareOf(call, results, roles)),
    orphanResults: orphans,
    tools: conversation.tools.map((tool) => tool.name),
  };
}

function fareOf(call: Call, results: Result[], roles: Roles): ConversationCall {
  const role = roles.callIn(call.input);
  const described: ConversationCall = { id: call.id ?? '', results: results.length };
  if (role) described.role = role;
  // With several results the last is what the model has read last.
  const last = results.at(-1);
  if (last) {
    described.told = toldBy(last, { ...(role ? { role } : {}), question: isQuestionTool(call.name) }, roles);
    described.text = last.text.slice(0, 200);
  }
  return described;
}

/**
 * Puts results to calls: by id, and where a wire leaves ids out, by name within the latest turn of calls. A result
 * without an id is never given to a call of an earlier turn, for that would hide a call that has none.
 */
function pair(items: Item[]): { calls: { call: Call; results: Result[] }[]; orphans: number } {
  const calls: { call: Call; results: Result[]; turn: number }[] = [];
  let orphans = 0;
  let turn = 0;
  let before: Item['is'] | undefined;
  for (const item of items) {
    if (item.is === 'call') {
      if (before === 'result' || before === 'user') turn += 1;
      // The same call twice in one conversation is one call; its results are counted together.
      if (!item.id || !calls.some(({ call }) => call.id === item.id))
        calls.push({ call: item, results: [], turn });
    } else if (item.is === 'result') {
      const byId = item.id ? calls.findLast(({ call }) => call.id === item.id) : undefined;
      const byName = calls.filter(
        (made) => made.turn === turn && made.call.name === item.name && (!made.call.id || !item.id),
      );
      const found = byId ?? byName.find((made) => made.results.length === 0) ?? byName.at(-1);
      if (found) found.results.push(item);
      else orphans += 1;
    }
    before = item.is;
  }
  return { calls, orphans };
}

/** A request in words, for the error that says that it was not scripted. */
export function shapeOf(where: { wire: string; path: string }, conversation: Conversation): string {
  const by = new Map<string, number>();
  for (const { is } of conversation.items) by.set(is, (by.get(is) ?? 0) + 1);
  const said = [...by].map(([is, count]) => `${count} ${is}`).join(', ') || 'nothing';
  const last = conversation.items.findLast((item) => item.is === 'user');
  const text = last && 'text' in last ? last.text.slice(0, 200) : '';
  const tools = conversation.tools.map((tool) => tool.name).join(', ') || 'none';
  return `${where.wire} ${where.path}: ${said}; tools: ${tools}; last user text: ${JSON.stringify(text)}`;
}
