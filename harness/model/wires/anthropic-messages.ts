import {
  type Conversation,
  type Item,
  inputText,
  pieces,
  promptTokens,
  type Schema,
  tokens,
} from '../conversation.ts';
import {
  type Encoder,
  freshId,
  type Json,
  lastSegment,
  object,
  objects,
  sse,
  textOf,
  type Wire,
} from './wire.ts';

/** Messages: `POST .../messages`, token counts, and the model list as its own clients read it. */
export const anthropicMessages = (): Wire => ({
  name: 'anthropic-messages',
  recognise: (request) => {
    const { method, path, headers } = request;
    if (method === 'POST' && path.endsWith('/messages')) return { as: 'turn' };
    if (method === 'POST' && path.endsWith('/messages/count_tokens')) {
      return { as: 'side', answer: { input_tokens: tokens(JSON.stringify(request.body)) } };
    }
    // The path of the model list is that of another wire; only the version header tells them apart.
    if (method !== 'GET' || !headers['anthropic-version']) return undefined;
    if (path.endsWith('/models')) {
      const only = model('scripted-model');
      return { as: 'side', answer: { data: [only], has_more: false, first_id: only.id, last_id: only.id } };
    }
    return /\/models\/[^/]+$/.test(path) ? { as: 'side', answer: model(lastSegment(path)) } : undefined;
  },
  parse: ({ body }) => parse(body),
  encoder,
  error: (status, message) => ({ type: 'error', error: { type: errorType(status), message } }),
});

const model = (id: string): Json => ({
  type: 'model',
  id,
  display_name: 'Scripted model',
  created_at: '2025-01-01T00:00:00Z',
});

const errorType = (status: number): string =>
  ({ 401: 'authentication_error', 404: 'not_found_error', 429: 'rate_limit_error', 529: 'overloaded_error' })[
    status
  ] ?? (status >= 500 ? 'api_error' : 'invalid_request_error');

function parse(body: unknown): Conversation {
  const { messages, tools, model: name, stream, system, output_format, output_config } = object(body);
  if (!Array.isArray(messages)) throw new Error('the body has no list of messages');
  const schema = object(output_format ?? object(output_config).format).schema as Schema | undefined;
  return {
    model: String(name ?? 'scripted-model'),
    stream: stream === true,
    items: [
      ...(system ? [{ is: 'system', text: textOf(system) } as Item] : []),
      ...objects(messages).flatMap(itemsOf),
    ],
    tools: objects(tools).map((tool) => ({
      name: String(tool.name),
      form: 'function',
      ...(tool.input_schema ? { schema: tool.input_schema as Schema } : {}),
    })),
    ...(schema ? { answerSchema: schema } : {}),
  };
}

/** One message is cut at its calls and results; the texts between them stay together. */
function itemsOf(message: Json): Item[] {
  const is = message.role === 'assistant' ? 'assistant' : message.role === 'system' ? 'system' : 'user';
  if (typeof message.content === 'string') return [{ is, text: message.content }];
  const items: Item[] = [];
  for (const block of objects(message.content)) {
    const last = items.at(-1);
    if (block.type === 'text') {
      if (last?.is === is) last.text += `\n${String(block.text)}`;
      else items.push({ is, text: String(block.text) });
    } else if (block.type === 'tool_use') {
      const input = JSON.stringify(block.input ?? {});
      items.push({ is: 'call', id: String(block.id), name: String(block.name), input });
    } else if (block.type === 'tool_result') {
      const failed = block.is_error === true;
      items.push({
        is: 'result',
        id: String(block.tool_use_id),
        text: textOf(block.content),
        ...(failed ? { failed } : {}),
      });
    }
  }
  return items;
}

function encoder(conversation: Conversation): Encoder {
  const blocks: Json[] = [];
  /** The block that is still open, by its type. */
  let open: 'text' | 'thinking' | undefined;
  const event = (type: string, data: Json = {}): string => sse({ type, ...data }, type);
  const delta = (data: Json) => event('content_block_delta', { index: blocks.length - 1, delta: data });
  const begin = (block: Json) => {
    blocks.push(block);
    return event('content_block_start', { index: blocks.length - 1, content_block: { ...block } });
  };
  const end = (): string[] => {
    if (!open) return [];
    const signed = open === 'thinking' ? [delta({ type: 'signature_delta', signature: SIGNATURE })] : [];
    if (open === 'thinking') Object.assign(blocks.at(-1) ?? {}, { signature: SIGNATURE });
    open = undefined;
    return [...signed, event('content_block_stop', { index: blocks.length - 1 })];
  };
  const say = (type: 'text' | 'thinking', texts: string[]): string[] => {
    const empty = type === 'text' ? { type, text: '' } : { type, thinking: '', signature: '' };
    const before = open === type ? [] : [...end(), begin(empty)];
    open = type;
    const block = object(blocks.at(-1));
    block[type] = `${block[type]}${texts.join('')}`;
    return [...before, ...texts.map((text) => delta({ type: `${type}_delta`, [type]: text }))];
  };
  const stopReason = () => (blocks.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn');
  const usage = (output: number) => ({
    input_tokens: promptTokens(conversation),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: output,
  });
  const message = (rest: Json): Json => ({
    id,
    type: 'message',
    role: 'assistant',
    model: conversation.model,
    stop_sequence: null,
    ...rest,
  });
  const id = freshId('msg_');
  return {
    start: () => [
      event('message_start', { message: message({ content: [], stop_reason: null, usage: usage(1) }) }),
      event('ping'),
    ],
    text: (texts) => say('text', texts),
    reasoning: (texts) => say('thinking', texts),
    call: (call) => {
      const before = end();
      const use = { type: 'tool_use', id: freshId('toolu_'), name: call.tool.name };
      const started = begin({ ...use, input: {} });
      Object.assign(blocks.at(-1) ?? {}, { input: call.input });
      const json = (text: string) => delta({ type: 'input_json_delta', partial_json: text });
      const [first = '', ...rest] = pieces(inputText(call), 2);
      return {
        opening: [...before, started, json(''), json(first)],
        closing: [...rest.map(json), event('content_block_stop', { index: blocks.length - 1 })],
      };
    },
    finish: () => [
      ...end(),
      event('message_delta', {
        delta: { stop_reason: stopReason(), stop_sequence: null },
        usage: { output_tokens: tokens(JSON.stringify(blocks)) },
      }),
      event('message_stop'),
    ],
    error: (status, text) => [event('error', { error: { type: errorType(status), message: text } })],
    whole: () =>
      message({ content: blocks, stop_reason: stopReason(), usage: usage(tokens(JSON.stringify(blocks))) }),
  };
}

/** Real ones prove that a thought was the model's own. Clients only carry it along. */
const SIGNATURE = 'c2NyaXB0ZWQtc2lnbmF0dXJl';
