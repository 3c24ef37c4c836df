import { expect, test } from '@playwright/test';
import { callPart, type Rehearsal, rehearse, SAY, SHELL } from './rehearsal.ts';

let stage: Rehearsal;
test.beforeEach(async () => {
  stage = await rehearse();
});
test.afterEach(() => stage.close());

const get = (path: string, init?: RequestInit) => fetch(`${stage.model.url}${path}`, init);
const post = (path: string, body: unknown) =>
  get(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
const chat = (content: string, rest: object = {}) =>
  post('/v1/chat/completions', {
    messages: [{ role: 'user', content }],
    tools: [{ type: 'function', function: { name: SHELL.name, parameters: SHELL.schema } }],
    ...rest,
  });

test('side requests are answered plainly and journalled as such', async () => {
  const asked: [string, string, RequestInit?][] = [
    ['openai-chat', '/', { method: 'HEAD' }],
    ['openai-chat', '/v1/models'],
    ['openai-chat', '/v1/models/some-model'],
    ['anthropic-messages', '/v1/models', { headers: { 'anthropic-version': '2023-06-01' } }],
    [
      'anthropic-messages',
      '/v1/messages/count_tokens?beta=true',
      { method: 'POST', body: '{"messages":[]}' },
    ],
    ['gemini', '/v1beta/models'],
    ['gemini', '/v1beta/models/gemini-2.5-flash:countTokens', { method: 'POST', body: '{"contents":[]}' }],
  ];
  for (const [, path, init] of asked) expect((await get(path, init)).status, path).toBe(200);
  expect(stage.of('model.request').map((request) => [request.kind, request.wire])).toEqual(
    asked.map(([wire]) => ['side', wire]),
  );
  expect(stage.of('model.ended').map((ended) => ended.by)).toEqual(asked.map(() => 'complete'));
  expect(stage.of('model.unscripted')).toEqual([]);
});

test('a side request that wants JSON gets JSON that fits', async () => {
  const responseSchema = {
    type: 'OBJECT',
    properties: { reasoning: { type: 'STRING' }, next_speaker: { type: 'STRING', enum: ['model', 'user'] } },
    required: ['reasoning', 'next_speaker'],
  };
  const answer = await post('/v1beta/models/gemini-2.5-flash:generateContent', {
    contents: [{ role: 'user', parts: [{ text: SAY.A }] }],
    generationConfig: { responseMimeType: 'application/json', responseSchema },
  });
  const body = (await answer.json()) as { candidates: { content: { parts: { text: string }[] } }[] };
  expect(JSON.parse(body.candidates[0]?.content.parts[0]?.text ?? '')).toEqual({
    reasoning: 'Run the check.',
    next_speaker: 'user',
  });
});

test('a request of no wire, and one that is no JSON, are not scripted', async () => {
  expect((await post('/v1/embeddings', { input: 'x' })).status).toBe(400);
  expect((await get('/v1/chat/completions', { method: 'POST', body: 'not json' })).status).toBe(400);
  expect(stage.of('model.unscripted').map((event) => event.shape)).toEqual([
    'POST /v1/embeddings is a request of no wire',
    'openai-chat /v1/chat/completions: the body has no list of messages',
  ]);
});

test('turns are given one per request, in order, and no more than there are', async () => {
  stage.model.script('A', [{ parts: [callPart('A')] }, { parts: [{ text: 'Over.' }], optional: true }]);
  expect(stage.model.leftovers()).toEqual([{ message: 'A', turn: 1, parts: 'call A (command)' }]);
  expect(await (await chat(SAY.A)).text()).toContain('tool_calls');
  expect(stage.model.leftovers()).toEqual([]);
  expect(await (await chat(SAY.A)).text()).toContain('Over.');
  const refused = await chat(SAY.A);
  expect(refused.status).toBe(400);
  expect(refused.headers.get('x-should-retry')).toBe('false');
  expect(stage.of('model.unscripted')[0]?.shape).toContain('all 2 scripted turns of message A were used');
});

test('a request belongs to the last marker of the last marked user text', async () => {
  stage.model.script('B', [{ parts: [{ text: 'B.' }] }]);
  await chat('', {
    messages: [
      { role: 'user', content: `<reminder>be kind</reminder>\n${SAY.A}` },
      { role: 'assistant', content: 'Yes.' },
      { role: 'user', content: `${SAY.A} and then: ${SAY.B}` },
      { role: 'user', content: 'Go on.' },
    ],
  });
  expect(stage.of('model.request')).toMatchObject([{ message: 'B', carries: ['A', 'B'] }]);
});

test('a turn whose tool is not offered fails as a whole', async () => {
  stage.model.script('A', [{ parts: [{ text: 'x' }, callPart('A')] }]);
  const answer = await chat(SAY.A, { tools: [{ type: 'function', function: { name: 'search' } }] });
  expect(answer.status).toBe(400);
  expect(stage.of('model.unscripted')[0]?.shape).toContain('offered: search');
  expect(stage.of('model.sent')).toEqual([]);
});

test('a request without tools is a turn when the script says so', async () => {
  const other = await rehearse({ toolless: true });
  other.model.script('A', [{ parts: [{ text: 'Spoken.' }] }]);
  const answer = await fetch(`${other.model.url}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ messages: [{ role: 'user', content: SAY.A }] }),
  });
  expect(await answer.text()).toContain('Spoken.');
  expect(other.of('model.request')).toMatchObject([{ kind: 'run' }]);
  await other.close();
});

test('an opened gate lets later streams pass, and closing ends what is held', async () => {
  stage.model.gate('open').open();
  stage.model.script('A', [
    { parts: [{ gate: 'open' }, { text: 'through' }] },
    { parts: [{ gate: 'shut' }] },
  ]);
  expect(await (await chat(SAY.A, { stream: true })).text()).toContain('[DONE]');
  expect(stage.of('model.sent').map((sent) => sent.what)).toEqual(['text']);
  const held = chat(SAY.A, { stream: true }).catch((error: Error) => error.message);
  await expect.poll(() => stage.model.heldGates()).toEqual(['shut']);
  await stage.close();
  expect(await held).toBe('fetch failed');
  expect(stage.of('model.ended').at(-1)).toMatchObject({ by: 'server' });
  expect(stage.model.heldGates()).toEqual([]);
});

test('requests in flight are counted apart from those that are held', async () => {
  expect(stage.model.inFlight()).toBe(0);
  stage.model.script('A', [{ parts: [{ text: 'a' }, { gate: 'middle' }, { text: 'b' }] }]);
  const answer = chat(SAY.A, { stream: true });
  await expect.poll(() => stage.model.gate('middle').held).toBe(true);
  expect(stage.model.inFlight()).toBe(0);
  stage.model.gate('middle').open();
  expect(stage.model.inFlight()).toBe(1);
  await (await answer).text();
  await expect.poll(() => stage.model.inFlight()).toBe(0);
});
