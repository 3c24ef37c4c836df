import type { Conversation, Item, OfferedTool, Schema } from '../conversation.ts';
import { errorType, responsesEncoder, type Stored } from './openai-responses-stream.ts';
import { type Json, object, objects, textOf, type Wire } from './wire.ts';

/**
 * Responses: `POST .../responses`. The one wire that keeps state: a client may name what was sent before by
 * `previous_response_id` or by item references instead of sending it again.
 */
export const openaiResponses = (): Wire => {
  const stored: Stored = { items: new Map(), responses: new Map() };
  /** What each conversation began with, in the wire's own items, to be stored with its answer. */
  const begun = new WeakMap<Conversation, Json[]>();
  return {
    name: 'openai-responses',
    recognise: ({ method, path }) => {
      if (method === 'POST' && path.endsWith('/responses')) return { as: 'turn' };
      if (method === 'POST' && path.endsWith('/responses/input_tokens')) {
        return { as: 'side', answer: { object: 'response.input_tokens', input_tokens: 100 } };
      }
      return undefined;
    },
    parse: ({ body }) => {
      const { input, instructions, tools, model, stream, text, previous_response_id } = object(body);
      if (typeof input !== 'string' && !Array.isArray(input)) throw new Error('the body has no input');
      const before = stored.responses.get(String(previous_response_id)) ?? [];
      const sent = typeof input === 'string' ? [{ role: 'user', content: input }] : objects(input);
      const whole = [...before, ...sent.map((item) => referred(item, stored))];
      const format = object(object(text).format);
      const conversation: Conversation = {
        model: String(model ?? 'scripted-model'),
        stream: stream === true,
        items: [
          ...(typeof instructions === 'string' ? [{ is: 'system', text: instructions } as Item] : []),
          ...whole.flatMap(itemsOf),
        ],
        tools: objects(tools).flatMap((tool) => toolsOf(tool)),
        ...(format.schema ? { answerSchema: format.schema as Schema } : {}),
      };
      begun.set(conversation, whole);
      return conversation;
    },
    encoder: (conversation) => responsesEncoder(conversation, begun.get(conversation) ?? [], stored),
    error: (status, message) => ({ error: { message, type: errorType(status), param: null, code: null } }),
  };
};

const referred = (item: Json, stored: Stored): Json =>
  item.type === 'item_reference' ? (stored.items.get(String(item.id)) ?? {}) : item;

function toolsOf(tool: Json, namespace?: string): OfferedTool[] {
  const within = namespace ? { namespace } : {};
  switch (tool.type) {
    case 'function':
      return [
        { name: String(tool.name), form: 'function', schema: object(tool.parameters) as Schema, ...within },
      ];
    case 'custom':
      return [{ name: String(tool.name), form: 'freeform', ...within }];
    case 'local_shell':
      return [{ name: 'local_shell', form: 'local-shell' }];
    case 'namespace':
      return objects(tool.tools).flatMap((inner) => toolsOf(inner, String(tool.name)));
    default:
      // Tools that the provider runs itself, e.g. a web search: offered, but never scripted.
      return [];
  }
}

function itemsOf(item: Json): Item[] {
  const type = String(item.type ?? 'message');
  if (type === 'message') {
    const is = item.role === 'user' ? 'user' : item.role === 'assistant' ? 'assistant' : 'system';
    return [{ is, text: textOf(item.content) }];
  }
  const id = String(item.call_id ?? item.id);
  if (type.endsWith('_call_output')) return [{ is: 'result', id, ...outputOf(item.output) }];
  if (type === 'function_call' || type === 'custom_tool_call') {
    return [{ is: 'call', id, name: String(item.name), input: String(item.arguments ?? item.input ?? '') }];
  }
  if (type === 'local_shell_call') {
    return [{ is: 'call', id, name: 'local_shell', input: JSON.stringify(item.action ?? {}) }];
  }
  return [];
}

const outputOf = (output: unknown): { text: string } => ({
  text: typeof output === 'string' || Array.isArray(output) ? textOf(output) : JSON.stringify(output ?? ''),
});
