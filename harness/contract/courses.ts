import type { ActionName, Moment } from '../history/vocabulary.ts';
import {
  answeredLive,
  type Course,
  type Courses,
  ended,
  kept,
  ranA,
  rewound,
  settled,
  stillThere,
  superseded,
  TWO,
} from './course-parts.ts';
import { AT_MOMENTS } from './courses-at-moments.ts';
import { type About, answer, card, row, screen, told, turn } from './testing.ts';

/** By action, or by action and variant. */
const COURSES: Courses = {
  approve: () => ({ ...ranA, events: answeredLive(202, 'A', 'approve') }),
  deny: () => kept({ events: answeredLive(202, 'A', 'deny') }),
  edit: () => rewound({ carriesNext: true, events: superseded('edit') }),
  retry: () =>
    kept({
      events: [
        ...superseded('retry'),
        [225, { type: 'engine.run-started', run: 'run-1-again', message: 'A' }],
        [230, turn(2, 'A')],
        [235, { type: 'model.ended', request: 2, by: 'complete' }],
        ended(236, 'completed', 'run-1-again'),
      ],
      rows: [],
      calls: [],
    }),
  'checkpoint-restore': () => rewound({ events: superseded('checkpoint-restore') }),
  'checkpoint-restore:files': () =>
    rewound({
      about: { calls: TWO },
      asks: ['A', 'A2'],
      events: [
        ...answer(130, 'A2', 'approve', 'live', 'accepted'),
        settled(131, 'A2', 'approved', 'person'),
        [133, { type: 'engine.tool-started', call: 'A2' }],
        [134, { type: 'world.effect', call: 'A2', count: 1 }],
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
        ...superseded('checkpoint-restore'),
      ],
      counts: { A: 0, A2: 0 },
    }),
  stop: () => kept({ events: superseded('stop') }),
  'new-session': () => rewound({ events: superseded('new-session') }),
  'new-message': () => kept({ carriesNext: true, events: superseded('new-message', 'denied') }),
  'switch-session': () => kept({ events: superseded('switch-session') }),
  'mode-change:to-plan': () => stillThere([[215, { type: 'engine.policy-changed', policy: 'plan' }]]),
  'mode-change:auto-approve-commands': () => ({
    ...ranA,
    events: [
      [205, { type: 'engine.policy-changed', policy: 'commands are approved' }],
      settled(210, 'A', 'approved', 'system', 'commands are approved automatically'),
      [215, { type: 'engine.tool-started', call: 'A' }],
      [220, { type: 'world.effect', call: 'A', count: 1 }],
      [225, turn(2, 'A', { calls: [told('A', 'ran')] })],
      [230, { type: 'model.ended', request: 2, by: 'complete' }],
      ended(235, 'completed'),
    ],
  }),
  'queued-message': () =>
    kept({
      about: { treatment: 'queue', moment: 'call-streaming' },
      outcome: 'queued',
      carriesNext: true,
      arrange: [[40, { type: 'model.sent', request: 1, what: 'held', gate: 'message-A' }]],
      events: [
        [241, { type: 'model.ended', request: 1, by: 'complete' }],
        [242, { type: 'engine.ask-opened', ask: 'ask-A', call: 'A', kind: 'command', run: 'run-1' }],
        [243, screen({ phase: 'awaiting', asks: [card('A')], rows: [row('A', 'waiting')], messages: ['A'] })],
        ...answeredLive(244, 'A', 'deny'),
      ],
    }),
  reload: () => stillThere(),
  restart: () =>
    kept({
      events: [settled(225, 'A', 'cancelled', 'system', 'the agent was restarted')],
    }),
  'peer:answers': () => ({ ...ranA, events: answeredLive(202, 'A', 'approve', { route: 'second-window' }) }),
  'peer:stops': () => kept({ events: superseded('peer') }),
  'peer:edits': () => rewound({ carriesNext: true, events: superseded('peer') }),
  'sibling:deny-first': () => ({
    about: { calls: TWO },
    asks: ['A', 'A2'],
    events: [
      ...answer(202, 'A', 'deny', 'live', 'accepted'),
      settled(203, 'A', 'denied', 'person', 'denied by the person'),
      [
        206,
        screen({
          phase: 'awaiting',
          asks: [card('A2')],
          rows: [row('A', 'denied'), row('A2', 'waiting')],
          badge: 1,
          messages: ['A'],
        }),
      ],
      ...answeredLive(210, 'A2', 'approve', { more: [told('A', 'denied')] }),
    ],
    rows: [row('A', 'denied'), row('A2', 'ran')],
    carried: ['A'],
    calls: [told('A', 'denied'), told('A2', 'ran')],
    counts: { A: 0, A2: 1 },
  }),
  subagent: () =>
    kept({
      events: [
        [31, { type: 'engine.run-started', run: 'run-child', message: 'A' }],
        ...superseded('subagent'),
        ended(215, 'superseded', 'run-child'),
      ],
    }),
  timeout: () =>
    kept({
      events: [
        settled(210, 'A', 'expired', 'system', 'nobody answered in time'),
        [220, turn(2, 'A', { calls: [told('A', 'denied')] })],
        [230, { type: 'model.ended', request: 2, by: 'complete' }],
        ended(235, 'completed'),
      ],
    }),
  'provider-error': () =>
    kept({
      events: [
        ...answer(202, 'A', 'deny', 'live', 'accepted'),
        settled(203, 'A', 'denied', 'person', 'denied by the person'),
        [210, turn(2, 'A', { calls: [told('A', 'denied')] })],
        [220, { type: 'model.ended', request: 2, by: 'server' }],
        ended(225, 'failed'),
        [230, screen({ phase: 'error', rows: [row('A', 'denied')], notices: ['cut'], messages: ['A'] })],
      ],
    }),
  'duplicate-answer': () =>
    kept({
      events: [
        ...answeredLive(202, 'A', 'deny'),
        ...answer(202.5, 'A', 'approve', 'late', 'refused', 'screen'),
        [203.5, { type: 'engine.answer-refused', ask: 'ask-A', call: 'A', reason: 'it was already denied' }],
      ],
    }),
  'stray-input': () => stillThere([[210, { type: 'person.did', what: 'presses Enter beside the card' }]]),
};

/** @throws Error when no good course is written for the action. */
export function courseOf(action: ActionName, about: About): Course {
  const found =
    AT_MOMENTS[`${action}@${about.moment}`] ??
    COURSES[`${action}:${about.variant ?? 'plain'}`] ??
    COURSES[action];
  if (!found) throw new Error(`no good course is written for ${action}:${about.variant ?? 'plain'}`);
  return found(about);
}

/** Every action, and variant, that has a good course. */
export const COURSE_NAMES: readonly string[] = [...Object.keys(COURSES), ...Object.keys(AT_MOMENTS)];

/** The action and what else is tried, from the name of a course. */
export function courseNamed(name: string): [ActionName, About] {
  const [written = '', moment] = name.split('@') as [string, Moment?];
  const [action, variant = 'plain'] = written.split(':') as [ActionName, string?];
  return [action, { variant, ...(moment ? { moment } : {}) }];
}
