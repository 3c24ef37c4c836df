import { expect, test } from '@playwright/test';
import type { HandoffEvent } from '../../history/events.ts';
import { breaks, verdict } from '../expectations.ts';
import { judge } from '../judge.ts';
import { good } from '../stories.ts';
import { answer, but, card, row, screen, told, turn } from '../testing.ts';

const settlesA = (event: HandoffEvent) => event.type === 'engine.ask-settled' && event.call === 'A';
const endsRunA = (event: HandoffEvent) => event.type === 'engine.run-ended' && event.message === 'A';
const refusal = (event: HandoffEvent) => event.type === 'engine.answer-refused';
const after = (t: number) => (event: HandoffEvent) => event.t > t && event.type !== 'end';

test.describe('new-run-free', () => {
  breaks(
    'a client that thinks for ever',
    but(good('edit', 'follow-up'), {
      drop: (event) => event.type === 'screen.state' && event.t > 295,
      change: (event) =>
        event.type === 'harness.observed' ? { type: event.type, outcome: 'stuck', quiet: 1500 } : undefined,
    }),
    'new-run-free',
  );
  breaks(
    'a message that never reaches the model',
    but(good('stop', 'follow-up'), {
      drop: (event) =>
        (event.type === 'model.request' || event.type === 'model.ended') && event.request === 11,
    }),
    'new-run-free',
  );
  breaks(
    'an input that stays disabled',
    but(good('stop'), {
      add: [[700, screen({ input: 'disabled', rows: [row('A', 'denied')], messages: ['A', 'B'] })]],
    }),
    'new-run-free',
  );
  breaks(
    'a denied run that never ends',
    but(good('deny'), {
      drop: endsRunA,
      change: (event) =>
        event.type === 'harness.observed' && event.message === 'A'
          ? { type: event.type, outcome: 'stuck' }
          : undefined,
    }),
    'new-run-free',
    'ask-settled',
  );
  verdict(
    'no message followed',
    but(good('stop'), { drop: after(245) }),
    'new-run-free',
    'not-offered',
    /no message/,
  );
  verdict(
    'a stream cut by the model',
    but(good('stop'), {
      change: (e) =>
        e.type === 'model.ended' && e.request === 10 ? { type: e.type, by: 'server' } : undefined,
    }),
    'new-run-free',
    'unobserved',
    /cut by the model/,
  );
});

test.describe('ask-settled and settled-before-next', () => {
  breaks(
    'an ask that stays parked',
    but(good('edit'), { drop: (e) => settlesA(e) || endsRunA(e) }),
    'ask-settled',
    'settled-before-next',
  );
  breaks('a run that never ends', but(good('stop'), { drop: endsRunA }), 'ask-settled');
  breaks(
    'an ask that is still in the list',
    but(good('stop'), {
      drop: (e) => e.type === 'engine.pending' && e.t > 500,
      add: [[890, { type: 'engine.pending', asks: [{ ask: 'ask-A' }] }]],
    }),
    'ask-settled',
  );
  breaks(
    'a client that queues though it says settle',
    but(good('deny'), {
      about: { action: 'new-message' },
      change: (e) =>
        e.type === 'person.supersede'
          ? {
              type: e.type,
              action: 'new-message',
              ...(e.phase === 'end' ? { outcome: 'queued' as const } : {}),
            }
          : undefined,
    }),
    'ask-settled',
  );
  breaks(
    'an ask that is settled after the new run began',
    but(good('edit'), {
      drop: settlesA,
      add: [
        [
          350,
          {
            type: 'engine.ask-settled',
            ask: 'ask-A',
            call: 'A',
            outcome: 'cancelled',
            reason: 'late',
            by: 'system',
          },
        ],
      ],
    }),
    'settled-before-next',
  );
  breaks(
    'without an engine, a new message beside the live old ask',
    but(good('edit'), {
      about: { witnesses: { engine: false, world: true, model: true, screen: true } },
      drop: (e) => e.type.startsWith('engine.') || (e.type === 'screen.state' && e.t > 110),
      add: [
        [295, screen({ phase: 'awaiting', asks: [card('A')], messages: ['B'] })],
        [700, screen({ messages: ['B'] })],
      ],
    }),
    'settled-before-next',
    'settled-ask-gone',
  );
  const blind = but(good('edit'), {
    about: { witnesses: { engine: false, world: true, model: true, screen: true } },
    drop: (e) => e.type.startsWith('engine.'),
  });
  verdict('an edit that no engine reports', blind, 'ask-settled', 'unobserved');
  verdict('an edit that no engine reports', blind, 'settled-before-next', 'unobserved');
  const stopped = but(good('stop'), {
    about: { witnesses: { engine: false, world: true, model: true, screen: true } },
    drop: (e) => e.type.startsWith('engine.'),
  });
  verdict('a stop that only the model hears of', stopped, 'ask-settled', 'held', /denied/);
  verdict('a stop that only the model hears of', stopped, 'settled-before-next', 'held', /denied/);
  verdict(
    'a settlement seen too vaguely',
    but(good('edit'), {
      drop: settlesA,
      add: [
        [350, { type: 'engine.ask-settled', ask: 'ask-A', call: 'A', outcome: 'cancelled', reason: 'x' }, 60],
      ],
    }),
    'settled-before-next',
    'unobserved',
    /cannot be ordered/,
  );
  verdict('an approval', good('approve'), 'ask-settled', 'not-offered', /approved/);
  verdict('a plain no', good('deny'), 'settled-before-next', 'not-offered', /supersedes nothing/);
});

