import { expect, test } from '@playwright/test';
import type { CallRole, HandoffEvent } from '../../history/events.ts';
import { breaks, verdict } from '../expectations.ts';
import { judge } from '../judge.ts';
import { good } from '../stories.ts';
import { answer, but, card, historyOf, row, screen, told, turn } from '../testing.ts';

const settlesA = (e: HandoffEvent) => e.type === 'engine.ask-settled' && e.call === 'A';
const counting =
  (counts: Partial<Record<CallRole, number>>, since = 0) =>
  (e: HandoffEvent) =>
    e.type === 'world.checked' && e.t > since
      ? { type: e.type, counts: { ...e.counts, ...counts } }
      : undefined;
const effect = (call: CallRole, count = 1) => ({ type: 'world.effect', call, count }) as const;
const settledA = (outcome: 'approved' | 'denied' | 'answered', by: 'person' | 'system', reason?: string) =>
  ({
    type: 'engine.ask-settled',
    ask: 'ask-A',
    call: 'A',
    outcome,
    by,
    ...(reason === undefined ? {} : { reason }),
  }) as const;
const late = (outcome: 'accepted' | 'refused' | 'inert' | 'gone') => (e: HandoffEvent) =>
  e.type === 'person.answer' && e.intent === 'late' && e.phase === 'end'
    ? { type: e.type, outcome }
    : undefined;
const refusal = (e: HandoffEvent) => e.type === 'engine.answer-refused';

test.describe('no-unapproved-effect', () => {
  breaks(
    'a denied tool that runs',
    but(good('deny'), { change: counting({ A: 1 }, 200), add: [[215, effect('A')]] }),
    'no-unapproved-effect',
  );
  breaks(
    'an effect that only the last look finds',
    but(good('deny'), { change: counting({ A: 1 }, 600) }),
    'no-unapproved-effect',
  );
  breaks(
    'a tool that runs before its approval',
    but(good('approve'), { drop: (e) => e.type === 'world.effect', add: [[150, effect('A')]] }),
    'no-unapproved-effect',
  );
  verdict(
    'a machine not looked at again',
    but(good('deny'), { drop: (e) => e.type === 'world.checked' && e.final === true }),
    'no-unapproved-effect',
    'unobserved',
  );
});

test.describe('explicit-consent', () => {
  breaks(
    'a message taken for a yes',
    but(good('edit', 'follow-up'), {
      drop: settlesA,
      change: counting({ A: 1 }, 402),
      add: [
        [410, settledA('approved', 'person')],
        [412, effect('A')],
      ],
    }),
    'explicit-consent',
    'no-unapproved-effect',
    'answer-bound',
    'ask-settled',
    'settled-before-next',
    'late-events-fenced',
  );
  breaks(
    'a stray key that runs the tool',
    but(good('stop'), {
      about: { action: 'stray-input', witnesses: { engine: false, world: true, model: true, screen: true } },
      drop: (e) => e.type.startsWith('engine.'),
      change: counting({ A: 1 }, 150),
      add: [
        [150, { type: 'person.did', what: 'presses Enter' }],
        [152, effect('A')],
      ],
    }),
    'explicit-consent',
    'outcome-truthful',
    'no-unapproved-effect',
  );
  verdict(
    'a machine not looked at again',
    but(good('edit'), { drop: (e) => e.type === 'world.checked' && e.final === true }),
    'explicit-consent',
    'unobserved',
  );
  verdict(
    'only answers',
    but(good('deny'), { drop: (e) => e.type === 'person.submit' && e.message !== 'A' }),
    'explicit-consent',
    'not-offered',
  );
});

test.describe('settled-once', () => {
  breaks(
    'an ask settled twice',
    but(good('deny'), { add: [[212, settledA('denied', 'person')]] }),
    'settled-once',
  );
  breaks(
    'a tool that runs twice',
    but(good('approve'), { change: counting({ A: 2 }, 200), add: [[216, effect('A', 2)]] }),
    'settled-once',
  );
  verdict('an engine that says nothing', but(good('deny'), { drop: settlesA }), 'settled-once', 'held');
  verdict(
    'a machine not looked at again',
    but(good('deny'), { drop: (e) => e.type === 'world.checked' && e.final === true }),
    'settled-once',
    'unobserved',
  );
  verdict(
    'nobody answered, and nothing settled',
    but(good('edit'), { drop: (e) => e.type === 'person.answer' || settlesA(e) }),
    'settled-once',
    'not-offered',
  );
});

