import { test } from '@playwright/test';
import type { CallRole, HandoffEvent } from '../../history/events.ts';
import type { AskKind } from '../../history/vocabulary.ts';
import { breaks, verdict } from '../expectations.ts';
import { good } from '../stories.ts';
import { type About, answer, but, card, row, screen, told, turn } from '../testing.ts';

// The same rules at other moments than with the ask open, and with other kinds of ask than a command.

const endsRunA = (e: HandoffEvent) => e.type === 'engine.run-ended' && e.message === 'A';
const settlesA = (e: HandoffEvent) => e.type === 'engine.ask-settled' && e.call === 'A';
const rowSays = (outcome: 'ran' | 'running') => (e: HandoffEvent) =>
  e.type === 'screen.state' && e.t > 230 ? { type: e.type, rows: [row('A', outcome)] } : undefined;

test.describe('call-streaming and ask-overtaken', () => {
  const streaming = good('stop', 'follow-up', { moment: 'call-streaming' });
  breaks(
    'a call that is read to its end and opens its ask in the new run',
    but(streaming, {
      drop: (e) => endsRunA(e) || (e.type === 'model.ended' && e.request === 1),
      add: [
        [350, { type: 'model.ended', request: 1, by: 'complete' }],
        [352, { type: 'engine.ask-opened', ask: 'ask-A', call: 'A', kind: 'command', run: 'run-1' }],
        [354, screen({ phase: 'awaiting', asks: [card('A')], messages: ['A', 'B'] })],
      ],
    }),
    'late-events-fenced',
    'ask-settled',
    'settled-before-next',
  );
  breaks(
    'a stream that is never closed',
    but(streaming, { drop: (e) => e.type === 'model.ended' && e.request === 1 }),
    'late-events-fenced',
    'ask-settled',
  );
  verdict(
    'a stream that was over before the new run began',
    but(streaming, {
      change: (e) =>
        e.type === 'model.ended' && e.request === 1 ? { type: e.type, by: 'complete' } : undefined,
    }),
    'late-events-fenced',
    'held',
  );
  verdict(
    'an overtaken ask that opens when the action is done, and is ended at once',
    but(good('retry', 'watch', { moment: 'ask-overtaken' }), {
      drop: (e) => e.type === 'engine.ask-opened' || (e.type === 'screen.state' && e.t < 120) || settlesA(e),
      add: [
        [241, { type: 'engine.ask-opened', ask: 'ask-A', call: 'A', kind: 'command', run: 'run-1' }],
        [242, screen({ phase: 'awaiting', asks: [card('A')], rows: [row('A', 'waiting')], messages: ['A'] })],
        [243, { type: 'engine.ask-settled', ask: 'ask-A', call: 'A', outcome: 'cancelled', reason: 'again' }],
      ],
    }),
    'no-resurrection',
    'held',
  );
  breaks(
    'an overtaken ask that nobody ends',
    but(good('stop', 'watch', { moment: 'ask-overtaken' }), {
      drop: settlesA,
      change: (e) =>
        e.type === 'model.request' && e.message === 'B' ? { type: e.type, calls: [] } : undefined,
    }),
    'ask-settled',
    'settled-before-next',
  );
});

test.describe('second-of-two', () => {
  const second = good('stop', 'watch', { moment: 'second-of-two' });
  breaks(
    'a stop that runs the one that was left',
    but(second, {
      change: (e) =>
        e.type === 'world.checked' && e.t > 230 ? { type: e.type, counts: { ...e.counts, A: 1 } } : undefined,
      add: [[230, { type: 'world.effect', call: 'A', count: 1 }]],
    }),
    'no-unapproved-effect',
    'siblings-isolated',
    'late-events-fenced',
  );
  breaks(
    'an approval of the first that settles the second',
    but(second, {
      drop: settlesA,
      add: [
        [132, { type: 'engine.ask-settled', ask: 'ask-A', call: 'A', outcome: 'approved', by: 'person' }],
      ],
    }),
    'siblings-isolated',
    'answer-bound',
    'ask-settled',
  );
});

test.describe('tool-running and result-in-flight', () => {
  const running = good('stop', 'watch', { moment: 'tool-running' });
  breaks('a run that goes on behind its tool', but(running, { drop: endsRunA }), 'ask-settled');
  breaks('a tool that was ended and says ran', but(running, { change: rowSays('ran') }), 'outcome-truthful');
  breaks(
    'a tool that was ended and still runs',
    but(running, { change: rowSays('running') }),
    'outcome-truthful',
  );
  breaks(
    'an old run that tells the model of its tool',
    but(running, {
      add: [
        [350, turn(9, 'A', { calls: [told('A', 'denied')] })],
        [360, { type: 'model.ended', request: 9, by: 'complete' }],
      ],
    }),
    'late-events-fenced',
  );
  const telling = good('stop', 'watch', { moment: 'result-in-flight' });
  breaks(
    'a request of the old run that is never closed',
    but(telling, { drop: (e) => e.type === 'model.ended' && e.request === 2 }),
    'late-events-fenced',
    'ask-settled',
  );
  breaks(
    'an answer of the old run that is read beside the new one',
    but(telling, {
      drop: (e) => e.type === 'model.ended' && e.request === 2,
      add: [[350, { type: 'model.ended', request: 2, by: 'complete' }]],
    }),
    'late-events-fenced',
  );
});

