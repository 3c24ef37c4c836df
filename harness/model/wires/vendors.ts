import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { SHELL } from '../rehearsal.ts';

/** What a vendor's own SDK made of one answer. */
export interface Heard {
  text: string;
  reasoning: string;
  calls: { id: string; name: string; input: unknown }[];
  /** Number of pieces that the text came in. */
  deltas: number;
  output: number;
  finish: string;
}

/** A call and its result, to be told with the next request. */
export interface Told {
  id: string;
  name: string;
  input: unknown;
  result?: string;
}

export interface SayOptions {
  told?: Told[];
  signal?: AbortSignal;
  /** Whether a tool is offered. Default true. */
  tools?: boolean;
  /** Called with the text so far, whenever some arrives. */
  hears?: (text: string) => void;
}

/** One vendor's SDK as the client of its wire. */
export interface Vendor {
  wire: 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'gemini';
  /** Finish reasons of a turn that says something and of one that calls. */
  finish: [string, string];
  reasons: boolean;
  say(url: string, text: string, options?: SayOptions): Promise<Heard>;
  /** The same without a stream; the text only. */
  whole(url: string, text: string): Promise<Heard>;
}

const nothing = (): Heard => ({ text: '', reasoning: '', calls: [], deltas: 0, output: 0, finish: '' });
const parameters = { ...SHELL.schema, required: [...SHELL.schema.required] };
const hear = (heard: Heard, text: string, hears?: SayOptions['hears']): void => {
  heard.text += text;
  heard.deltas += 1;
  hears?.(heard.text);
};

const openai = (url: string) => new OpenAI({ baseURL: `${url}/v1`, apiKey: 'sk-test', maxRetries: 0 });

const chat: Vendor = {
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

const responses: Vendor = {
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

const anthropic: Vendor = {
  wire: 'anthropic-messages',
  finish: ['end_turn', 'tool_use'],
  reasons: true,
  say: async (url, text, { told = [], signal, tools = true, hears } = {}) => {
    const heard = nothing();
    const stream = claude(url).messages.stream(messagesBody(text, told, tools), { signal });
    stream.on('text', (delta) => hear(heard, delta, hears));
    return { ...ofMessage(await stream.finalMessage()), deltas: heard.deltas };
  },
  whole: async (url, text) => ofMessage(await claude(url).messages.create(messagesBody(text, [], true))),
};

const claude = (url: string) => new Anthropic({ baseURL: url, apiKey: 'sk-test', maxRetries: 0 });

const messagesBody = (
  text: string,
  told: Told[],
  tools: boolean,
): Anthropic.MessageCreateParamsNonStreaming => ({
  model: 'scripted-model',
  max_tokens: 1000,
  system: 'You are an agent.',
  messages: [
    { role: 'user', content: [{ type: 'text', text }] },
    ...(told.length > 0
      ? [
          {
            role: 'assistant' as const,
            content: told.map(({ id, name, input }) => ({ type: 'tool_use' as const, id, name, input })),
          },
          {
            role: 'user' as const,
            content: told.flatMap(({ id, result }) =>
              result === undefined
                ? []
                : [{ type: 'tool_result' as const, tool_use_id: id, content: result }],
            ),
          },
        ]
      : []),
  ],
  ...(tools ? { tools: [{ name: SHELL.name, input_schema: parameters }] } : {}),
});

const ofMessage = (made: Anthropic.Message): Heard => ({
  ...nothing(),
  text: made.content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
  reasoning: made.content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
  calls: made.content.flatMap((block) =>
    block.type === 'tool_use' ? [{ id: block.id, name: block.name, input: block.input }] : [],
  ),
  output: made.usage.output_tokens,
  finish: made.stop_reason ?? '',
});

const google: Vendor = {
  wire: 'gemini',
  finish: ['STOP', 'STOP'],
  reasons: true,
  say: async (url, text, { told = [], signal, tools = true, hears } = {}) => {
    const heard = nothing();
    const body = geminiBody(text, told, tools);
    const stream = await genai(url).models.generateContentStream({
      ...body,
      config: { ...body.config, ...(signal ? { abortSignal: signal } : {}) },
    });
    for await (const chunk of stream) hearChunk(heard, chunk, hears);
    return heard;
  },
  whole: async (url, text) => {
    const heard = nothing();
    hearChunk(heard, await genai(url).models.generateContent(geminiBody(text, [], true)));
    return heard;
  },
};

const genai = (url: string) => new GoogleGenAI({ apiKey: 'sk-test', httpOptions: { baseUrl: url } });

const geminiBody = (text: string, told: Told[], tools: boolean) => ({
  model: 'gemini-2.5-flash',
  contents: [
    { role: 'user', parts: [{ text }] },
    ...(told.length > 0
      ? [
          {
            role: 'model',
            parts: told.map(({ name, input }) => ({
              functionCall: { name, args: input as Record<string, unknown> },
            })),
          },
          {
            role: 'user',
            parts: told.flatMap(({ name, result }) =>
              result === undefined ? [] : [{ functionResponse: { name, response: { output: result } } }],
            ),
          },
        ]
      : []),
  ],
  config: {
    systemInstruction: 'You are an agent.',
    ...(tools
      ? { tools: [{ functionDeclarations: [{ name: SHELL.name, parametersJsonSchema: parameters }] }] }
      : {}),
  },
});

function hearChunk(
  heard: Heard,
  chunk: Awaited<ReturnType<GoogleGenAI['models']['generateContent']>>,
  hears?: SayOptions['hears'],
): void {
  const [candidate] = chunk.candidates ?? [];
  for (const part of candidate?.content?.parts ?? []) {
    if (part.functionCall) {
      const { id = '', name = '', args } = part.functionCall;
      heard.calls.push({ id, name, input: args });
    } else if (part.thought) heard.reasoning += part.text ?? '';
    else if (part.text) hear(heard, part.text, hears);
  }
  heard.finish = candidate?.finishReason ?? heard.finish;
  heard.output = chunk.usageMetadata?.candidatesTokenCount ?? heard.output;
}

/** Every vendor's SDK, one per wire. */
export const vendors: readonly Vendor[] = [chat, responses, anthropic, google];