test.describe('late-events-fenced and no-resurrection', () => {
  test('a card whose buttons rest while an answer is on its way has not come back', () => {
    const lingering = but(good('edit'), {
      change: (e) =>
        e.type === 'screen.state' && e.t > 200 ? { type: e.type, asks: [card('A')] } : undefined,
      add: [
        [300, screen({ phase: 'awaiting', asks: [card('A', [])] })],
        [301, screen({ phase: 'awaiting', asks: [card('A')] })],
      ],
    });
    const { clauses = [] } = judge(lingering)['no-resurrection'];
    expect(clauses.find(({ name }) => name === 'no-ghost')?.verdict).not.toBe('violated');
    const gone = but(lingering, { add: [[300.5, screen({ phase: 'idle' })]] });
    expect(judge(gone)['no-resurrection'].verdict).toBe('violated');
  });
  breaks(
    'an old run that asks the model again',
    but(good('stop'), {
      add: [
        [350, turn(9, 'A', { calls: [told('A', 'denied')] })],
        [360, { type: 'model.ended', request: 9, by: 'complete' }],
      ],
    }),
    'late-events-fenced',
  );
  breaks(
    'an old tool that starts',
    but(good('stop'), { add: [[350, { type: 'engine.tool-started', call: 'A' }]] }),
    'late-events-fenced',
  );
  breaks(
    'an old row that appears anew',
    but(good('edit'), { add: [[600, screen({ rows: [row('A', 'denied')], messages: ['B'] })]] }),
    'late-events-fenced',
  );
  verdict('a plain no', good('deny'), 'late-events-fenced', 'not-offered');
  verdict(
    'a record that crashed',
    but(good('stop'), {
      drop: after(245),
      change: (e) => (e.type === 'end' ? { type: 'end', reason: 'crashed' } : undefined),
    }),
    'late-events-fenced',
    'unobserved',
  );

  breaks(
    'a rewound message that is sent again',
    but(good('edit'), {
      change: (e) =>
        e.type === 'model.request' && e.message === 'B' ? { type: e.type, carries: ['A', 'B'] } : undefined,
    }),
    'no-resurrection',
  );
  breaks(
    'a rewound message that is still shown',
    but(good('edit'), {
      change: (e) =>
        e.type === 'screen.state' && e.t > 240 ? { type: e.type, messages: ['A', 'B'] } : undefined,
    }),
    'no-resurrection',
  );
  breaks(
    'a settled ask that comes back',
    but(good('edit'), {
      add: [
        [350, screen({ phase: 'awaiting', asks: [card('A')], messages: ['B'] })],
        [360, screen({ messages: ['B'] })],
      ],
    }),
    'no-resurrection',
    'settled-ask-gone',
  );
  verdict('a stop', good('stop'), 'no-resurrection', 'not-offered', /nothing was rewound/);
  verdict(
    'a rewind that nothing follows',
    but(good('edit'), { drop: (e) => e.t > 245 && e.type !== 'end' }),
    'no-resurrection',
    'unobserved',
  );
});