test.describe('answer-bound', () => {
  const takesB = but(good('edit', 'answer-new-ask'), {
    drop: (e) =>
      (e.t >= 600 && e.t < 605) ||
      (e.type === 'engine.ask-settled' && e.call === 'B') ||
      (e.type === 'engine.pending' && e.t === 508),
    change: counting({ B: 1 }, 505),
    add: [[503, { type: 'engine.ask-settled', ask: 'ask-B', call: 'B', outcome: 'approved', by: 'person' }]],
  });
  breaks(
    'a late answer that settles the new ask',
    takesB,
    'answer-bound',
    'no-unapproved-effect',
    'dead-ask-refused',
  );
  breaks(
    'a live answer that goes to the old ask',
    but(good('edit', 'answer-new-ask'), {
      drop: (e) =>
        settlesA(e) || (e.t > 604 && e.t < 880) || (e.type === 'engine.ask-settled' && e.call === 'B'),
      change: (e) => counting({ A: 1, B: 0 }, 600)(e),
      add: [
        [606, settledA('approved', 'person')],
        [608, effect('A')],
        [620, screen({ asks: [card('B')], phase: 'awaiting', messages: ['B'] })],
        [640, { type: 'harness.observed', message: 'B', outcome: 'stuck', waitedFor: 'B to be done' }],
      ],
    }),
    'answer-bound',
    'no-unapproved-effect',
    'ask-settled',
    'settled-before-next',
    'late-events-fenced',
    'new-run-free',
    'dead-ask-refused',
    'settled-ask-gone',
  );
  breaks(
    'a message taken for the answer to the old ask',
    but(good('edit', 'follow-up'), { drop: settlesA, add: [[410, settledA('denied', 'person')]] }),
    'answer-bound',
    'ask-settled',
    'settled-before-next',
  );
  breaks(
    'a yes that counts as a no',
    but(good('edit', 'answer-new-ask'), {
      change: (e) =>
        e.type === 'engine.ask-settled' && e.call === 'B' ? { type: e.type, outcome: 'denied' } : undefined,
    }),
    'answer-bound',
    'outcome-truthful',
  );
  verdict(
    'an engine that says nothing, a machine not looked at',
    but(good('edit'), {
      drop: (e) => e.type.startsWith('engine.') || (e.type === 'world.checked' && e.t > 500),
    }),
    'answer-bound',
    'unobserved',
  );
  verdict(
    'a settlement seen too vaguely to be told from the late answer',
    but(good('edit', 'answer-new-ask'), {
      drop: (e) =>
        (e.type === 'engine.ask-settled' && e.call === 'B') ||
        (e.type === 'engine.pending' && e.t === 508) ||
        (e.type.startsWith('world.') && e.t > 200),
      add: [[610, { type: 'engine.ask-settled', ask: 'ask-B', call: 'B', outcome: 'approved' }, 400]],
    }),
    'answer-bound',
    'unobserved',
  );
  verdict(
    'a list taken in between that orders a vague settlement',
    but(good('edit', 'answer-new-ask'), {
      drop: (e) => e.type === 'engine.ask-settled' && e.call === 'B',
      add: [[610, { type: 'engine.ask-settled', ask: 'ask-B', call: 'B', outcome: 'approved' }, 400]],
    }),
    'answer-bound',
    'held',
  );
  verdict(
    'nobody answered',
    but(good('edit'), { drop: (e) => e.type === 'person.answer' }),
    'answer-bound',
    'not-offered',
  );
});

