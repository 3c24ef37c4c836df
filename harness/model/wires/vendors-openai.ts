import OpenAI from 'openai';
import { SHELL } from '../rehearsal.ts';
import { type Heard, hear, nothing, parameters, type Told, type Vendor } from './vendor.ts';

const openai = (url: string) => new OpenAI({ baseURL: `${url}/v1`, apiKey: 'sk-test', maxRetries: 0 });

/** OpenAI's SDK on Chat Completions. */
export const chat: Vendor = {
  wire: 'openai-chat',
  finish: ['stop', 'tool_calls'],
  reasons: false,
  say: async (url, text, { told = [], signal, tools = true, hears } = {}) => {
    const heard = nothing();
    const stream = await openai(url).chat.completions.create(
      { ...chatBody(text, told, tools), stream: true, stream_options: { include_usage: true } },
      { signal },
    );
    const inputs: string[] = [];
    for await (const chunk of stream) {
      const choice = chunk.choices[0];
      if (choice?.delta.content) hear(heard, choice.delta.content, hears);
      for (const call of choice?.delta.tool_calls ?? []) {
        if (call.id) heard.calls[call.index] = { id: call.id, name: call.function?.name ?? '', input: '' };
        inputs[call.index] = (inputs[call.index] ?? '') + (call.function?.arguments ?? '');
      }
      if (choice?.finish_reason) heard.finish = choice.finish_reason;
      heard.output = chunk.usage?.completion_tokens ?? heard.output;
    }
    heard.calls.forEach((call, at) => {
      call.input = JSON.parse(inputs[at] ?? '');
    });
    return heard;
  },
  whole: async (url, text) => {
    const made = await openai(url).chat.completions.create(chatBody(text, [], true));
    const [choice] = made.choices;
    return {
      ...nothing(),
      text: choice?.message.content ?? '',
      calls: (choice?.message.tool_calls ?? []).flatMap((call) =>
        call.type === 'function'
          ? [{ id: call.id, name: call.function.name, input: JSON.parse(call.function.arguments) }]
          : [],
      ),
      finish: choice?.finish_reason ?? '',
      output: made.usage?.completion_tokens ?? 0,
    };
  },
};

const chatBody = (
  text: string,
  told: Told[],
  tools: boolean,
): OpenAI.ChatCompletionCreateParamsNonStreaming => ({
  model: 'scripted-model',
  messages: [
    { role: 'system', content: 'You are an agent.' },
    { role: 'user', content: [{ type: 'text', text }] },
    ...(told.length > 0
      ? [
          {
            role: 'assistant' as const,
            tool_calls: told.map(({ id, name, input }) => ({
              id,
              type: 'function' as const,
              function: { name, arguments: JSON.stringify(input) },
            })),
          },
        ]
      : []),
    ...told.flatMap(({ id, result }) =>
      result === undefined ? [] : [{ role: 'tool' as const, tool_call_id: id, content: result }],
    ),
  ],
  ...(tools ? { tools: [{ type: 'function', function: { name: SHELL.name, parameters } }] } : {}),
});

/** OpenAI's SDK on Responses. */
export const responses: Vendor = {
  wire: 'openai-responses',
  finish: ['completed', 'completed'],
  reasons: true,
  say: async (url, text, { told = [], signal, tools = true, hears } = {}) => {
    const heard = nothing();
    const stream = openai(url).responses.stream(responsesBody(text, told, tools), { signal });
    for await (const event of stream) {
      if (event.type === 'response.output_text.delta') hear(heard, event.delta, hears);
      if (event.type === 'response.failed') throw new Error(event.response.error?.message);
    }
    return { ...ofResponse(await stream.finalResponse()), deltas: heard.deltas };
  },
  whole: async (url, text) => ofResponse(await openai(url).responses.create(responsesBody(text, [], true))),
};

const responsesBody = (text: string, told: Told[], tools: boolean) => ({
  model: 'scripted-model',
  instructions: 'You are an agent.',
  input: [
    { role: 'user' as const, content: text },
    ...told.map(({ id, name, input }) => ({
      type: 'function_call' as const,
      call_id: id,
      name,
      arguments: JSON.stringify(input),
    })),
    ...told.flatMap(({ id, result }) =>
      result === undefined ? [] : [{ type: 'function_call_output' as const, call_id: id, output: result }],
    ),
  ],
  ...(tools ? { tools: [{ type: 'function' as const, name: SHELL.name, parameters, strict: false }] } : {}),
});

const ofResponse = (made: OpenAI.Responses.Response): Heard => ({
  ...nothing(),
  text: made.output
    .flatMap((o) => (o.type === 'message' ? o.content : []))
    .map((part) => (part.type === 'output_text' ? part.text : ''))
    .join(''),
  reasoning: made.output
    .flatMap((o) => (o.type === 'reasoning' ? o.summary.map((s) => s.text) : []))
    .join(''),
  calls: made.output.flatMap((o) =>
    o.type === 'function_call' ? [{ id: o.call_id, name: o.name, input: JSON.parse(o.arguments) }] : [],
  ),
  output: made.usage?.output_tokens ?? 0,
  finish: made.status ?? '',
});
