import { expect, test } from '@playwright/test';
import type { AskKind } from '../history/vocabulary.ts';
import type { OfferedTool, Schema } from './conversation.ts';
import type { CallInput } from './script.ts';
import { chooseSubtask, chooseTool, NoFittingTool } from './tools.ts';

const TOKEN = 'canary-a-11aa22bb';
const command = `sh canary.sh ${TOKEN}`;
const string: Schema = { type: 'string' };
const tool = (name: string, properties: Record<string, Schema>, required?: string[]): OfferedTool => ({
  name,
  form: 'function',
  schema: { type: 'object', properties, required: required ?? Object.keys(properties) },
});
const choose = (offered: OfferedTool[], kind: AskKind, input: Partial<CallInput>) => {
  const { tool: chosen, input: made } = chooseTool(offered, kind, { token: TOKEN, ...input });
  return [chosen.name, made];
};

test.describe('a command', () => {
  const other = tool('read_file', { path: string });
  for (const [offered, made] of [
    [tool('bash', { command: string, description: string }), { command, description: 'Run the check.' }],
    [tool('run_commands', { commands: { type: 'array', items: string } }), { commands: [command] }],
    [
      tool('run_commands', {
        commands: {
          type: 'array',
          items: { type: 'object', properties: { command: string }, required: ['command'] },
        },
      }),
      { commands: [{ command }] },
    ],
    [
      tool(
        'exec_command',
        {
          cmd: string,
          yield_time_ms: { type: 'number' },
          sandbox_permissions: string,
          justification: string,
        },
        ['cmd'],
      ),
      {
        cmd: command,
        sandbox_permissions: 'require_escalated',
        justification: 'The check writes into the workspace.',
      },
    ],
    [
      tool('run_shell_command', { command: string, is_background: { type: 'BOOLEAN' }, dir_path: string }, [
        'command',
        'is_background',
      ]),
      { command, is_background: false },
    ],
    [
      tool('shell', { command: { type: 'array', items: string }, timeout_ms: { type: 'number' } }, [
        'command',
      ]),
      { command: ['bash', '-lc', command] },
    ],
    [
      tool('execute_command', { command: string, requires_approval: { type: 'boolean' } }),
      { command, requires_approval: true },
    ],
    [
      tool('Bash', { command: string, timeout: { anyOf: [{ type: 'null' }, { type: 'number' }] } }),
      { command, timeout: 10_000 },
    ],
    [tool('launch', { cmd: string, mode: { enum: ['sync', 'async'] } }), { cmd: command, mode: 'sync' }],
  ] as const) {
    test(`by ${offered.name} ${JSON.stringify(made).slice(0, 40)}`, () =>
      expect(choose([other, offered], 'command', { command })).toEqual([offered.name, made]));
  }

  test('by a tool that takes plain text', () =>
    expect(choose([{ name: 'shell', form: 'freeform' }], 'command', { command })).toEqual([
      'shell',
      command,
    ]));
});

test('an edit by a tool that writes, rather than one that replaces', () => {
  const write = tool('write_file', { file_path: string, content: string });
  const replace = tool('replace', { file_path: string, old_string: string, new_string: string });
  const input = { path: `${TOKEN}.txt`, content: 'hello' };
  expect(choose([replace, write], 'edit', input)).toEqual([
    'write_file',
    { file_path: input.path, content: 'hello' },
  ]);
  expect(choose([replace], 'edit', input)[1]).toEqual({
    file_path: input.path,
    old_string: '',
    new_string: 'hello',
  });
  expect(choose([{ name: 'apply_patch', form: 'freeform' }], 'edit', input)[1]).toContain(
    `*** Add File: ${TOKEN}.txt\n+hello`,
  );
  const multi = tool('str_replace_based_edit_tool', {
    command: { enum: ['view', 'create'] },
    path: string,
    file_text: string,
  });
  expect(choose([multi], 'edit', input)[1]).toEqual({
    command: 'create',
    path: input.path,
    file_text: 'hello',
  });
});

test('a read of one file or of several', () => {
  const input = { path: `${TOKEN}.txt` };
  expect(
    choose([tool('read', { filePath: string, limit: { type: 'number' } }, ['filePath'])], 'read', input)[1],
  ).toEqual({
    filePath: input.path,
  });
  const files: Schema = {
    type: 'array',
    items: { type: 'object', properties: { path: string }, required: ['path'] },
  };
  expect(choose([tool('read_files', { files })], 'read', input)[1]).toEqual({
    files: [{ path: input.path }],
  });
});

test('a question, alone or in a list, with its options', () => {
  const question = `Which check, ${TOKEN}?`;
  const input = { question, options: ['one', 'two'] };
  const plain = tool('ask_question', { question: string, options: { type: 'array', items: string } });
  expect(choose([plain], 'question', input)[1]).toEqual(input);
  const option: Schema = {
    type: 'object',
    properties: { label: string, description: string },
    required: ['label', 'description'],
  };
  const one: Schema = {
    type: 'object',
    properties: { question: string, header: string, options: { type: 'array', items: option } },
    required: ['question', 'header', 'options'],
  };
  const listed = tool('AskUserQuestion', { questions: { type: 'array', items: { $ref: '#/$defs/one' } } });
  Object.assign(listed.schema ?? {}, { $defs: { one } });
  const asOption = (label: string) => ({ label, description: 'Run the check.' });
  expect(choose([listed], 'question', input)[1]).toEqual({
    questions: [{ question, header: 'Check', options: [asOption('one'), asOption('two')] }],
  });
});

test('a plan and a named MCP tool', () => {
  expect(choose([tool('exit_plan_mode', { plan: string })], 'plan', {})[1]).toEqual({
    plan: `1. Run the check ${TOKEN}.`,
  });
  const mcp = { tool: 'ring_bell', arguments: { text: TOKEN } };
  expect(choose([tool('mcp__bells__ring_bell', { text: string })], 'mcp', { mcp })).toEqual([
    'mcp__bells__ring_bell',
    mcp.arguments,
  ]);
});

test('nothing that fits is an error that lists what is offered', () => {
  const offered = [tool('read_file', { path: string }), tool('search', { query: string })];
  expect(() => choose(offered, 'command', { command })).toThrow(NoFittingTool);
  expect(() => choose(offered, 'command', { command })).toThrow(/kind command; offered: read_file, search/);
  expect(() => choose([], 'mcp', {})).toThrow(/offered: none/);
});

test('arguments that do not carry the token are an error, for they could not be attributed', () => {
  expect(() => choose([tool('bash', { line: string })], 'command', { command })).toThrow(
    /do not carry the token/,
  );
});

test.describe('a task for a run of its own', () => {
  const task = 'A subtask of task-a-11aa22bb.';

  for (const [offered, made] of [
    [tool('run_subtask', { task: string }), { task }],
    [tool('Task', { prompt: string, description: string }), { prompt: task, description: 'Run the check.' }],
  ] as const)
    test(`goes to ${offered.name}`, () => {
      const call = chooseSubtask([tool('bash', { command: string }), offered], task);
      expect(call).toEqual({ tool: offered, input: made });
    });

  test('is an error where no tool takes one', () => {
    expect(() => chooseSubtask([tool('bash', { command: string })], task)).toThrow(
      'no offered tool starts a run of its own; offered: bash',
    );
  });
});
