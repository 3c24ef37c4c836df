import { test } from '@playwright/test';
import type { CallRole, HandoffEvent } from '../../history/events.ts';
import type { Settlement } from '../../history/vocabulary.ts';
import { breaks, verdict } from '../expectations.ts';
import { good } from '../stories.ts';
import { type At, answer, but, card, row, screen, told, turn } from '../testing.ts';

// What each action of its own can do wrong; the requirements in general are tried in the other files.

const settles =
  (call: CallRole = 'A') =>
  (e: HandoffEvent) =>
    e.type === 'engine.ask-settled' && e.call === call;
const endsRun = (run: string) => (e: HandoffEvent) => e.type === 'engine.run-ended' && e.run === run;
const finally_ = (counts: Partial<Record<CallRole, number>>) => (e: HandoffEvent) =>
  e.type === 'world.checked' && e.t > 240 ? { type: e.type, counts: { ...e.counts, ...counts } } : undefined;
const toB = (over: object) => (e: HandoffEvent) =>
  e.type === 'model.request' && e.message === 'B' ? { type: e.type, ...over } : undefined;
const settledA = (t: number, outcome: Settlement, by: 'person' | 'system', reason?: string): At => [
  t,
  { type: 'engine.ask-settled', ask: 'ask-A', call: 'A', outcome, by, ...(reason ? { reason } : {}) },
];
const effect = (t: number, call: CallRole, count = 1): At => [t, { type: 'world.effect', call, count }];

test.describe('retry', () => {
  breaks(
    'an old run that goes on beside the retried one',
    but(good('retry'), {
      add: [
        [350, turn(9, 'A', { calls: [told('A', 'denied')] })],
        [360, { type: 'model.ended', request: 9, by: 'complete' }],
      ],
    }),
    'late-events-fenced',
  );
  breaks(
    'a call that comes along from before the retry',
    but(good('retry'), { change: toB({ calls: [told('A', 'denied')] }) }),
    'no-resurrection',
  );
  breaks(
    'a retried run that never ends',
    but(good('retry'), { drop: endsRun('run-1-again') }),
    'ask-settled',
  );
});

test.describe('checkpoint-restore', () => {
  const files = good('checkpoint-restore', 'watch', { variant: 'files' });
  breaks(
    'a restored message that is sent to the model',
    but(good('checkpoint-restore'), { change: toB({ carries: ['A', 'B'] }) }),
    'no-resurrection',
  );
  breaks('a change of files that stays', but(files, { change: finally_({ A2: 1 }) }), 'no-resurrection');
  breaks(
    'a message that is still shown',
    but(good('checkpoint-restore'), {
      change: (e) =>
        e.type === 'screen.state' && e.t > 240 ? { type: e.type, messages: ['A', 'B'] } : undefined,
    }),
    'no-resurrection',
  );
  verdict(
    'files that nobody looked at again',
    but(files, { drop: (e) => e.type === 'world.checked' && e.final === true }),
    'no-resurrection',
    'unobserved',
  );
});

test.describe('switch-session', () => {
  breaks(
    'an ask that is parked behind another task',
    but(good('switch-session'), { drop: (e) => settles()(e) || endsRun('run-1')(e) }),
    'ask-settled',
    'live-ask-reachable',
  );
  breaks(
    'a run that asks the model behind another task',
    but(good('switch-session'), {
      add: [
        [350, turn(9, 'A', { calls: [told('A', 'denied')] })],
        [360, { type: 'model.ended', request: 9, by: 'complete' }],
      ],
    }),
    'late-events-fenced',
  );
});

test.describe('mode-change', () => {
  const policy = 'policy-reevaluated';
  const auto = good('mode-change', 'watch', { variant: 'auto-approve-commands' });
  breaks(
    'a mode for planning that runs what was asked',
    but(auto, { about: { variant: 'to-plan', leaves: 'open' } }),
    policy,
    'explicit-consent',
    'no-unapproved-effect',
  );
  breaks(
    'approval of commands that says yes to an edit',
    but(auto, {
      about: {
        ask: 'edit',
        calls: {
          A: { token: 'a', message: 'A', ask: 'edit' },
          B: { token: 'b', message: 'B', ask: 'edit' },
        },
      },
    }),
    policy,
    'explicit-consent',
    'no-unapproved-effect',
  );
  breaks(
    'a yes without the reason of a policy',
    but(auto, { change: (e) => (settles()(e) ? { type: 'engine.ask-settled', reason: '' } : undefined) }),
    policy,
    'outcome-truthful',
  );
  breaks(
    'a policy that says yes twice',
    but(auto, { add: [settledA(212, 'approved', 'system', 'commands are approved')] }),
    'settled-once',
  );
});

