import type { AnswerRoute, CallRole, ConversationCall, MessageRole, ScreenRow } from '../history/events.ts';
import type { ActionName, Settlement } from '../history/vocabulary.ts';
import { type About, type At, answer, card, row, screen, told, turn } from './testing.ts';

/** What a client that does everything right makes of an action, and what is left of it for the run of message B. */
export interface Course {
  about?: About;
  /** Asks of message A that are open when the person acts. Left out: ask A. */
  asks?: CallRole[];
  /** What happens up to the action, when it is not that the asks open. */
  arrange?: At[];
  /** From the action at 200 ms to where message B can be sent, at 250 ms. */
  events: At[];
  outcome?: 'done' | 'queued';
  carriesNext?: boolean;
  /** Rows that stay on the screen. */
  rows: ScreenRow[];
  /** Earlier messages that stay in the conversation. */
  carried: MessageRole[];
  /** Calls that stay in the conversation. */
  calls: ConversationCall[];
  counts: Partial<Record<CallRole, number>>;
  /** Asks that are answered late. Left out: ask A. */
  late?: CallRole[];
}

export const settled = (
  t: number,
  call: CallRole,
  outcome: Settlement,
  by: 'person' | 'system',
  reason?: string,
): At => [
  t,
  { type: 'engine.ask-settled', ask: `ask-${call}`, call, outcome, by, ...(reason ? { reason } : {}) },
];

export const ended = (t: number, reason: string, run = 'run-1'): At => [
  t,
  { type: 'engine.run-ended', run, message: 'A', reason },
];

export const kept = (over: Partial<Course> = {}): Course => ({
  events: [],
  rows: [row('A', 'denied')],
  carried: ['A'],
  calls: [told('A', 'denied')],
  counts: { A: 0 },
  ...over,
});

export const rewound = (over: Partial<Course> = {}): Course =>
  kept({ rows: [], carried: [], calls: [], ...over });

/** Ask A is settled by the client itself, and its run is over. */
export const superseded = (action: ActionName, outcome: Settlement = 'cancelled'): At[] => [
  settled(210, 'A', outcome, 'system', `superseded: ${action}`),
  ended(220, 'superseded'),
];

/** The person answers an ask of message A; the run goes on with it to its end. */
export function answeredLive(
  t: number,
  call: CallRole,
  decision: 'approve' | 'deny',
  { route = 'screen', more = [] }: { route?: AnswerRoute; more?: ConversationCall[] } = {},
): At[] {
  const ran = decision === 'approve';
  return [
    ...answer(t, call, decision, 'live', 'accepted', route),
    settled(t + 1, call, ran ? 'approved' : 'denied', 'person', ran ? undefined : 'denied by the person'),
    ...(ran
      ? ([
          [t + 1.2, { type: 'engine.tool-started', call }],
          [t + 1.5, { type: 'world.effect', call, count: 1 }],
        ] as At[])
      : []),
    [t + 2, turn(2, 'A', { calls: [...more, told(call, ran ? 'ran' : 'denied')] })],
    [t + 3, { type: 'model.ended', request: 2, by: 'complete' }],
    ended(t + 4, 'completed'),
  ];
}

export const ranA = kept({ rows: [row('A', 'ran')], calls: [told('A', 'ran')], counts: { A: 1 } });

/** Ask A is shown again after the action, and the person denies it. */
export const stillThere = (before: At[] = []): Course =>
  kept({
    events: [
      ...before,
      [
        240.5,
        screen({
          phase: 'awaiting',
          asks: [card('A')],
          rows: [row('A', 'waiting')],
          badge: 1,
          messages: ['A'],
        }),
      ],
      ...answeredLive(242, 'A', 'deny'),
    ],
  });

export const TWO: About['calls'] = {
  A: { token: 'canary-A', message: 'A', ask: 'command' },
  A2: { token: 'canary-A2', message: 'A', ask: 'command' },
  B: { token: 'canary-B', message: 'B', ask: 'command' },
  C: { token: 'canary-C', message: 'C', ask: 'command' },
};

export type Courses = Record<string, (about: About) => Course>;
