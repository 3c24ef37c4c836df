import { expect, test } from '@playwright/test';
import { rolesOf } from '../history/roles.ts';
import { opencodeReader, timeInId } from './opencode-events.ts';

const roles = rolesOf({
  calls: { A: { token: 'canary-a', message: 'A', ask: 'command' } },
  messages: { A: { marker: 'mark-a' }, B: { marker: 'mark-b' } },
});

const ask = {
  id: 'per_1',
  sessionID: 'ses_1',
  permission: 'bash',
  metadata: { command: 'sh canary.sh canary-a' },
  tool: { messageID: 'msg_2', callID: 'call_1' },
};
const user = (id: string, text: string) => ({
  type: 'message.part.updated',
  properties: { part: { type: 'text', text, messageID: id } },
});
const assistant = (id: string, parentID: string) => ({
  type: 'message.updated',
  properties: { info: { id, role: 'assistant', parentID, sessionID: 'ses_1' } },
});
const tool = (state: object) => ({
  type: 'message.part.updated',
  properties: { part: { type: 'tool', callID: 'call_1', messageID: 'msg_2', state } },
});
const command = { input: { command: 'sh canary.sh canary-a' } };

test('reads the time out of an event id, across the wrap', () => {
  const time = 1_796_077_147_539;
  expect(timeInId('evt_22e8a5593001WKlI5n3aoShYSq', time + 40)).toBe(time);
  const wrap = 27 * 2 ** 36;
  expect(timeInId('evt_000000005001x', wrap - 3)).toBe(wrap + 5);
  expect(timeInId('evt_22e8a5593001WKlI5n3aoShYSq', time + 3_600_000)).toBeUndefined();
  expect(timeInId('something else', time)).toBeUndefined();
  expect(timeInId(undefined, time)).toBeUndefined();
});

test('tells the story of a denied call', () => {
  const read = opencodeReader(roles);
  expect(read(user('msg_1', 'please (mark-a)'))).toEqual([]);
  expect(read(assistant('msg_2', 'msg_1'))).toEqual([
    { type: 'engine.run-started', run: 'msg_1', message: 'A' },
  ]);
  expect(read(assistant('msg_2', 'msg_1'))).toEqual([]);
  expect(read({ type: 'permission.asked', properties: ask })).toEqual([
    { type: 'engine.ask-opened', ask: 'per_1', call: 'A', kind: 'command', run: 'msg_1' },
  ]);
  // The call is named running while it waits.
  expect(read(tool({ status: 'running', ...command }))).toEqual([]);
  expect(read({ type: 'permission.replied', properties: { requestID: 'per_1', reply: 'reject' } })).toEqual([
    { type: 'engine.ask-settled', ask: 'per_1', call: 'A', outcome: 'denied', reason: 'reject' },
  ]);
  expect(read(tool({ status: 'error', error: 'rejected' }))).toEqual([
    { type: 'engine.tool-ended', call: 'A', outcome: 'rejected' },
  ]);
  expect(read({ type: 'session.idle', properties: { sessionID: 'ses_1' } })).toEqual([
    { type: 'engine.run-ended', run: 'msg_1', message: 'A', reason: 'completed' },
  ]);
  expect(read({ type: 'session.idle', properties: { sessionID: 'ses_1' } })).toEqual([]);
});

test('tells when an approved call began to run, once', () => {
  const read = opencodeReader(roles);
  read(tool({ status: 'running', ...command }));
  expect(read(tool({ status: 'running', ...command, metadata: { output: '' } }))).toEqual([
    { type: 'engine.tool-started', call: 'A' },
  ]);
  expect(read(tool({ status: 'completed', ...command, metadata: { output: 'canary' } }))).toEqual([
    { type: 'engine.tool-ended', call: 'A', outcome: 'ran' },
  ]);
});

test('ends a run with the error that aborted it, or when the next message is answered', () => {
  const read = opencodeReader(roles);
  read(user('msg_1', 'mark-a'));
  read(assistant('msg_2', 'msg_1'));
  read(user('msg_3', 'mark-b'));
  expect(read(assistant('msg_4', 'msg_3'))).toEqual([
    { type: 'engine.run-ended', run: 'msg_1', message: 'A', reason: 'completed' },
    { type: 'engine.run-started', run: 'msg_3', message: 'B' },
  ]);
  read({
    type: 'session.error',
    properties: { sessionID: 'ses_1', error: { name: 'MessageAbortedError' } },
  });
  expect(read({ type: 'session.idle', properties: { sessionID: 'ses_1' } })).toEqual([
    { type: 'engine.run-ended', run: 'msg_3', message: 'B', reason: 'cancelled' },
  ]);
});
