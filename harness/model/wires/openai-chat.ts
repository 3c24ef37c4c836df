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

/** Chat Completions: `POST .../chat/completions`, and the model list that goes with it. */
export const openaiChat = (): Wire => ({
  name: 'openai-chat',
  recognise: ({ method, path }) => {
    if (method === 'POST' && path.endsWith('/chat/completions')) return { as: 'turn' };
    if (method === 'GET' && path.endsWith('/models')) {
      return { as: 'side', answer: { object: 'list', data: [model('scripted-model')] } };
    }
    if (method === 'GET' && /\/models\/[^/]+$/.test(path))
      return { as: 'side', answer: model(lastSegment(path)) };
    return undefined;
  },
  parse: ({ body }) => {
    const { messages, tools, model: name, stream, stream_options, response_format } = object(body);
    if (!Array.isArray(messages)) throw new Error('the body has no list of messages');
    const format = object(response_format);
    const schema = object(format.json_schema).schema as Schema | undefined;
    return {
      model: String(name ?? 'scripted-model'),
      stream: stream === true,
      wantsUsage: object(stream_options).include_usage === true,
      items: objects(messages).flatMap(itemsOf),
      tools: objects(tools).map((tool) => {
        const told = object(tool.function ?? tool.custom);
        const form = tool.type === 'custom' ? 'freeform' : 'function';
        return {
          name: String(told.name),
          form,
          ...(told.parameters ? { schema: told.parameters as Schema } : {}),
        };
      }),
      ...(schema
        ? { answerSchema: schema }
        : format.type === 'json_object'
          ? { answerSchema: { type: 'object' } }
          : {}),
    };
  },
  encoder,
  error: (status, message) => ({ error: { message, type: errorType(status), param: null, code: null } }),
});

const model = (id: string): Json => ({ id, object: 'model', created: 0, owned_by: 'handoff' });

const errorType = (status: number): string => {
  if (status === 429) return 'rate_limit_exceeded';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
};

function itemsOf(message: Json): Item[] {
  const text = textOf(message.content);
  switch (message.role) {
    case 'system':
    case 'developer':
      return [{ is: 'system', text }];
    case 'user':
      return [{ is: 'user', text }];
    case 'tool':
      return [{ is: 'result', id: String(message.tool_call_id), text }];
    default: {
      const calls = objects(message.tool_calls).map((call): Item => {
        const told = object(call.function ?? call.custom);
        return {
          is: 'call',
          id: String(call.id),
          name: String(told.name),
          input: String(told.arguments ?? told.input ?? ''),
        };
      });
      return [...(text ? [{ is: 'assistant', text } as Item] : []), ...calls];
    }
  }
}

function encoder(conversation: Conversation): Encoder {
  const id = freshId('chatcmpl-');
  const said = { text: '', reasoning: '', calls: [] as Json[] };
  const common = { id, created: Math.floor(Date.now() / 1000), model: conversation.model };
  const chunk = (delta: Json, finish: string | null = null): string =>
    sse({
      ...common,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...(conversation.wantsUsage ? { usage: null } : {}),
    });
  const usage = () => {
    const prompt = promptTokens(conversation);
    const completion = tokens(said.text + said.reasoning + JSON.stringify(said.calls));
    return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
  };
  const reason = () => (said.calls.length > 0 ? 'tool_calls' : 'stop');
  return {
    start: () => [chunk({ role: 'assistant', content: '' })],
    text: (parts) => {
      said.text += parts.join('');
      return parts.map((content) => chunk({ content }));
    },
    // The field that compatible providers use; the wire itself has none.
    reasoning: (parts) => {
      said.reasoning += parts.join('');
      return parts.map((text) => chunk({ reasoning_content: text }));
    },
    call: (call) => {
      const index = said.calls.length;
      const input = inputText(call);
      const freeform = call.tool.form === 'freeform';
      const [type, field] = freeform ? ['custom', 'input'] : ['function', 'arguments'];
      const made = { id: freshId('call_'), type };
      const delta = (text: string) => chunk({ tool_calls: [{ index, [type]: { [field]: text } }] });
      const [first = '', ...rest] = pieces(input, 2);
      said.calls.push({ ...made, [type]: { name: call.tool.name, [field]: input } });
      return {
        opening: [
          chunk({ tool_calls: [{ index, ...made, [type]: { name: call.tool.name, [field]: '' } }] }),
          delta(first),
        ],
        closing: rest.map(delta),
      };
    },
    finish: () => [
      chunk({}, reason()),
      ...(conversation.wantsUsage
        ? [sse({ ...common, object: 'chat.completion.chunk', choices: [], usage: usage() })]
        : []),
      sse('[DONE]'),
    ],
    error: (status, message) => [
      sse({ error: { message, type: errorType(status), param: null, code: String(status) } }),
    ],
    whole: () => ({
      ...common,
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: said.text || null,
            refusal: null,
            ...(said.reasoning ? { reasoning_content: said.reasoning } : {}),
            ...(said.calls.length > 0 ? { tool_calls: said.calls } : {}),
          },
          logprobs: null,
          finish_reason: reason(),
        },
      ],
      usage: usage(),
    }),
  };
}