test.describe('answer-in-flight', () => {
  const flying = good('edit', 'answer-new-ask', { moment: 'answer-in-flight' });
  const taken = (e: HandoffEvent) =>
    e.type === 'person.answer' && e.route === 'in-flight' && e.phase === 'end'
      ? { type: e.type, outcome: 'accepted' as const }
      : undefined;
  breaks('an overtaken yes that is taken', but(flying, { change: taken }), 'dead-ask-refused');
  breaks(
    'an overtaken yes that runs the old command',
    but(flying, {
      change: (e) =>
        taken(e) ??
        (e.type === 'world.checked' && e.t > 240
          ? { type: e.type, counts: { ...e.counts, A: 1 } }
          : undefined),
      add: [[246, { type: 'world.effect', call: 'A', count: 1 }]],
    }),
    'dead-ask-refused',
    'no-unapproved-effect',
    'late-events-fenced',
  );
  breaks(
    'an overtaken yes that goes to the new ask',
    but(flying, {
      drop: (e) =>
        (e.type === 'engine.ask-settled' && e.call === 'B') ||
        (e.type === 'person.answer' && e.call === 'B') ||
        (e.type === 'engine.pending' && e.t === 508),
      add: [
        [345, { type: 'engine.ask-settled', ask: 'ask-B', call: 'B', outcome: 'approved', by: 'person' }],
      ],
    }),
    'answer-bound',
    'no-unapproved-effect',
    'dead-ask-refused',
    'settled-ask-gone',
  );
});

test.describe('kinds of ask', () => {
  const of = (kind: AskKind): About => ({
    ask: kind,
    calls: Object.fromEntries(
      (['A', 'B', 'C'] as const).map((message) => [
        message as CallRole,
        { token: `canary-${message}`, message, ask: kind },
      ]),
    ),
  });
  const tellsB = (how: 'ran' | 'answered', text: string) => (e: HandoffEvent) =>
    e.type === 'model.request' && e.message === 'B'
      ? { type: e.type, calls: [{ ...told('A', how), text }] }
      : undefined;
  verdict('a read that nobody approved', good('stop', 'watch', of('read')), 'no-unapproved-effect', 'held');
  breaks(
    'a file that is told to the model without a yes',
    but(good('stop', 'watch', of('read')), { change: tellsB('ran', 'canary canary-A') }),
    'no-unapproved-effect',
    'outcome-truthful',
    'late-events-fenced',
  );
  verdict(
    'a file that is told after a yes',
    but(good('approve', 'watch', of('read')), {
      drop: (e) => e.type === 'world.effect',
      change: (e) => (e.type === 'world.checked' ? { type: e.type, counts: {} } : undefined),
    }),
    'no-unapproved-effect',
    'held',
  );
  breaks(
    'a message that is taken for the answer to a question',
    but(good('stop', 'watch', of('question')), { change: tellsB('answered', 'Please go on (task-b)') }),
    'explicit-consent',
  );
  breaks(
    'a parked question that the next message answers',
    but(good('edit', 'follow-up', of('question')), {
      drop: settlesA,
      add: [
        [410, { type: 'engine.ask-settled', ask: 'ask-A', call: 'A', outcome: 'answered', by: 'person' }],
      ],
    }),
    'answer-bound',
    'ask-settled',
    'settled-before-next',
  );
  verdict(
    'a question',
    good('stop', 'watch', of('question')),
    'no-unapproved-effect',
    'not-offered',
    /question/,
  );
  verdict(
    'a question that got its answer',
    but(good('approve', 'watch', of('question')), {
      drop: (e) => e.type === 'world.effect' || e.type === 'person.answer',
      change: (e) =>
        settlesA(e)
          ? { type: 'engine.ask-settled', outcome: 'answered' }
          : e.type === 'model.request' && e.request > 1
            ? { type: e.type, calls: [told('A', 'answered')] }
            : e.type === 'world.checked'
              ? { type: e.type, counts: {} }
              : undefined,
      add: answer(202, 'A', 'answer', 'live', 'accepted'),
    }),
    'outcome-truthful',
    'held',
    /answered/,
  );
  breaks(
    'a plan that is carried out without a yes',
    but(good('stop', 'watch', of('plan')), {
      add: [[215, { type: 'engine.policy-changed', policy: 'act' }]],
    }),
    'no-unapproved-effect',
  );
  verdict(
    'a plan that is carried out after a yes',
    but(good('approve', 'watch', of('plan')), {
      drop: (e) => e.type === 'world.effect',
      change: (e) => (e.type === 'world.checked' ? { type: e.type, counts: {} } : undefined),
      add: [[215, { type: 'engine.policy-changed', policy: 'act' }]],
    }),
    'no-unapproved-effect',
    'held',
  );
});