test.describe('dead-ask-refused', () => {
  breaks(
    'a late answer that is accepted',
    but(good('stop'), { drop: refusal, change: late('accepted') }),
    'dead-ask-refused',
  );
  breaks(
    'a late answer that runs the tool',
    but(good('deny'), { change: (e) => counting({ A: 1 }, 502)(e), add: [[504, effect('A')]] }),
    'dead-ask-refused',
    'no-unapproved-effect',
  );
  breaks(
    'a late answer that runs it again',
    but(good('approve'), { change: counting({ A: 2 }, 502), add: [[504, effect('A', 2)]] }),
    'dead-ask-refused',
    'settled-once',
  );
  verdict(
    'a press without any sign',
    but(good('stop'), { drop: refusal, change: late('inert') }),
    'dead-ask-refused',
    'unobserved',
  );
  verdict(
    'a press that the engine refuses',
    but(good('stop'), { change: late('inert') }),
    'dead-ask-refused',
    'held',
    /this ask is over/,
  );
  const overAcp = but(good('stop'), {
    about: { surface: 'acp' },
    drop: refusal,
    change: late('inert'),
  });
  verdict('a second response over ACP', overAcp, 'dead-ask-refused', 'held', /no control of the ask/);
  verdict(
    'a second response over ACP beside a control',
    but(overAcp, { add: [[450, screen({ asks: [card('A')], messages: ['A', 'B'] })]] }),
    'dead-ask-refused',
    'unobserved',
  );
  verdict(
    'a second response over ACP, and a machine not looked at again',
    but(overAcp, { drop: (e) => e.type === 'world.checked' && e.t > 500 }),
    'dead-ask-refused',
    'unobserved',
  );
  breaks(
    'a second response over ACP that runs the tool',
    but(overAcp, { change: counting({ A: 1 }, 502), add: [[504, effect('A')]] }),
    'dead-ask-refused',
    'no-unapproved-effect',
    'late-events-fenced',
  );
  verdict(
    'nothing left to press',
    but(good('stop'), { drop: refusal, change: late('gone') }),
    'dead-ask-refused',
    'held',
    /nothing left/,
  );
  verdict(
    'no late answer',
    but(good('stop'), { drop: (e) => e.type === 'person.answer' }),
    'dead-ask-refused',
    'not-offered',
  );
});

test.describe('outcome-truthful', () => {
  const rowSays = (outcome: 'ran' | 'waiting') =>
    but(good('stop'), {
      change: (e) =>
        e.type === 'screen.state' && e.t > 235 ? { type: e.type, rows: [row('A', outcome)] } : undefined,
    });
  breaks('a cancelled call whose row still waits', rowSays('waiting'), 'outcome-truthful');
  breaks('a cancelled call whose row says ran', rowSays('ran'), 'outcome-truthful');
  const saysOf = (message: 'A' | 'B', calls: ReturnType<typeof told>[]) => (e: HandoffEvent) =>
    e.type === 'model.request' && e.message === message && e.request > 1
      ? { type: e.type, calls }
      : undefined;
  breaks(
    'a model that is told it ran',
    but(good('stop'), { change: saysOf('B', [told('A', 'ran')]) }),
    'outcome-truthful',
  );
  breaks(
    'a model that is told something else',
    but(good('deny'), { change: saysOf('A', [told('A', 'other')]) }),
    'outcome-truthful',
  );
  breaks(
    'a run that goes on as if nothing was denied',
    but(good('deny'), { change: saysOf('A', []) }),
    'outcome-truthful',
  );
  breaks(
    'an empty reason',
    but(good('edit'), {
      change: (e) => (settlesA(e) ? { type: 'engine.ask-settled', reason: '' } : undefined),
    }),
    'outcome-truthful',
  );
  verdict(
    'a row that cannot be read',
    but(good('stop'), {
      change: (e) =>
        e.type === 'screen.state'
          ? { type: e.type, rows: [{ call: 'A', outcome: 'unknown', text: '' }] }
          : undefined,
    }),
    'outcome-truthful',
    'unobserved',
  );
  verdict(
    'nothing left to tell',
    but(good('edit'), {
      change: (e) => (settlesA(e) ? { type: 'engine.ask-settled', by: 'person' } : undefined),
    }),
    'outcome-truthful',
    'not-offered',
  );
});