test.describe('queued-message', () => {
  breaks(
    'a queued text that counts as yes',
    but(good('queued-message'), {
      drop: (e) => settles()(e) || (e.type === 'person.answer' && e.intent === 'live'),
      change: (e) =>
        finally_({ A: 1 })(e) ??
        (e.type === 'model.request' && e.request !== 1
          ? { type: e.type, calls: [told('A', 'ran')] }
          : e.type === 'screen.state' && e.t > 250
            ? { type: e.type, rows: [row('A', 'ran')] }
            : undefined),
      add: [settledA(245, 'approved', 'system', 'the next message'), effect(245.5, 'A')],
    }),
    'explicit-consent',
    'no-unapproved-effect',
  );
  breaks(
    'a message that is lost in the queue',
    but(good('queued-message'), {
      drop: (e) => (e.type === 'model.request' || e.type === 'model.ended') && e.request === 10,
    }),
    'new-run-free',
  );
});

test.describe('reload', () => {
  const survives = 'ask-survives-or-expires';
  const noAnswer = (e: HandoffEvent) => e.t >= 240.5 && e.t < 250 && e.type !== 'person.supersede';
  breaks(
    'an ask that is lost and has no outcome',
    but(good('reload'), { drop: (e) => noAnswer(e) || endsRun('run-1')(e) }),
    survives,
    'live-ask-reachable',
    'ask-settled',
  );
  breaks(
    'an ask that comes back as another one',
    but(good('reload'), {
      drop: settles(),
      add: [
        [235, { type: 'engine.ask-opened', ask: 'ask-A-again', call: 'A', kind: 'command', run: 'run-1' }],
        [
          243,
          {
            type: 'engine.ask-settled',
            ask: 'ask-A-again',
            call: 'A',
            outcome: 'denied',
            by: 'person',
            reason: 'no',
          },
        ],
      ],
    }),
    survives,
  );
  verdict(
    'an ask that is explicitly ended',
    but(good('reload'), {
      drop: noAnswer,
      add: [
        settledA(230, 'cancelled', 'system', 'the page went away'),
        [245, { type: 'engine.run-ended', run: 'run-1', message: 'A', reason: 'cancelled' }],
      ],
    }),
    survives,
    'held',
  );
});

test.describe('restart', () => {
  breaks(
    'an ask that the restart forgets',
    but(good('restart'), { drop: settles(), change: toB({ calls: [] }) }),
    'ask-survives-or-expires',
    'ask-settled',
    'settled-before-next',
    'live-ask-reachable',
  );
  breaks(
    'an ask that each restart closes again',
    but(good('restart', 'watch', { variant: 'twice' }), {
      add: [settledA(232, 'cancelled', 'system', 'the agent was restarted')],
    }),
    'settled-once',
  );
  breaks(
    'a closed ask that the second restart asks again',
    but(good('restart', 'watch', { variant: 'twice' }), {
      add: [
        [232, { type: 'engine.ask-opened', ask: 'ask-A', call: 'A', kind: 'command', run: 'run-1' }],
        [233, { type: 'engine.ask-settled', ask: 'ask-A', call: 'A', outcome: 'cancelled', reason: 'again' }],
      ],
    }),
    'no-resurrection',
    'settled-once',
  );
  breaks(
    'a call whose result is written twice',
    but(good('restart'), { change: toB({ calls: [told('A', 'denied', 2)] }) }),
    'calls-paired',
  );
});

test.describe('peer and duplicate-answer', () => {
  const answers = good('peer', 'watch', { variant: 'answers' });
  const second = (t: number, asks: ReturnType<typeof card>[]): At => [
    t,
    screen({ window: 'second', asks, messages: ['A'] }),
  ];
  breaks(
    'a second window that still asks',
    but(answers, { add: [second(130, [card('A')])] }),
    'settled-ask-gone',
  );
  verdict(
    'a second window that follows when the first is done already',
    but(answers, { add: [second(130, [card('A')]), second(700, [])] }),
    'settled-ask-gone',
    'held',
  );
  verdict(
    'a second window that follows',
    but(answers, { add: [second(130, [card('A')]), second(206, [])] }),
    'settled-ask-gone',
    'held',
  );
  breaks(
    'a stop in a second window that ends nothing',
    but(good('peer', 'watch', { variant: 'stops' }), { drop: (e) => settles()(e) || endsRun('run-1')(e) }),
    'ask-settled',
  );

  const twice = (outcome: 'refused' | 'accepted' | 'gone'): At[] =>
    answer(202.2, 'A', 'approve', 'live', outcome, 'screen');
  verdict(
    'the one of two windows that comes first',
    but(answers, { add: twice('gone') }),
    'live-ask-reachable',
    'held',
  );
  verdict('the other window is refused', but(answers, { add: twice('refused') }), 'dead-ask-refused', 'held');
  breaks('two windows that are both taken', but(answers, { add: twice('accepted') }), 'dead-ask-refused');
  breaks(
    'two windows that run it twice',
    but(answers, { change: finally_({ A: 2 }), add: [...twice('accepted'), effect(206, 'A', 2)] }),
    'settled-once',
    'dead-ask-refused',
  );

  const once = good('duplicate-answer');
  const wins = but(once, {
    change: (e) =>
      finally_({ A: 1 })(e) ??
      (e.type === 'person.answer' && e.intent === 'late' && e.phase === 'end' && e.t < 300
        ? { type: e.type, outcome: 'accepted' }
        : undefined),
    add: [settledA(205, 'approved', 'person'), effect(205.5, 'A')],
  });
  breaks(
    'a yes that overrules the no before it',
    wins,
    'settled-once',
    'no-unapproved-effect',
    'dead-ask-refused',
  );
  breaks(
    'a no that is settled once for each click',
    but(once, { add: [settledA(203.2, 'denied', 'person', 'denied by the person')] }),
    'settled-once',
  );
});

