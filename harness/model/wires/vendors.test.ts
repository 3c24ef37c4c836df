import { expect, test } from '@playwright/test';
import { until } from '../../until.ts';
import { CALLS, callPart, commandOf, type Rehearsal, rehearse, SAY, SHELL } from '../rehearsal.ts';
import { vendors } from './vendors.ts';

const TEXT = 'I will run the check now, as you asked: ü 🙂 fine.';
const asked = (call: keyof typeof CALLS) => ({ command: commandOf(call), is_background: false });

for (const vendor of vendors) {
  test.describe(`${vendor.wire}, heard by the vendor's own SDK`, () => {
    let stage: Rehearsal;
    test.beforeEach(async () => {
      stage = await rehearse();
    });
    test.afterEach(() => stage.close());
    const say: typeof vendor.say = (_url, ...rest) => vendor.say(stage.model.url, ...rest);

    test('text arrives in pieces, with usage and a finish reason', async () => {
      stage.model.script('A', [{ parts: [{ text: TEXT }] }]);
      const heard = await say('', SAY.A);
      expect(heard).toMatchObject({ text: TEXT, calls: [], finish: vendor.finish[0] });
      expect(heard.deltas).toBeGreaterThan(1);
      expect(heard.output).toBeGreaterThan(0);
      expect(stage.journal).toEqual([
        {
          type: 'model.request',
          request: 1,
          wire: vendor.wire,
          kind: 'run',
          message: 'A',
          carries: ['A'],
          calls: [],
          orphanResults: 0,
          tools: [SHELL.name],
        },
        { type: 'model.sent', request: 1, what: 'text' },
        { type: 'model.ended', request: 1, by: 'complete' },
      ]);
      expect(stage.model.leftovers()).toEqual([]);
    });

    test('reasoning, text and parallel calls come in order', async () => {
      stage.model.script('A', [
        {
          parts: [
            { reasoning: 'Let me think.' },
            { text: 'First ' },
            { text: 'both.' },
            callPart('A'),
            callPart('A2'),
          ],
        },
      ]);
      const heard = await say('', SAY.A);
      expect(heard.text).toBe('First both.');
      expect(heard.reasoning).toBe(vendor.reasons ? 'Let me think.' : '');
      expect(heard.calls.map((call) => [call.name, call.input])).toEqual([
        [SHELL.name, asked('A')],
        [SHELL.name, asked('A2')],
      ]);
      expect(heard.finish).toBe(vendor.finish[1]);
      expect(stage.of('model.sent').map((sent) => sent.call ?? sent.what)).toEqual([
        'text',
        'text',
        'text',
        'A',
        'A2',
      ]);
    });

    test('the same turn is given without a stream', async () => {
      stage.model.script('A', [{ parts: [{ text: TEXT }, callPart('A')] }]);
      const heard = await vendor.whole(stage.model.url, SAY.A);
      expect(heard).toMatchObject({ text: TEXT, calls: [{ name: SHELL.name, input: asked('A') }] });
      expect(heard.finish).toBe(vendor.finish[1]);
      expect(heard.output).toBeGreaterThan(0);
      expect(stage.of('model.ended')).toMatchObject([{ by: 'complete' }]);
    });

    test('an error before the stream is an HTTP error of the wire', async () => {
      stage.model.script('A', [{ parts: [{ error: { status: 429, message: 'slow down' } }] }]);
      await expect(say('', SAY.A)).rejects.toMatchObject({ status: 429, message: /slow down/ });
      expect(stage.of('model.ended')).toMatchObject([{ by: 'server' }]);
    });

    test('an error inside the stream ends it', async () => {
      const error = { status: 503, message: 'overloaded' };
      stage.model.script('A', [{ parts: [{ text: TEXT }, { gate: 'error' }, { error }] }]);
      const hears = (text: string) => text === TEXT && stage.model.gate('error').open();
      await expect(say('', SAY.A, { hears })).rejects.toThrow(/overloaded/);
      expect(stage.of('model.sent').at(-1)).toMatchObject({ what: 'error' });
      expect(stage.of('model.ended')).toMatchObject([{ by: 'server' }]);
    });

    test('a cut stream has no proper end', async () => {
      stage.model.script('A', [{ parts: [{ text: TEXT }, { cut: true }] }]);
      await expect(say('', SAY.A)).rejects.toThrow();
      expect(stage.of('model.ended')).toMatchObject([{ by: 'server' }]);
    });

    test('a gate before the first byte holds the whole answer', async () => {
      stage.model.script('A', [{ parts: [{ gate: 'first' }, { text: TEXT }] }]);
      const heard = say('', SAY.A);
      await until(() => stage.model.gate('first').held, { what: 'the gate to hold' });
      expect(stage.model.inFlight()).toBe(0);
      expect(stage.model.heldGates()).toEqual(['first']);
      stage.model.gate('first').open();
      expect(stage.model.inFlight()).toBe(1);
      expect((await heard).text).toBe(TEXT);
      expect(stage.of('model.sent').map((sent) => sent.what)).toEqual(['held', 'released', 'text']);
    });

    for (const [where, parts] of [
      ['before the first byte', [{ gate: 'here' }, { text: TEXT }]],
      ['between two parts', [{ text: 'First ' }, { gate: 'here' }, { text: 'second.' }]],
      ['within a call', [callPart('A', 'here')]],
      ['after a call', [callPart('A'), { gate: 'here' }]],
    ] as const) {
      test(`a client that closes while it is held ${where} is seen at once`, async () => {
        stage.model.script('A', [{ parts: [...parts] }]);
        const stop = new AbortController();
        const heard = say('', SAY.A, { signal: stop.signal }).catch((error: Error) => error);
        await until(() => stage.model.gate('here').held, { what: 'the gate to hold' });
        stop.abort();
        await until(() => stage.of('model.ended').length > 0, { what: 'the close to be seen', limit: 1000 });
        expect(stage.of('model.ended')).toMatchObject([{ by: 'client' }]);
        expect(stage.model.heldGates()).toEqual([]);
        expect(stage.of('model.sent').at(-1)?.what).toBe('held');
        await heard;
        await until(() => stage.model.inFlight() === 0, { what: 'nothing in flight' });
      });
    }

    test('results are paired with their calls and read', async () => {
      stage.model.script('A', [{ parts: [callPart('A'), callPart('A2')] }, { parts: [{ text: 'Over.' }] }]);
      const [a, a2] = (await say('', SAY.A)).calls;
      if (!a || !a2) throw new Error('two calls were scripted');
      const denied = 'The person denied it.';
      await say('', SAY.A, {
        told: [
          { ...a, result: `canary ${CALLS.A}\n` },
          { ...a2, result: denied },
        ],
      });
      const request = stage.of('model.request')[1];
      expect(request).toMatchObject({ message: 'A', orphanResults: 0 });
      expect(request?.calls).toMatchObject([
        { role: 'A', results: 1, told: 'ran', text: `canary ${CALLS.A}\n` },
        { role: 'A2', results: 1, told: 'denied', text: denied },
      ]);
    });

    test('a call without a result is seen', async () => {
      stage.model.script('B', [{ parts: [{ text: 'Over.' }] }]);
      await say('', `${SAY.A}\n${SAY.B}`, { told: [{ id: 'call_x', name: SHELL.name, input: asked('A') }] });
      expect(stage.of('model.request')).toMatchObject([
        { message: 'B', carries: ['A', 'B'], calls: [{ role: 'A', results: 0 }] },
      ]);
    });

    test('a request without tools is a side request, whatever it carries', async () => {
      stage.model.script('A', [{ parts: [{ text: 'not for a title' }] }]);
      expect((await say('', SAY.A, { tools: false })).text).toBe('A short check');
      expect(stage.of('model.request')).toMatchObject([{ kind: 'side', message: 'A' }]);
      expect(stage.of('model.sent')).toEqual([]);
      expect(stage.model.leftovers()).toEqual([{ message: 'A', turn: 1, parts: 'text' }]);
    });

    test('a request that was not scripted fails and says its shape', async () => {
      await expect(say('', SAY.B)).rejects.toMatchObject({ status: 400 });
      expect(stage.of('model.unscripted')[0]?.shape).toContain('nothing is scripted for message B');
      expect(stage.of('model.unscripted')[0]?.shape).toContain(`1 system, 1 user; tools: ${SHELL.name}`);
      expect(stage.of('model.ended')).toMatchObject([{ by: 'server' }]);
    });
  });
}