test.describe('calls-paired', () => {
  const withCalls = (calls: ReturnType<typeof told>[], orphanResults = 0) =>
    but(good('stop'), {
      change: (e) =>
        e.type === 'model.request' && e.message === 'B' ? { type: e.type, calls, orphanResults } : undefined,
    });
  breaks('a call without a result', withCalls([told('A', 'denied', 0)]), 'calls-paired');
  breaks('a call with two results', withCalls([told('A', 'denied', 2)]), 'calls-paired');
  breaks('a result without a call', withCalls([], 1), 'calls-paired');
  verdict(
    'an edit that takes the call away',
    good('edit'),
    'calls-paired',
    'not-offered',
    /no later request/,
  );
});

test.describe('live-ask-reachable', () => {
  breaks(
    'a new ask that is not shown',
    but(good('edit', 'answer-new-ask'), {
      drop: (e) => e.t > 325 && !['end', 'world.checked'].includes(e.type) && !refusal(e),
      change: (e) => (e.type === 'world.checked' ? { type: e.type, counts: { A: 0, B: 0 } } : undefined),
      add: [
        ...answer(500, 'A', 'approve', 'late', 'refused'),
        [900, { type: 'harness.observed', message: 'B', outcome: 'stuck', waitedFor: 'ask B' }],
      ],
    }),
    'live-ask-reachable',
    'new-run-free',
  );
  const queued = but(good('deny'), {
    about: { action: 'new-message', treatment: 'queue' },
    change: (e) =>
      e.type === 'person.supersede'
        ? {
            type: e.type,
            action: 'new-message',
            ...(e.phase === 'end' ? { outcome: 'queued' as const } : {}),
          }
        : undefined,
  });
  test('a queue that keeps its ask live holds', () => {
    const verdicts = judge(queued);
    expect(
      Object.entries(verdicts).filter(([, one]) => !['held', 'not-offered'].includes(one.verdict)),
    ).toEqual([]);
    expect(verdicts['ask-settled'].verdict).toBe('held');
  });
  breaks(
    'a queue behind an ask that is gone',
    but(queued, {
      drop: (e) =>
        settlesA(e) ||
        endsRunA(e) ||
        refusal(e) ||
        e.type === 'person.answer' ||
        (e.t > 203 &&
          (e.type === 'model.request' || e.type === 'model.ended' || e.type === 'harness.observed')),
      add: [[100.5, screen({ phase: 'thinking', messages: ['A'] })]],
    }),
    'live-ask-reachable',
    'ask-settled',
    'new-run-free',
  );
  verdict(
    'nobody asked anything',
    but(good('edit'), { drop: (e) => /ask|pending|screen|answer/.test(e.type) }),
    'live-ask-reachable',
    'not-offered',
  );
});

test.describe('settled-ask-gone', () => {
  const lingering = (asks: ReturnType<typeof card>[], badge = 0) =>
    but(good('stop'), {
      change: (e) => (e.type === 'screen.state' && e.t > 200 ? { type: e.type, asks, badge } : undefined),
    });
  breaks('a card that lingers', lingering([card('A')]), 'settled-ask-gone');
  const rows = [row('A', 'denied')];
  const beside = (t: number) =>
    but(good('stop', 'message-while-streaming'), {
      add: [
        [310, screen({ phase: 'awaiting', asks: [card('A')], rows, messages: ['A', 'B'] })],
        [t, screen({ phase: 'thinking', rows, messages: ['A', 'B'] })],
      ],
    });
  breaks('a card beside the stream of the next run', beside(330), 'settled-ask-gone');
  breaks('a badge that still counts it', lingering([], 1), 'settled-ask-gone');
  breaks(
    'a second window that still shows it',
    but(good('stop'), { add: [[130, screen({ window: 'second', asks: [card('A')] })]] }),
    'settled-ask-gone',
  );
  verdict('a card without controls', lingering([card('A', [])]), 'settled-ask-gone', 'held');
  verdict(
    'a window that was cut off',
    but(good('stop'), { add: [[130, screen({ window: 'stale', asks: [card('A')] })]] }),
    'settled-ask-gone',
    'held',
  );
  verdict(
    'a screen nobody looked at',
    but(good('stop'), { drop: (e) => e.type === 'screen.state' }),
    'settled-ask-gone',
    'unobserved',
  );
  verdict(
    'a screen that crashed before',
    but(good('stop'), { drop: (e) => e.t > 195 }),
    'settled-ask-gone',
    'not-offered',
  );
});
