import { expect, test } from '@playwright/test';
import { CALLS, commandOf, roles } from './rehearsal.ts';
import { toldBy } from './told.ts';

const told = (text: string, failed = false) =>
  toldBy({ text, failed }, { role: 'A', question: false }, roles);
const answered = (text: string) => toldBy({ text }, { role: 'A', question: true }, roles);

test.describe('a result that says that the command ran', () => {
  for (const text of [
    `canary ${CALLS.A}\n`,
    `Command: ${commandOf('A')}\nDirectory: (root)\nOutput: canary ${CALLS.A}\nError: (none)\nExit Code: 0\nSignal: (none)`,
    JSON.stringify({ stdout: `x\ncanary ${CALLS.A}`, stderr: '', interrupted: false, isError: false }),
    `Exit code: 0\nWall time: 0.1 seconds\nOutput:\ncanary ${CALLS.A}`,
    `Wrote notes-${CALLS.A}.txt`,
  ]) {
    test(JSON.stringify(text).slice(0, 60), () => expect(told(text)).toBe('ran'));
  }
});

test.describe('a result that says that the call was not carried out', () => {
  for (const text of [
    'Tool call execution denied.',
    'The user rejected permission to use this specific tool call.',
    "The user doesn't want to proceed with this tool use. The tool use was rejected.",
    'exec command rejected by user',
    'aborted by user after 0.1s',
    '{"error":"[Operation Cancelled] Reason: User did not allow tool call"}',
    'Tool execution aborted',
    '[Request interrupted by user for tool use]',
    'Skipped due to user interrupt',
    'Superseded: the message was edited.',
    'The approval expired.',
    `${commandOf('A')} was not run.`,
    `The command \`${commandOf('A')}\` was not executed because the person moved on.`,
    'This action was not approved',
    'Permission denied by the person',
  ]) {
    test(JSON.stringify(text).slice(0, 60), () => expect(told(text)).toBe('denied'));
  }
});

test('a failure is neither', () => {
  expect(told(`sh: 1: canary.sh: Permission denied`, true)).toBe('error');
  expect(told(`Error: ${commandOf('A')} exited with code 2`)).toBe('error');
  expect(told('connect ECONNREFUSED: connection refused', true)).toBe('error');
});

test("another call's output does not say that this one ran", () => {
  expect(told(`canary ${CALLS.B}`)).toBe('other');
  expect(told('')).toBe('other');
});

test('a question is answered by any words, and closed by none', () => {
  expect(answered('Yes, please.')).toBe('answered');
  expect(answered('{"answer":"blue"}')).toBe('answered');
  for (const empty of ['', '""', '{"answer":""}', '[]']) expect(answered(empty)).toBe('denied');
  expect(answered('The question was cancelled.')).toBe('denied');
});
