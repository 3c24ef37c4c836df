import type { CallRole, ConversationCall, History, ScreenState } from '../history/events.ts';
import type { ActionName, Aftermath } from '../history/vocabulary.ts';
import type { Course } from './course-parts.ts';
import { courseOf } from './courses.ts';
import { type About, type At, answer, card, checked, historyOf, row, screen, told, turn } from './testing.ts';

/**
 * A client that does everything right, tried with an action and an aftermath. Ask A is open at 100 ms, the action begins at
 * 200, message B's run begins at 300, the aftermath at 400, late answers at 500, the end is at 900.
 */
export function good(action: ActionName, aftermath: Aftermath = 'watch', about: About = {}): History {
  const course = courseOf(action, about);
  const id = `none/${action}/command/ask-open/${aftermath}/openai-chat`;
  return historyOf({ id, action, aftermath, ...course.about, ...about }, [
    ...arranged(course),
    ...course.events,
    ...moved(action, course),
    ...wentOn(aftermath, course),
  ]);
}

/** Up to where the person acts. */
function arranged({ asks = ['A'], arrange }: Course): At[] {
  const rows = asks.map((call) => row(call, 'waiting'));
  const cards = asks.map((call) => card(call));
  return [
    [1, { type: 'harness.step', step: 'arrange' }],
    [10, { type: 'person.submit', message: 'A', phase: 'begin' }],
    [15, { type: 'person.submit', message: 'A', phase: 'end', outcome: 'taken' }],
    [20, { type: 'engine.run-started', run: 'run-1', message: 'A' }],
    [25, screen({ phase: 'thinking', messages: ['A'] })],
    [30, turn(1, 'A')],
    [110, checked({})],
    [190, { type: 'harness.step', step: 'supersede' }],
    ...(arrange ?? [
      ...asks.map((call): At => [40, { type: 'model.sent', request: 1, what: 'call', call }]),
      [50, { type: 'model.ended', request: 1, by: 'complete' }],
      ...asks.map(
        (call, at): At => [
          60 + at,
          { type: 'engine.ask-opened', ask: `ask-${call}`, call, kind: 'command', run: 'run-1' },
        ],
      ),
      [100, screen({ phase: 'awaiting', asks: cards, rows, badge: asks.length, messages: ['A'] })],
      [120, { type: 'engine.pending', asks: asks.map((call) => ({ ask: `ask-${call}`, call })) }],
    ]),
  ];
}

/** The action as the person does it, and message B. */
function moved(action: ActionName, { carriesNext, outcome = 'done' }: Course): At[] {
  const sent = (begin: number, end: number): At[] => [
    [begin, { type: 'person.submit', message: 'B', phase: 'begin' }],
    [
      end,
      {
        type: 'person.submit',
        message: 'B',
        phase: 'end',
        outcome: outcome === 'queued' ? 'queued' : 'taken',
      },
    ],
  ];
  const waitedFor = 'the run of message A to be over';
  return [
    [200, { type: 'person.supersede', action, phase: 'begin' }],
    [240, { type: 'person.supersede', action, phase: 'end', outcome }],
    ...(carriesNext
      ? sent(200.5, 239)
      : ([
          [255, { type: 'harness.observed', message: 'A', outcome: 'done', waitedFor }],
          ...sent(260, 265),
        ] as At[])),
  ];
}

/** Message B's run, what the person does next, the late answers and the last look. */
function wentOn(aftermath: Aftermath, course: Course): At[] {
  const { rows, carried, calls, counts, late = ['A'] } = course;
  const messages = (...more: ('B' | 'C')[]) => [...carried, ...more];
  const asksNext = aftermath === 'answer-new-ask';
  const idle = (t: number, ...more: ('B' | 'C')[]): At => [
    t,
    screen({ rows, badge: 0, messages: messages(...more) }),
  ];
  const next: At[] = asksNext ? newAsk(course) : oneAnswer(aftermath, course);
  return [
    [
      Math.max(...course.events.map(([t]) => t)) < 236 ? 236 : 251,
      screen({ rows, badge: 0, messages: [...carried] }),
    ],
    [270, { type: 'harness.step', step: 'observe' }],
    [290, { type: 'engine.run-started', run: 'run-2', message: 'B' }],
    [295, screen({ phase: 'thinking', rows, badge: 0, messages: messages('B') })],
    [300, turn(10, 'B', { carries: messages('B'), calls })],
    [395, { type: 'harness.step', step: 'aftermath' }],
    ...late.flatMap((call) => answer(500, call, 'approve', 'late', 'refused')),
    ...late.map(
      (call): At => [
        505,
        { type: 'engine.answer-refused', ask: `ask-${call}`, call, reason: 'this ask is over' },
      ],
    ),
    ...next,
    ...(aftermath === 'watch' ? [idle(330, 'B')] : []),
    [890, { type: 'engine.pending', asks: [] }],
    [895, checked({ ...counts, B: asksNext ? 1 : 0 }, true)],
    [900, { type: 'end', reason: 'complete' }],
  ];
}

