import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { SHELL } from '../rehearsal.ts';
import { type Heard, hear, nothing, parameters, type SayOptions, type Told, type Vendor } from './vendor.ts';
import { chat, responses } from './vendors-openai.ts';

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
