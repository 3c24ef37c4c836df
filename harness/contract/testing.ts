import type {
  AnswerRoute,
  CallRole,
  EventBody,
  HandoffEvent,
  Header,
  History,
  ScreenState,
} from '../history/events.ts';
import type { ActionName, Leaves } from '../history/vocabulary.ts';

/** What is tried; a plain edit that nobody does anything after, when left out. */
export type About = Partial<Omit<Header, 'type' | 'schema'>>;

/** A time and what happened then. */
export type At = [t: number, body: EventBody, since?: number];

const LEAVES: Partial<Record<ActionName, Leaves>> = {
  'switch-session': 'either',
  'mode-change': 'either',
  'queued-message': 'open',
  reload: 'either',
  restart: 'either',
  'stray-input': 'open',
};

/** Makes a history of hand-written events, in the order of time. */
export function historyOf(about: About, events: readonly At[]): History {
  const action = about.action ?? 'edit';
  const ask = about.ask ?? 'command';
  const call = (role: CallRole, message: 'A' | 'B' | 'C') => ({ token: `canary-${role}`, message, ask });
  const header: Header = {
    type: 'handoff',
    schema: 1,
    id: 'hand-written',
    client: 'none',
    version: '0',
    surface: 'web',
    action,
    variant: 'plain',
    ask,
    moment: 'ask-open',
    aftermath: 'watch',
    wire: 'openai-chat',
    treatment: 'settle',
    leaves: LEAVES[action] ?? 'settled',
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
export const told = (role: CallRole, how: 'denied' | 'ran' | 'answered' | 'other', results = 1) => ({
  id: `id-${role}`,
  role,
  results,
  told: how,
});

/** An answer, from the press to what came of it. */
export const answer = (
  t: number,
  call: CallRole,
  decision: 'approve' | 'deny' | 'answer',
  intent: 'live' | 'late',
  outcome: 'accepted' | 'refused' | 'inert' | 'gone',
  route: AnswerRoute = intent === 'live' ? 'screen' : 'protocol',
): At[] => [
  [t, { type: 'person.answer', call, decision, intent, route, phase: 'begin' }],
  [t + 2, { type: 'person.answer', call, decision, intent, route, phase: 'end', outcome }],
];

export const checked = (counts: Partial<Record<CallRole, number>>, final = false): EventBody => ({
  type: 'world.checked',
  counts: { A: 0, B: 0, C: 0, ...counts },
  ...(final ? { final } : {}),
});
