import { type Conversation, inputText, pieces, promptTokens, tokens } from '../conversation.ts';
import { type Encoder, freshId, type Json, sse } from './wire.ts';

/** What the provider remembers: items by their id, and whole conversations by the id of their last response. */
export interface Stored {
  items: Map<string, Json>;
  responses: Map<string, Json[]>;
}

/** Type and code of an error with this HTTP status. */
export const errorType = (status: number): string => {
  if (status === 429) return 'rate_limit_exceeded';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
};

/** The events of one response. What it makes is remembered, so that later requests can refer to it. */
export function responsesEncoder(conversation: Conversation, begun: Json[], stored: Stored): Encoder {
  const id = freshId('resp_');
  const output: Json[] = [];
  /** The item that is still open: a message or a thought. */
  let open: { item: Json; text: string; close(): string[] } | undefined;
  let sequence = 0;
  const event = (type: string, data: Json): string =>
    sse({ type, sequence_number: sequence++, ...data }, type);
  const at = () => output.length - 1;
  const begin = (item: Json): string => {
    output.push(item);
    stored.items.set(String(item.id), item);
    return event('response.output_item.added', { output_index: at(), item: { ...item } });
  };
  const done = (final: Json): string => {
    const item = Object.assign(output.at(-1) ?? {}, final);
    return event('response.output_item.done', { output_index: at(), item: { ...item } });
  };
  const close = (): string[] => {
    const closing = open?.close() ?? [];
    open = undefined;
    return closing;
  };
  const usage = () => {
    const [input, out] = [promptTokens(conversation), tokens(JSON.stringify(output))];
    return {
      input_tokens: input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: out,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + out,
    };
  };
  const created = Math.floor(Date.now() / 1000);
  const response = (status: string, rest: Json = {}): Json => ({
    id,
    object: 'response',
    created_at: created,
    status,
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    model: conversation.model,
    output: status === 'in_progress' ? [] : output,
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    usage: null,
    ...rest,
  });
  const completed = () => {
    stored.responses.set(id, [...begun, ...output]);
    return response('completed', { usage: usage() });
  };

  const openMessage = (): string[] => {
    const item: Json = {
      id: freshId('msg_'),
      type: 'message',
      status: 'in_progress',
      role: 'assistant',
      content: [],
    };
    const place = { item_id: item.id, output_index: output.length, content_index: 0 };
    const part = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] });
    const opening = [begin(item), event('response.content_part.added', { ...place, part: part('') })];
    const made = {
      item: place as Json,
      text: '',
      close: () => [
        event('response.output_text.done', { ...place, text: made.text, logprobs: [] }),
        event('response.content_part.done', { ...place, part: part(made.text) }),
        done({ status: 'completed', content: [part(made.text)] }),
      ],
    };
    open = made;
    return opening;
  };

  const openThought = (): string[] => {
    const item: Json = { id: freshId('rs_'), type: 'reasoning', summary: [], encrypted_content: null };
    const place = { item_id: item.id, output_index: output.length, summary_index: 0 };
    const part = (text: string) => ({ type: 'summary_text', text });
    const opening = [
      begin(item),
      event('response.reasoning_summary_part.added', { ...place, part: part('') }),
    ];
    const made = {
      item: place as Json,
      text: '',
      close: () => [
        event('response.reasoning_summary_text.done', { ...place, text: made.text }),
        event('response.reasoning_summary_part.done', { ...place, part: part(made.text) }),
        done({ summary: [part(made.text)] }),
      ],
    };
    open = made;
    return opening;
  };

  const say = (kind: 'content_index' | 'summary_index', texts: string[]): string[] => {
    const goesOn = open && kind in open.item;
    const before = goesOn ? [] : [...close(), ...(kind === 'content_index' ? openMessage() : openThought())];
    const block = open;
    if (!block) return before;
    block.text += texts.join('');
    const [type, extra] =
      kind === 'content_index'
        ? ['response.output_text.delta', { logprobs: [] }]
        : ['response.reasoning_summary_text.delta', {}];
    return [...before, ...texts.map((delta) => event(type, { ...block.item, delta, ...extra }))];
  };

  return {
    start: () => [
      event('response.created', { response: response('in_progress') }),
      event('response.in_progress', { response: response('in_progress') }),
    ],
    text: (texts) => say('content_index', texts),
    reasoning: (texts) => say('summary_index', texts),
    call: (call) => {
      const before = close();
      const callId = freshId('call_');
      const input = inputText(call);
      if (call.tool.form === 'local-shell') {
        const action = { type: 'exec', command: ['bash', '-lc', input], env: {} };
        const item = { id: freshId('lsh_'), type: 'local_shell_call', call_id: callId, action };
        const opening = [...before, begin({ ...item, status: 'in_progress' })];
        return { opening, closing: [done({ status: 'completed' })] };
      }
      const freeform = call.tool.form === 'freeform';
      const field = freeform ? 'input' : 'arguments';
      const name = freeform ? 'response.custom_tool_call_input' : 'response.function_call_arguments';
      const item: Json = {
        id: freshId(freeform ? 'ctc_' : 'fc_'),
        type: freeform ? 'custom_tool_call' : 'function_call',
        status: 'in_progress',
        call_id: callId,
        name: call.tool.name,
        ...(call.tool.namespace ? { namespace: call.tool.namespace } : {}),
        [field]: '',
      };
      const place = { item_id: item.id, output_index: output.length };
      const delta = (text: string) => event(`${name}.delta`, { ...place, delta: text });
      const [first = '', ...rest] = pieces(input, 2);
      const opening = [...before, begin(item), delta(first)];
      return {
        opening,
        closing: [
          ...rest.map(delta),
          event(`${name}.done`, { ...place, [field]: input, ...(freeform ? {} : { name: call.tool.name }) }),
          done({ status: 'completed', [field]: input }),
        ],
      };
    },
    finish: () => {
      const closing = close();
      return [...closing, event('response.completed', { response: completed() })];
    },
    // Both events are sent, as the provider does: some clients read only the one, some only the other.
    error: (status, message) => {
      const error = { type: errorType(status), code: errorType(status), message, param: null };
      const failed = response('failed', { error: { code: error.code, message } });
      return [
        event('error', { code: error.code, message, param: null, error }),
        event('response.failed', { response: failed }),
      ];
    },
    whole: () => {
      close();
      return completed();
    },
  };
}