const observed = (t: number, message: 'B' | 'C', outcome: 'ask' | 'done'): At => [
  t,
  { type: 'harness.observed', message, outcome, waitedFor: `message ${message}: ${outcome}` },
];

const runEnds = (t: number, run: string, message: 'B' | 'C'): At => [
  t,
  { type: 'engine.run-ended', run, message, reason: 'completed' },
];

function newAsk({ rows, carried, calls, counts }: Course): At[] {
  const messages: ScreenState['messages'] = [...carried, 'B'];
  const asking: Partial<ScreenState> = { phase: 'awaiting', asks: [card('B')], badge: 1, messages };
  return [
    [310, { type: 'model.ended', request: 10, by: 'complete' }],
    [320, { type: 'engine.ask-opened', ask: 'ask-B', call: 'B', kind: 'command', run: 'run-2' }],
    [330, screen({ ...asking, rows: [...rows, row('B', 'waiting')] })],
    observed(340, 'B', 'ask'),
    [508, { type: 'engine.pending', asks: [{ ask: 'ask-B', call: 'B' }] }],
    [510, checked(counts)],
    ...answer(600, 'B', 'approve', 'live', 'accepted'),
    [610, { type: 'engine.ask-settled', ask: 'ask-B', call: 'B', outcome: 'approved', by: 'person' }],
    [615, { type: 'engine.tool-started', call: 'B' }],
    [620, { type: 'world.effect', call: 'B', count: 1 }],
    [630, turn(11, 'B', { carries: messages, calls: [...calls, told('B', 'ran')] })],
    [640, { type: 'model.ended', request: 11, by: 'complete' }],
    runEnds(650, 'run-2', 'B'),
    [660, screen({ rows: [...rows, row('B', 'ran')], badge: 0, messages })],
    observed(670, 'B', 'done'),
  ];
}

/** Message B is answered in words; where the person sends C, that too. */
function oneAnswer(aftermath: Aftermath, { rows, carried, calls, counts }: Course): At[] {
  const shown = (t: number, ...more: ('B' | 'C')[]): At => [
    t,
    screen({ rows, badge: 0, messages: [...carried, ...more] }),
  ];
  const carries: ScreenState['messages'] = [...carried, 'B', 'C'];
  const said: At[] = [
    [400, { type: 'person.submit', message: 'C', phase: 'begin' }],
    [405, { type: 'person.submit', message: 'C', phase: 'end', outcome: 'taken' }],
    [430, { type: 'engine.run-started', run: 'run-3', message: 'C' }],
    [440, turn(11, 'C', { carries, calls: calls as ConversationCall[] })],
    [450, { type: 'model.ended', request: 11, by: 'complete' }],
    runEnds(455, 'run-3', 'C'),
    shown(460, 'B', 'C'),
    observed(470, 'C', 'done'),
  ];
  const looked: At = [520, checked(counts as Partial<Record<CallRole, number>>)];
  if (aftermath === 'message-while-streaming') {
    return [
      [310, { type: 'model.sent', request: 10, what: 'held', gate: 'middle-of-B' }],
      [
        320,
        { type: 'harness.observed', message: 'B', outcome: 'streaming', waitedFor: 'a stream', quiet: 300 },
      ],
      [415, { type: 'model.ended', request: 10, by: 'client' }],
      runEnds(420, 'run-2', 'B'),
      ...said,
      looked,
    ];
  }
  return [
    [310, { type: 'model.ended', request: 10, by: 'complete' }],
    runEnds(320, 'run-2', 'B'),
    shown(330, 'B'),
    observed(340, 'B', 'done'),
    ...(aftermath === 'follow-up' ? said : []),
    looked,
  ];
}
