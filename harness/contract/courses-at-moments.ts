import { type Courses, ended, kept, rewound, settled, superseded, TWO } from './course-parts.ts';
import { type At, answer, card, row, screen, told, turn } from './testing.ts';

const streaming: At[] = [[40, { type: 'model.sent', request: 1, what: 'held', gate: 'message-A' }]];

/** By action and the moment at which it lands. */
export const AT_MOMENTS: Courses = {
  'stop@call-streaming': () =>
    kept({
      about: { moment: 'call-streaming' },
      arrange: streaming,
      events: [[210, { type: 'model.ended', request: 1, by: 'client' }], ended(220, 'superseded')],
      rows: [],
      calls: [],
      late: [],
    }),
  'stop@ask-overtaken': () =>
    kept({
      about: { moment: 'ask-overtaken' },
      arrange: streaming,
      events: [
        [205, { type: 'model.ended', request: 1, by: 'complete' }],
        [206, { type: 'engine.ask-opened', ask: 'ask-A', call: 'A', kind: 'command', run: 'run-1' }],
        ...superseded('stop'),
        // The screen lags behind, and draws the card that is over already.
        [215, screen({ phase: 'awaiting', asks: [card('A')], rows: [row('A', 'waiting')], messages: ['A'] })],
      ],
    }),
  'stop@second-of-two': () => ({
    ...kept({
      about: { calls: TWO, moment: 'second-of-two' },
      asks: ['A', 'A2'],
      events: [
        ...answer(130, 'A2', 'approve', 'live', 'accepted'),
        settled(131, 'A2', 'approved', 'person'),
        [132, { type: 'engine.tool-started', call: 'A2' }],
        [133, { type: 'world.effect', call: 'A2', count: 1 }],
        [
          140,
          screen({
            phase: 'awaiting',
            asks: [card('A')],
            rows: [row('A', 'waiting'), row('A2', 'ran')],
            badge: 1,
            messages: ['A'],
          }),
        ],
        ...superseded('stop'),
      ],
    }),
    rows: [row('A', 'denied'), row('A2', 'ran')],
    calls: [told('A', 'denied'), told('A2', 'ran')],
    counts: { A: 0, A2: 1 },
  }),
  'edit@answer-in-flight': () =>
    rewound({
      about: { moment: 'answer-in-flight' },
      carriesNext: true,
      events: [
        [
          195,
          {
            type: 'person.answer',
            call: 'A',
            decision: 'approve',
            intent: 'late',
            route: 'in-flight',
            phase: 'begin',
          },
        ],
        ...superseded('edit'),
        [
          245,
          {
            type: 'person.answer',
            call: 'A',
            decision: 'approve',
            intent: 'late',
            route: 'in-flight',
            phase: 'end',
            outcome: 'refused',
          },
        ],
      ],
    }),
  'stop@tool-running': () =>
    kept({
      about: { moment: 'tool-running' },
      events: [
        ...answer(150, 'A', 'approve', 'live', 'accepted'),
        settled(151, 'A', 'approved', 'person'),
        [152, { type: 'engine.tool-started', call: 'A' }],
        [153, { type: 'world.started', call: 'A' }],
        [154, screen({ phase: 'thinking', rows: [row('A', 'running')], badge: 0, messages: ['A'] })],
        [215, { type: 'engine.tool-ended', call: 'A', outcome: 'cancelled' }],
        ended(220, 'superseded'),
      ],
    }),
  'stop@result-in-flight': () =>
    kept({
      about: { moment: 'result-in-flight' },
      events: [
        ...answer(150, 'A', 'deny', 'live', 'accepted'),
        settled(151, 'A', 'denied', 'person', 'denied by the person'),
        [155, screen({ phase: 'thinking', rows: [row('A', 'denied')], badge: 0, messages: ['A'] })],
        [160, turn(2, 'A', { calls: [told('A', 'denied')] })],
        [210, { type: 'model.ended', request: 2, by: 'client' }],
        ended(220, 'superseded'),
      ],
    }),
};
