import { type Conversation, type Item, promptTokens, type Schema, tokens } from '../conversation.ts';
import { type Encoder, freshId, type Json, object, objects, sse, type Wire } from './wire.ts';

const METHOD = /\/models\/([^/:]+):(\w+)$/;

/** Generative Language API: `POST .../models/<id>:generateContent` and `:streamGenerateContent?alt=sse`. */
export const gemini = (): Wire => ({
  name: 'gemini',
  recognise: ({ method, path, body }) => {
    const called = METHOD.exec(path)?.[2];
    if (method === 'POST' && (called === 'generateContent' || called === 'streamGenerateContent'))
      return { as: 'turn' };
    if (method === 'POST' && called === 'countTokens') {
      const counted = object(object(body).generateContentRequest ?? body);
      return { as: 'side', answer: { totalTokens: tokens(JSON.stringify(counted)) } };
    }
    if (method !== 'GET' || !/^\/v1(beta|alpha)/.test(path)) return undefined;
    if (path.endsWith('/models')) return { as: 'side', answer: { models: [model('scripted-model')] } };
    const named = /\/models\/([^/:]+)$/.exec(path)?.[1];
    return named ? { as: 'side', answer: model(named) } : undefined;
  },
  parse: ({ path, body }) => {
    const { contents, tools, systemInstruction, system_instruction, generationConfig } = object(body);
    if (!Array.isArray(contents)) throw new Error('the body has no list of contents');
    const [, name = 'scripted-model', called] = METHOD.exec(path) ?? [];
    const system = object(systemInstruction ?? system_instruction);
    const config = object(generationConfig);
    const schema = (config.responseJsonSchema ?? config.responseSchema) as Schema | undefined;
    const wantsJson = config.responseMimeType === 'application/json';
    return {
      model: name,
      stream: called === 'streamGenerateContent',
      items: [
        ...(system.parts ? [{ is: 'system', text: plainText(system.parts) } as Item] : []),
        ...objects(contents).flatMap(itemsOf),
      ],
      tools: objects(tools)
        .flatMap((tool) => objects(tool.functionDeclarations ?? tool.function_declarations))
        .map((told) => {
          const parameters = (told.parametersJsonSchema ?? told.parameters) as Schema | undefined;
          return { name: String(told.name), form: 'function', ...(parameters ? { schema: parameters } : {}) };
        }),
      ...(schema ? { answerSchema: schema } : wantsJson ? { answerSchema: { type: 'object' } } : {}),
    };
  },
  encoder,
  error: errorBody,
});

const model = (name: string): Json => ({
  name: `models/${name}`,
  version: '001',
  displayName: 'Scripted model',
  inputTokenLimit: 1_048_576,
  outputTokenLimit: 65_536,
  supportedGenerationMethods: ['generateContent', 'countTokens'],
});

function errorBody(status: number, message: string): Json {
  const names: Record<number, string> = {
    400: 'INVALID_ARGUMENT',
    404: 'NOT_FOUND',
    429: 'RESOURCE_EXHAUSTED',
  };
  const name = names[status] ?? (status === 503 ? 'UNAVAILABLE' : 'INTERNAL');
  return { error: { code: status, message, status: name } };
}

const plainText = (parts: unknown): string =>
  objects(parts)
    .filter((part) => typeof part.text === 'string' && part.thought !== true)
    .map((part) => part.text)
    .join('\n');

function itemsOf(content: Json): Item[] {
  const is = content.role === 'model' ? 'assistant' : 'user';
  const items: Item[] = [];
  for (const part of objects(content.parts)) {
    const [call, response] = [object(part.functionCall), object(part.functionResponse)];
    const last = items.at(-1);
    if (part.functionCall) {
      const input = JSON.stringify(call.args ?? {});
      items.push({ is: 'call', ...idOf(call), name: String(call.name), input });
    } else if (part.functionResponse) {
      items.push({
        is: 'result',
        ...idOf(response),
        name: String(response.name),
        ...resultOf(object(response.response)),
      });
    } else if (typeof part.text === 'string' && part.thought !== true) {
      if (last?.is === is) last.text += `\n${part.text}`;
      else items.push({ is, text: part.text });
    }
  }
  return items;
}

const idOf = (of: Json): { id?: string } => (of.id ? { id: String(of.id) } : {});

/** The result is an object of the client's own making; a single text in it is the result itself. */
function resultOf(response: Json): { text: string; failed?: boolean } {
  const failed = response.error !== undefined && response.error !== null;
  const only = [response.error, response.output, response.result, response.content].filter(
    (v) => v !== undefined,
  );
  const text = only.length === 1 && typeof only[0] === 'string' ? only[0] : JSON.stringify(response);
  return { text, ...(failed ? { failed } : {}) };
}

function encoder(conversation: Conversation): Encoder {
  const responseId = freshId('');
  // Models before the third generation give their calls no ids; clients pair by name and position there.
  const withIds = !/^gemini-(1|2)\b/.test(conversation.model);
  const said: Json[] = [];
  const prompt = promptTokens(conversation);
  const usage = () => {
    const output = tokens(JSON.stringify(said));
    return { promptTokenCount: prompt, candidatesTokenCount: output, totalTokenCount: prompt + output };
  };
  const response = (parts: Json[], finishReason?: string): Json => ({
    candidates: [{ content: { parts, role: 'model' }, index: 0, ...(finishReason ? { finishReason } : {}) }],
    usageMetadata: usage(),
    modelVersion: conversation.model,
    responseId,
  });
  const send = (part: Json): string => {
    said.push(part);
    return sse(response([part]));
  };
  return {
    start: () => [],
    text: (texts) => texts.map((text) => send({ text })),
    reasoning: (texts) => texts.map((text) => send({ text, thought: true })),
    // This wire sends a call whole, so a stream that is held within a call is held before it.
    call: (call) => {
      const first = !said.some((part) => part.functionCall);
      const made = { ...(withIds ? { id: freshId('') } : {}), name: call.tool.name, args: call.input };
      return {
        opening: [],
        closing: [send({ functionCall: made, ...(first ? { thoughtSignature: SIGNATURE } : {}) })],
      };
    },
    finish: () => [sse(response([{ text: '' }], 'STOP'))],
    // Bare, as the provider sends it: the vendor's SDK sees an error only in a piece that is no event.
    error: (status, message) => [`${JSON.stringify(errorBody(status, message))}\n\n`],
    whole: () => response(joined(said), 'STOP'),
  };
}

/** Pieces of a text put together again, as an answer that is not streamed has them. */
function joined(parts: Json[]): Json[] {
  const whole: Json[] = [];
  for (const part of parts) {
    const last = whole.at(-1);
    if (last && 'text' in part && 'text' in last && last.thought === part.thought)
      last.text = `${last.text}${part.text}`;
    else whole.push({ ...part });
  }
  return whole;
}

/** Clients only carry it along with the first call of a turn. */
const SIGNATURE = 'c2NyaXB0ZWQtc2lnbmF0dXJl';
