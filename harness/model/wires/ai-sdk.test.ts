import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { expect, test } from '@playwright/test';
import { jsonSchema, type LanguageModel, type ModelMessage, streamText, type ToolResultPart, tool } from 'ai';
import { CALLS, callPart, commandOf, type Rehearsal, rehearse, SAY, SHELL } from '../rehearsal.ts';

/** Each wire through the provider package of the AI SDK, with tools that it does not run itself. */
const providers: Record<string, (url: string) => LanguageModel> = {
  'openai-chat': (url) =>
    createOpenAICompatible({ name: 'scripted', baseURL: `${url}/v1`, apiKey: 'sk-test', includeUsage: true })(
      'scripted-model',
    ),
  'openai-responses': (url) => createOpenAI({ baseURL: `${url}/v1`, apiKey: 'sk-test' }).responses('gpt-5'),
  'anthropic-messages': (url) =>
    createAnthropic({ baseURL: `${url}/v1`, apiKey: 'sk-test' })('claude-sonnet-4-5'),
  gemini: (url) =>
    createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, apiKey: 'sk-test' })('gemini-2.5-flash'),
};

const tools = {
  [SHELL.name]: tool({
    description: SHELL.description,
    inputSchema: jsonSchema<{ command: string }>({ ...SHELL.schema, required: [...SHELL.schema.required] }),
  }),
};

for (const [wire, provider] of Object.entries(providers)) {
  test.describe(`${wire}, heard by the AI SDK`, () => {
    let stage: Rehearsal;
    test.beforeEach(async () => {
      stage = await rehearse();
    });
    test.afterEach(() => stage.close());

    const step = async (messages: ModelMessage[]) => {
      const errors: unknown[] = [];
      const made = streamText({
        model: provider(stage.model.url),
        system: 'You are an agent.',
        messages,
        tools,
        maxRetries: 0,
        onError: ({ error }) => {
          errors.push(error);
        },
      });
      await made.consumeStream();
      if (errors.length > 0) throw errors[0];
      return {
        text: await made.text,
        reasoning: await made.reasoningText,
        calls: await made.toolCalls,
        finish: await made.finishReason,
        usage: await made.usage,
        messages: (await made.response).messages as ModelMessage[],
      };
    };

    test('a turn with thought, text and two calls', async () => {
      stage.model.script('A', [
        { parts: [{ reasoning: 'Thinking.' }, { text: 'I will run both.' }, callPart('A'), callPart('A2')] },
      ]);
      const made = await step([{ role: 'user', content: SAY.A }]);
      expect(made).toMatchObject({ text: 'I will run both.', reasoning: 'Thinking.', finish: 'tool-calls' });
      expect(made.calls.map((call) => call.input)).toEqual([
        { command: commandOf('A'), is_background: false },
        { command: commandOf('A2'), is_background: false },
      ]);
      expect(made.usage.outputTokens).toBeGreaterThan(0);
    });

    test('a denial is told, and read as one, whatever its reason says', async () => {
      stage.model.script('A', [
        { parts: [{ reasoning: 'Thinking.' }, { text: 'I will run both.' }, callPart('A'), callPart('A2')] },
        { parts: [{ text: 'Over.' }] },
        { parts: [{ text: 'Over.' }] },
      ]);
      const user: ModelMessage = { role: 'user', content: SAY.A };
      const first = await step([user]);
      const outputs: [ToolResultPart['output'], string, string][] = [
        // This is how the SDK tells of a denial without a reason: the same sentence on every wire.
        [{ type: 'execution-denied' }, 'denied', 'Tool call execution denied.'],
        [
          { type: 'execution-denied', reason: 'Superseded by a new message.' },
          'denied',
          'Superseded by a new message.',
        ],
        [{ type: 'text', value: `canary ${CALLS.A}\n` }, 'ran', `canary ${CALLS.A}\n`],
      ];
      const results = (outs: ToolResultPart['output'][]): ModelMessage => ({
        role: 'tool',
        content: first.calls.map((call, at) => ({
          type: 'tool-result',
          toolCallId: call.toolCallId,
          toolName: call.toolName,
          output: outs[at] ?? { type: 'execution-denied' },
        })),
      });
      const heard = () =>
        stage
          .of('model.request')
          .at(-1)
          ?.calls.map((call) => [call.role, call.results, call.told, call.text]);
      const [bare, reason, ran] = outputs;
      if (!bare || !reason || !ran) throw new Error('three outputs are tried');
      await step([user, ...first.messages, results([bare[0], reason[0]])]);
      expect(heard()).toEqual([
        ['A', 1, bare[1], bare[2]],
        ['A2', 1, reason[1], reason[2]],
      ]);
      await step([user, ...first.messages, results([ran[0], bare[0]])]);
      expect(heard()).toEqual([
        ['A', 1, ran[1], ran[2]],
        ['A2', 1, bare[1], bare[2]],
      ]);
      expect(stage.of('model.request').map((request) => request.orphanResults)).toEqual([0, 0, 0]);
    });

    test('an error before the stream is an error', async () => {
      stage.model.script('A', [{ parts: [{ error: { status: 429, message: 'slow down' } }] }]);
      await expect(step([{ role: 'user', content: SAY.A }])).rejects.toThrow(/slow down/);
    });
  });
}
