import type { CallRole, EventBody, HandoffEvent, Header, History, ScreenState } from '../history/events.ts';
import type { ActionName, Aftermath } from '../history/vocabulary.ts';

/** What is tried; a plain edit that nobody does anything after, when left out. */
export type About = Partial<Omit<Header, 'type' | 'schema'>>;

/** A time and what happened then. */
export type At = [t: number, body: EventBody, since?: number];

/** Makes a history of hand-written events, in the order of time. */
export function historyOf(about: About, events: readonly At[]): History {
  const call = (role: CallRole, message: 'A' | 'B' | 'C') => ({
    token: `canary-${role}`,
    message,
    ask: 'command' as const,
  });
  const header: Header = {
    type: 'handoff',
    schema: 1,
    id: 'hand-written',
    client: 'none',
    version: '0',
    surface: 'web',
    action: 'edit',
    variant: 'plain',
    ask: 'command',
    moment: 'ask-open',
    aftermath: 'watch',
    wire: 'openai-chat',
    treatment: 'settle',
    leaves: 'settled',
    calls: { A: call('A', 'A'), B: call('B', 'B'), C: call('C', 'C') },
    messages: { A: { marker: 'task-a' }, B: { marker: 'task-b' }, C: { marker: 'task-c' } },
    witnesses: { engine: true, world: true, model: true, screen: true },
    startedAt: '2026-01-01T00:00:00.000Z',
    ...about,
  };
  const sorted = events
    .map((at, index) => ({ at, index }))
    .sort((a, b) => a.at[0] - b.at[0] || a.index - b.index);
  return {
    header,
    events: sorted.map(
      ({ at: [t, body, since] }, index) =>
        ({ seq: index + 1, t, ...(since === undefined ? {} : { since }), ...body }) as HandoffEvent,
    ),
  };
}

type Change = {
  /** Leaves out the events that fit. */
  drop?: (event: HandoffEvent) => boolean;
  /** Changes the events that fit. */
  change?: (event: HandoffEvent) => Partial<EventBody> | undefined;
  add?: readonly At[];
  about?: About;
};

/** The same history but for some events. */
export function but(history: History, { drop, change, add = [], about = {} }: Change): History {
  const kept = history.events
    .filter((event) => !drop?.(event))
    .map(({ seq: _, t, since, ...body }): At => {
      const changed = change?.({ seq: 0, t, ...body } as HandoffEvent);
      return [t, { ...body, ...changed } as EventBody, since];
    });
  return historyOf({ ...history.header, ...about }, [...kept, ...add]);
}

/** Shorthand for one look of the main window. */
export const screen = (over: Partial<ScreenState> = {}): ScreenState => ({
  type: 'screen.state',
  window: 'main',
  phase: 'idle',
  input: 'enabled',
  asks: [],
  rows: [],
  notices: [],
  messages: [],
  ...over,
});

/** An ask as a card with its two buttons. */
export const card = (call: CallRole, controls = ['Run Command', 'Reject']) => ({
  call,
  controls,
  text: `sh canary.sh canary-${call}`,
});

/** A tool row. */
export const row = (call: CallRole, outcome: ScreenState['rows'][number]['outcome']) => ({
  call,
  outcome,
  text: `${call} ${outcome}`,
});

/** Shorthand for a model turn. */
export const turn = (
  request: number,
  message: 'A' | 'B' | 'C',
  over: Partial<EventBody & { type: 'model.request' }> = {},
): EventBody => ({
  type: 'model.request',
  request,
  wire: 'openai-chat',
  kind: 'run',
  message,
  carries: [message],
  calls: [],
  orphanResults: 0,
  tools: ['run_command'],
  ...over,
});

/** What a conversation says of a call. */
export const told = (role: CallRole, how: 'denied' | 'ran' | 'other', results = 1) => ({
  id: `id-${role}`,
  role,
  results,
  told: how,
});

/** An answer, from the press to what came of it. */
export const answer = (
  t: number,
  call: CallRole,
  decision: 'approve' | 'deny',
  intent: 'live' | 'late',
  outcome: 'accepted' | 'refused' | 'inert' | 'gone',
  route: 'screen' | 'protocol' | 'leftover-control' = intent === 'live' ? 'screen' : 'protocol',
): At[] => [
  [t, { type: 'person.answer', call, decision, intent, route, phase: 'begin' }],
  [t + 2, { type: 'person.answer', call, decision, intent, route, phase: 'end', outcome }],
];