test.describe('siblings-isolated, ask-survives-or-expires and policy-reevaluated', () => {
  const calls = {
    A: { token: 'a', message: 'A', ask: 'command' },
    A2: { token: 'a2', message: 'A', ask: 'command' },
  } as const;
  const two = historyOf({ action: 'sibling', calls }, [
    [50, turn(1, 'A')],
    [55, { type: 'model.ended', request: 1, by: 'complete' }],
    [60, { type: 'engine.ask-opened', ask: 'ask-A', call: 'A' }],
    [61, { type: 'engine.ask-opened', ask: 'ask-B', call: 'A2' }],
    [100, screen({ phase: 'awaiting', asks: [card('A'), card('A2')], messages: ['A'] })],
    ...answer(200, 'A', 'deny', 'live', 'accepted'),
    [210, settledA('denied', 'person')],
    [220, screen({ phase: 'awaiting', asks: [card('A2')], messages: ['A'] })],
    [300, { type: 'harness.observed', message: 'A', outcome: 'ask', waitedFor: 'ask A2' }],
    [400, { type: 'world.checked', counts: { A: 0, A2: 0 }, final: true }],
    [500, { type: 'end', reason: 'complete' }],
  ]);
  verdict('an ask that stays when its sibling is denied', two, 'siblings-isolated', 'held');
  breaks(
    'a sibling that is hidden',
    but(two, {
      drop: (e) => e.t === 220 || e.t === 100,
      add: [
        [99, screen({ phase: 'awaiting', asks: [card('A'), card('A2')], messages: ['A'] })],
        [230, screen({ messages: ['A'] })],
      ],
    }),
    'siblings-isolated',
    'live-ask-reachable',
  );
  test('a sibling that is approved along', () => {
    const history = but(two, {
      add: [
        [212, { type: 'engine.ask-settled', ask: 'ask-B', call: 'A2', outcome: 'approved', by: 'person' }],
      ],
    });
    expect(judge(history)['siblings-isolated'].verdict).toBe('violated');
  });
  verdict(
    'a sibling nobody looked for',
    but(two, { drop: (e) => e.type === 'screen.state' }),
    'siblings-isolated',
    'unobserved',
  );
  verdict('one ask', good('stop'), 'siblings-isolated', 'not-offered', /one ask/);

  const again = (action: 'reload' | 'mode-change', asks: ReturnType<typeof card>[]) =>
    historyOf({ action }, [
      [60, { type: 'engine.ask-opened', ask: 'ask-A', call: 'A' }],
      [100, screen({ phase: 'awaiting', asks: [card('A')], messages: ['A'] })],
      [200, { type: 'person.supersede', action, phase: 'begin' }],
      [240, { type: 'person.supersede', action, phase: 'end', outcome: 'done' }],
      [250, screen({ phase: asks.length > 0 ? 'awaiting' : 'idle', asks, messages: ['A'] })],
      [
        300,
        {
          type: 'harness.observed',
          message: 'A',
          outcome: asks.length > 0 ? 'ask' : 'stuck',
          waitedFor: 'ask A',
        },
      ],
      [400, { type: 'world.checked', counts: { A: 0 }, final: true }],
      [500, { type: 'end', reason: 'complete' }],
    ]);
  const survives = 'ask-survives-or-expires';
  verdict('an ask that is there after a reload', again('reload', [card('A')]), survives, 'held');
  breaks(
    'an ask that is lost on a reload',
    again('reload', []),
    survives,
    'live-ask-reachable',
    'new-run-free',
  );
  test('an ask that comes back under another name', () => {
    const history = but(again('reload', [card('A')]), {
      add: [[260, { type: 'engine.ask-opened', ask: 'ask-9', call: 'A' }]],
    });
    expect(judge(history)[survives].verdict).toBe('violated');
  });
  verdict(
    'a reload nobody looked after',
    but(again('reload', []), {
      drop: (e) =>
        e.t > 240 && e.t < 450 && e.type !== 'end' && e.type !== 'world.checked' ? true : e.type === 'end',
    }),
    survives,
    'unobserved',
  );
  verdict('a stop', good('stop'), survives, 'not-offered');

  const policy = 'policy-reevaluated';
  verdict('an ask that stays when the mode changes', again('mode-change', [card('A')]), policy, 'held');
  breaks(
    'an ask that is blocked and hidden',
    again('mode-change', []),
    policy,
    'live-ask-reachable',
    'new-run-free',
  );
  test('an ask that is approved without a reason', () => {
    expect(
      judge(but(again('mode-change', []), { add: [[245, settledA('approved', 'system')]] }))[policy].verdict,
    ).toBe('violated');
  });
  verdict(
    'an ask judged by the new policy',
    but(again('mode-change', []), { add: [[245, settledA('approved', 'system', 'auto-approval is on')]] }),
    policy,
    'held',
  );
  verdict(
    'a change nobody looked after',
    but(again('mode-change', []), { drop: (e) => e.t > 240 }),
    policy,
    'unobserved',
  );
  verdict('a stop', good('stop'), policy, 'not-offered');
});
