import { GoogleGenAI } from '@google/genai';
import { expect, test } from '@playwright/test';
import { CALLS, callPart, commandOf, type Rehearsal, rehearse, SAY, SHELL } from '../rehearsal.ts';

let stage: Rehearsal;
test.beforeEach(async () => {
  stage = await rehearse();
});
test.afterEach(() => stage.close());

const chatWith = (model: string) =>
  new GoogleGenAI({ apiKey: 'sk-test', httpOptions: { baseUrl: stage.model.url } }).chats.create({
    model,
    config: { tools: [{ functionDeclarations: [{ name: SHELL.name, parametersJsonSchema: SHELL.schema }] }] },
  });

for (const [model, withIds] of [
  ['gemini-2.5-flash', false],
  ['gemini-3-pro', true],
] as const) {
  test(`${model}: calls come ${withIds ? 'with' : 'without'} ids, and the SDK's own chat pairs them`, async () => {
    stage.model.script('A', [{ parts: [callPart('A'), callPart('A2')] }, { parts: [{ text: 'Over.' }] }]);
    const chat = chatWith(model);
    const made = (await chat.sendMessage({ message: SAY.A })).functionCalls ?? [];
    expect(made.map((call) => Boolean(call.id))).toEqual([withIds, withIds]);
    const responses = [`canary ${CALLS.A}`, 'User did not allow tool call'];
    const message = made.map((call, at) => ({
      functionResponse: {
        ...(call.id ? { id: call.id } : {}),
        name: SHELL.name,
        response: at === 0 ? { output: responses[at] } : { error: responses[at] },
      },
    }));
    let text = '';
    for await (const chunk of await chat.sendMessageStream({ message })) text += chunk.text ?? '';
    expect(text).toBe('Over.');
    expect(stage.of('model.request')[1]).toMatchObject({
      message: 'A',
      orphanResults: 0,
      calls: [
        { role: 'A', results: 1, told: 'ran' },
        { role: 'A2', results: 1, told: 'denied' },
      ],
    });
    // The chat keeps an answer in its history only when it finds every chunk of it sound.
    expect(chat.getHistory(true)).toHaveLength(chat.getHistory(false).length);
  });
}

test('a result without an id is not given to a call of an earlier turn', async () => {
  stage.model.script('B', [{ parts: [{ text: 'Over.' }] }]);
  const call = (name: 'A' | 'B') => ({
    role: 'model',
    parts: [{ functionCall: { name: SHELL.name, args: { command: commandOf(name) } } }],
  });
  const answer = await fetch(`${stage.model.url}/v1beta/models/gemini-2.5-flash:generateContent`, {
    method: 'POST',
    body: JSON.stringify({
      contents: [
        { role: 'user', parts: [{ text: SAY.A }] },
        call('A'),
        { role: 'user', parts: [{ text: SAY.B }] },
        call('B'),
        { role: 'user', parts: [{ functionResponse: { name: SHELL.name, response: { output: 'done' } } }] },
      ],
      tools: [{ functionDeclarations: [{ name: SHELL.name }] }],
    }),
  });
  expect(answer.status).toBe(200);
  expect(stage.of('model.request')[0]?.calls.map((made) => [made.role, made.results])).toEqual([
    ['A', 0],
    ['B', 1],
  ]);
});