const checked = (counts: Partial<Record<CallRole, number>>, final = false): EventBody => ({
  type: 'world.checked',
  counts: { A: 0, B: 0, C: 0, ...counts },
  ...(final ? { final } : {}),
});

/**
 * A client that does everything right, tried with an action and an aftermath. Ask A is open at 100 ms, the action begins at
 * 200, message B's run begins at 300, the aftermath at 400, late answers at 500, the end is at 900.
 */
export function good(action: ActionName, aftermath: Aftermath = 'watch', about: About = {}): History {
  const control = action === 'approve' || action === 'deny';
  const carriesNext = action === 'edit' || action === 'new-message';
  const rewound = action === 'edit' || action === 'new-session';
  const ran = action === 'approve';
  const counts = { A: ran ? 1 : 0 };
  const rows = rewound ? [] : [row('A', ran ? 'ran' : 'denied')];
  const calls = rewound ? [] : [told('A', ran ? 'ran' : 'denied')];
  const carried = rewound ? [] : (['A'] as const);
  const messages = (...more: ('B' | 'C')[]) => [...carried, ...more];
  const events: At[] = [
    [1, { type: 'harness.step', step: 'arrange' }],
    [10, { type: 'person.submit', message: 'A', phase: 'begin' }],
    [15, { type: 'person.submit', message: 'A', phase: 'end', outcome: 'taken' }],
    [20, { type: 'engine.run-started', run: 'run-1', message: 'A' }],
    [30, turn(1, 'A')],
    [40, { type: 'model.sent', request: 1, what: 'call', call: 'A' }],
    [50, { type: 'model.ended', request: 1, by: 'complete' }],
    [60, { type: 'engine.ask-opened', ask: 'ask-1', call: 'A', kind: 'command', run: 'run-1' }],
    [
      100,
      screen({
        phase: 'awaiting',
        asks: [card('A')],
        rows: [row('A', 'waiting')],
        badge: 1,
        messages: ['A'],
      }),
    ],
    [110, checked({})],
    [120, { type: 'engine.pending', asks: [{ ask: 'ask-1', call: 'A' }] }],
    [190, { type: 'harness.step', step: 'supersede' }],
    [200, { type: 'person.supersede', action, phase: 'begin' }],
    [240, { type: 'person.supersede', action, phase: 'end', outcome: 'done' }],
  ];
  if (control) {
    events.push(...answer(202, 'A', action, 'live', 'accepted'));
    const outcome = ran ? 'approved' : 'denied';
    events.push([210, { type: 'engine.ask-settled', ask: 'ask-1', call: 'A', outcome, by: 'person' }]);
    if (ran)
      events.push(
        [215, { type: 'engine.tool-started', call: 'A' }],
        [220, { type: 'world.effect', call: 'A', count: 1 }],
      );
    events.push([225, turn(2, 'A', { calls: [told('A', ran ? 'ran' : 'denied')] })]);
    events.push([230, { type: 'model.ended', request: 2, by: 'complete' }]);
    events.push([235, { type: 'engine.run-ended', run: 'run-1', message: 'A', reason: 'completed' }]);
  } else {
    const reason = `superseded: ${action}`;
    events.push([
      210,
      { type: 'engine.ask-settled', ask: 'ask-1', call: 'A', outcome: 'cancelled', reason, by: 'system' },
    ]);
    events.push([220, { type: 'engine.run-ended', run: 'run-1', message: 'A', reason: 'superseded' }]);
  }
  events.push([236, screen({ rows, badge: 0, messages: messages() })]);
  if (carriesNext) {
    events.push([204, { type: 'person.submit', message: 'B', phase: 'begin' }]);
    events.push([238, { type: 'person.submit', message: 'B', phase: 'end', outcome: 'taken' }]);
  } else {
    events.push([
      250,
      {
        type: 'harness.observed',
        message: 'A',
        outcome: 'done',
        waitedFor: 'the run of message A to be over',
      },
    ]);
    events.push([260, { type: 'person.submit', message: 'B', phase: 'begin' }]);
    events.push([265, { type: 'person.submit', message: 'B', phase: 'end', outcome: 'taken' }]);
  }
  events.push(
    [270, { type: 'harness.step', step: 'observe' }],
    [290, { type: 'engine.run-started', run: 'run-2', message: 'B' }],
    [295, screen({ phase: 'thinking', rows, badge: 0, messages: messages('B') })],
    [300, turn(3, 'B', { carries: messages('B'), calls })],
    [395, { type: 'harness.step', step: 'aftermath' }],
    ...answer(500, 'A', 'approve', 'late', 'refused'),
    [505, { type: 'engine.answer-refused', ask: 'ask-1', call: 'A', reason: 'this ask is over' }],
    [890, { type: 'engine.pending', asks: [] }],
    [895, checked({ ...counts, B: aftermath === 'answer-new-ask' ? 1 : 0 }, true)],
    [900, { type: 'end', reason: 'complete' }],
  );
  const idle = (t: number, ...more: ('B' | 'C')[]): At => [
    t,
    screen({ rows, badge: 0, messages: messages(...more) }),
  ];
  const observed = (t: number, message: 'B' | 'C', outcome: 'ask' | 'streaming' | 'done'): At => [
    t,
    { type: 'harness.observed', message, outcome, waitedFor: `message ${message}: ${outcome}` },
  ];
  const sends = (t: number): At[] => [
    [t, { type: 'person.submit', message: 'C', phase: 'begin' }],
    [t + 5, { type: 'person.submit', message: 'C', phase: 'end', outcome: 'taken' }],
  ];
  const runEnds = (t: number, run: string, message: 'B' | 'C'): At => [
    t,
    { type: 'engine.run-ended', run, message, reason: 'completed' },
  ];
  const answersC: At[] = [
    [430, { type: 'engine.run-started', run: 'run-3', message: 'C' }],
    [440, turn(4, 'C', { carries: messages('B', 'C'), calls })],
    [450, { type: 'model.ended', request: 4, by: 'complete' }],
    runEnds(455, 'run-3', 'C'),
    idle(460, 'B', 'C'),
    observed(470, 'C', 'done'),
    [520, checked(counts)],
  ];
  if (aftermath === 'answer-new-ask') {
    const asking: Partial<ScreenState> = {
      phase: 'awaiting',
      asks: [card('B')],
      badge: 1,
      messages: messages('B'),
    };
    events.push(
      [310, { type: 'model.ended', request: 3, by: 'complete' }],
      [320, { type: 'engine.ask-opened', ask: 'ask-2', call: 'B', kind: 'command', run: 'run-2' }],
      [330, screen({ ...asking, rows: [...rows, row('B', 'waiting')] })],
      observed(340, 'B', 'ask'),
      [508, { type: 'engine.pending', asks: [{ ask: 'ask-2', call: 'B' }] }],
      [510, checked(counts)],
      ...answer(600, 'B', 'approve', 'live', 'accepted'),
      [610, { type: 'engine.ask-settled', ask: 'ask-2', call: 'B', outcome: 'approved', by: 'person' }],
      [615, { type: 'engine.tool-started', call: 'B' }],
      [620, { type: 'world.effect', call: 'B', count: 1 }],
      [630, turn(4, 'B', { carries: messages('B'), calls: [...calls, told('B', 'ran')] })],
      [640, { type: 'model.ended', request: 4, by: 'complete' }],
      runEnds(650, 'run-2', 'B'),
      [660, screen({ rows: [...rows, row('B', 'ran')], badge: 0, messages: messages('B') })],
      observed(670, 'B', 'done'),
    );
  } else if (aftermath === 'message-while-streaming') {
    events.push(
      [310, { type: 'model.sent', request: 3, what: 'held', gate: 'middle-of-B' }],
      observed(320, 'B', 'streaming'),
      ...sends(400),
      [415, { type: 'model.ended', request: 3, by: 'client' }],
      runEnds(420, 'run-2', 'B'),
      ...answersC,
    );
  } else {
    events.push(
      [310, { type: 'model.ended', request: 3, by: 'complete' }],
      runEnds(320, 'run-2', 'B'),
      idle(330, 'B'),
      observed(340, 'B', 'done'),
      ...(aftermath === 'follow-up' ? [...sends(400), ...answersC] : ([[520, checked(counts)]] as At[])),
    );
  }
  return historyOf(
    { id: `none/${action}/command/ask-open/${aftermath}/openai-chat`, action, aftermath, ...about },
    events,
  );
}
