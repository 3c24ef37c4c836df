import { expect, test } from '@playwright/test';
import OpenAI from 'openai';
import { CALLS, callPart, commandOf, type Rehearsal, rehearse, SAY } from '../rehearsal.ts';

let stage: Rehearsal;
let openai: OpenAI;
test.beforeEach(async () => {
  stage = await rehearse();
  openai = new OpenAI({ baseURL: `${stage.model.url}/v1`, apiKey: 'sk-test', maxRetries: 0 });
  stage.model.script('A', [{ parts: [{ text: 'On it.' }, callPart('A')] }, { parts: [{ text: 'Over.' }] }]);
});
test.afterEach(() => stage.close());

const execCommand = {
  type: 'function' as const,
  name: 'exec_command',
  parameters: { type: 'object', properties: { cmd: { type: 'string' } }, required: ['cmd'] },
  strict: false,
};
const model = 'scripted-model';
const input = [{ role: 'user' as const, content: SAY.A }];
const denied = 'rejected by user';
const paired = [{ role: 'A', results: 1, told: 'denied', text: denied }];
const last = () => stage.of('model.request').at(-1);

test('what was sent before is known by the id of its response', async () => {
  const first = await openai.responses.create({ model, input, tools: [execCommand] });
  const call = first.output.find((item) => item.type === 'function_call');
  expect(JSON.parse(call?.arguments ?? '')).toEqual({ cmd: commandOf('A') });
  await openai.responses.create({
    model,
    previous_response_id: first.id,
    input: [{ type: 'function_call_output', call_id: call?.call_id ?? '', output: denied }],
    tools: [execCommand],
  });
  expect(last()).toMatchObject({ message: 'A', calls: paired, orphanResults: 0 });
});

test('what was sent before is known by references to its items', async () => {
  const first = await openai.responses.create({ model, input, tools: [execCommand] });
  const call = first.output.find((item) => item.type === 'function_call');
  await openai.responses.create({
    model,
    input: [
      ...input,
      ...first.output.map((item) => ({ type: 'item_reference' as const, id: item.id ?? '' })),
      { type: 'function_call_output', call_id: call?.call_id ?? '', output: denied },
    ],
    tools: [execCommand],
  });
  expect(last()).toMatchObject({ message: 'A', calls: paired, orphanResults: 0 });
});

test('a tool that takes plain text is called with plain text', async () => {
  const tools = [{ type: 'custom' as const, name: 'shell' }];
  const stream = openai.responses.stream({ model, input, tools });
  let streamed = '';
  for await (const event of stream) {
    if (event.type === 'response.custom_tool_call_input.delta') streamed += event.delta;
  }
  expect(streamed).toBe(commandOf('A'));
  const made = (await stream.finalResponse()).output.find((item) => item.type === 'custom_tool_call');
  expect(made?.input).toBe(commandOf('A'));
  await openai.responses.create({
    model,
    input: [
      ...input,
      { type: 'custom_tool_call', call_id: made?.call_id ?? '', name: 'shell', input: made?.input ?? '' },
      {
        type: 'custom_tool_call_output',
        call_id: made?.call_id ?? '',
        output: [{ type: 'input_text', text: denied }],
      },
    ],
    tools,
  });
  expect(last()).toMatchObject({ calls: paired, orphanResults: 0, tools: ['shell'] });
});

test("the provider's own shell tool is called as such", async () => {
  const tools = [{ type: 'local_shell' as const }];
  const stream = openai.responses.stream({ model, input, tools });
  const made = (await stream.finalResponse()).output.find((item) => item.type === 'local_shell_call');
  expect(made?.action.command).toEqual(['bash', '-lc', commandOf('A')]);
  if (!made) throw new Error('a shell call was scripted');
  await openai.responses.create({
    model,
    input: [
      ...input,
      made,
      { type: 'local_shell_call_output', id: made.call_id, output: `canary ${CALLS.A}` },
    ],
    tools,
  });
  expect(last()).toMatchObject({ calls: [{ role: 'A', results: 1, told: 'ran' }], orphanResults: 0 });
});

test('tools in a group are offered, and called with their group', async () => {
  const tools = [
    { type: 'namespace', name: 'functions', description: 'All.', tools: [execCommand] },
  ] as unknown as OpenAI.Responses.Tool[];
  const made = (await openai.responses.create({ model, input, tools })).output.at(-1);
  expect(made).toMatchObject({ type: 'function_call', name: 'exec_command', namespace: 'functions' });
  expect(last()?.tools).toEqual(['exec_command']);
});

test('a result of a call that is not there is an orphan', async () => {
  stage.model.script('A', [{ parts: [{ text: 'Over.' }] }]);
  await openai.responses.create({
    model,
    input: [...input, { type: 'function_call_output', call_id: 'call_gone', output: denied }],
    tools: [execCommand],
  });
  expect(last()).toMatchObject({ calls: [], orphanResults: 1 });
});