test.describe('sibling', () => {
  const two = good('sibling', 'watch', { variant: 'deny-first' });
  const later = (e: HandoffEvent) =>
    settles('A2')(e) ||
    (e.type === 'person.answer' && e.call === 'A2') ||
    (e.type === 'world.effect' && e.call === 'A2') ||
    (e.type === 'engine.tool-started' && e.call === 'A2');
  breaks(
    'a sibling that vanishes',
    but(two, {
      drop: (e) => later(e) || e.t === 206,
      change: (e) =>
        finally_({ A2: 0 })(e) ??
        (e.type === 'model.request' && e.request > 1
          ? { type: e.type, calls: [told('A', 'denied')] }
          : undefined),
    }),
    'siblings-isolated',
    'live-ask-reachable',
  );
  breaks(
    'a no that runs the other one',
    but(two, {
      drop: (e) => settles('A2')(e) || (e.type === 'person.answer' && e.call === 'A2'),
      add: [
        [204, { type: 'engine.ask-settled', ask: 'ask-A2', call: 'A2', outcome: 'approved', by: 'person' }],
      ],
    }),
    'siblings-isolated',
    'answer-bound',
    'no-unapproved-effect',
  );
});

test.describe('subagent', () => {
  breaks('a child that lives on', but(good('subagent'), { drop: endsRun('run-child') }), 'ask-settled');
  breaks(
    'an ask of a child that is not ended with its parent',
    but(good('subagent'), { drop: (e) => settles()(e) || endsRun('run-child')(e) }),
    'ask-settled',
  );
});

test.describe('timeout', () => {
  breaks(
    'an ask that never expires',
    but(good('timeout'), { drop: (e) => settles()(e) || endsRun('run-1')(e) }),
    'ask-settled',
  );
  breaks(
    'a time-out that is a yes',
    but(good('timeout'), {
      drop: settles(),
      change: (e) =>
        finally_({ A: 1 })(e) ??
        (e.type === 'model.request' && e.request > 1
          ? { type: e.type, calls: [told('A', 'ran')] }
          : e.type === 'screen.state' && e.t > 230
            ? { type: e.type, rows: [row('A', 'ran')] }
            : undefined),
      add: [settledA(210, 'approved', 'system', 'nobody said no'), effect(215, 'A')],
    }),
    'explicit-consent',
    'no-unapproved-effect',
    'ask-settled',
  );
  breaks(
    'a click on the expired card that is taken',
    but(good('timeout'), {
      drop: (e) => e.type === 'engine.answer-refused',
      change: (e) =>
        e.type === 'person.answer' && e.intent === 'late' && e.phase === 'end'
          ? { type: e.type, outcome: 'accepted' }
          : undefined,
    }),
    'dead-ask-refused',
  );
});

test.describe('provider-error', () => {
  breaks(
    'a failed run that blocks the client',
    but(good('provider-error'), {
      change: (e) =>
        e.type === 'harness.observed' && e.message === 'A' ? { type: e.type, outcome: 'stuck' } : undefined,
    }),
    'new-run-free',
  );
  breaks(
    'a failed run that never ends',
    but(good('provider-error'), { drop: endsRun('run-1') }),
    'ask-settled',
  );
});

test.describe('stray-input', () => {
  breaks(
    'Enter beside the card that runs it',
    but(good('stray-input'), {
      drop: (e) => settles()(e) || (e.type === 'person.answer' && e.intent === 'live'),
      change: (e) =>
        finally_({ A: 1 })(e) ??
        (e.type === 'model.request' && e.request > 1
          ? { type: e.type, calls: [told('A', 'ran')] }
          : e.type === 'screen.state' && e.t > 250
            ? { type: e.type, rows: [row('A', 'ran')] }
            : undefined),
      add: [settledA(211, 'approved', 'person'), effect(212, 'A')],
    }),
    'explicit-consent',
    'no-unapproved-effect',
  );
  verdict(
    'Escape beside the card that denies it',
    but(good('stray-input'), {
      drop: (e) => settles()(e) || (e.type === 'person.answer' && e.intent === 'live') || e.t === 240.5,
      add: [settledA(211, 'denied', 'person', 'Escape')],
    }),
    'explicit-consent',
    'held',
  );
});
