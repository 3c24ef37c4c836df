import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import type { CallRole, HandoffEvent, History } from '../history/events.ts';
import { laneOf } from '../history/intervals.ts';
import { parseHistory } from '../history/read.ts';
import { AFTERMATHS } from '../history/vocabulary.ts';
import { COURSE_NAMES, courseNamed } from './courses.ts';
import { atLeastAsBad, judge, worst } from './judge.ts';
import { requirements, SLUGS } from './requirements/index.ts';
import { good } from './stories.ts';
import { type At, but, historyOf, screen, turn } from './testing.ts';

const verdictsOf = (history: History) =>
  Object.fromEntries(Object.entries(judge(history)).map(([slug, one]) => [slug, one.verdict]));

test.describe('a client that does everything right', () => {
  for (const course of COURSE_NAMES)
    for (const aftermath of AFTERMATHS)
      test(`${course}, ${aftermath}`, () => {
        const [action, about] = courseNamed(course);
        const verdicts = judge(good(action, aftermath, about));
        const wrong = Object.entries(verdicts)
          .filter(([, { verdict }]) => verdict !== 'held' && verdict !== 'not-offered')
          .map(([slug, { verdict, observed }]) => `${slug} ${verdict}: ${observed}`);
        expect(wrong).toEqual([]);
        // Before the ask is there, there is none that could be gone or dead.
        const there = course.includes('@call-streaming') ? [] : ['settled-ask-gone', 'dead-ask-refused'];
        for (const slug of ['new-run-free', 'no-unapproved-effect', ...there])
          expect(verdicts[slug as keyof typeof verdicts].verdict).toBe('held');
      });
});

test.describe('the contract', () => {
  test('has seventeen requirements, each with a slug of its own, words and witnesses', () => {
    expect(new Set(SLUGS).size).toBe(17);
    for (const one of requirements) {
      expect(one.clauses.length).toBeGreaterThan(0);
      expect(new Set(one.clauses.map((clause) => clause.name)).size).toBe(one.clauses.length);
      expect(one.witnesses.length).toBeGreaterThan(0);
      expect(one.sources.reports.length).toBeGreaterThan(0);
      expect(Object.keys(judge(good('edit')))).toContain(one.slug);
    }
  });

  test('gives the worst of several verdicts', () => {
    expect(worst(['held', 'unobserved', 'violated', 'not-offered'])).toBe('violated');
    expect(worst(['held', 'not-offered', 'unobserved'])).toBe('unobserved');
    expect(worst(['not-offered', 'held'])).toBe('held');
    expect(worst([])).toBe('not-offered');
  });

  test('never holds in a history that did not run to its end', () => {
    const ending = (reason?: 'crashed' | 'interrupted') =>
      but(good('edit', 'answer-new-ask'), {
        drop: (event) => event.type === 'end',
        add: reason ? [[900, { type: 'end', reason }]] : [],
      });
    for (const history of [ending(), ending('crashed'), ending('interrupted')]) {
      const verdicts = Object.values(judge(history));
      expect(verdicts.filter(({ verdict }) => verdict === 'held' || verdict === 'violated')).toEqual([]);
      expect(verdicts.some(({ verdict }) => verdict === 'unobserved')).toBe(true);
    }
  });

  test('keeps what was violated before a crash', () => {
    const history = but(good('deny'), {
      drop: (event) => event.t > 300,
      add: [
        [215, { type: 'world.effect', call: 'A', count: 1 }],
        [301, { type: 'end', reason: 'crashed' }],
      ],
    });
    expect(judge(history)['no-unapproved-effect'].verdict).toBe('violated');
  });
});

// Good and damaged hand-offs of every kind, for the laws that judging obeys whatever the history is.
const anyHistory = fc
  .record({
    course: fc.constantFrom(...COURSE_NAMES),
    aftermath: fc.constantFrom(...AFTERMATHS),
    lost: fc.array(fc.nat({ max: 60 }), { maxLength: 8 }),
    vague: fc.array(fc.nat({ max: 60 }), { maxLength: 4 }),
    engine: fc.boolean(),
  })
  .map(({ course, aftermath, lost, vague, engine }) => {
    const [action, about] = courseNamed(course);
    const whole = good(action, aftermath, about);
    const kept = whole.events
      .filter((event, index) => !lost.includes(index) && (engine || !event.type.startsWith('engine.')))
      .map(
        ({ seq: _, t, since: __, ...body }, index): At => [
          t,
          body as At[1],
          ...((vague.includes(index) ? [Math.max(0, t - 150)] : []) as [number?]),
        ],
      );
    return historyOf({ ...whole.header, witnesses: { ...whole.header.witnesses, engine } }, kept);
  });

test.describe('the laws of judging', () => {
  test('it is total and gives the same verdicts again', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const before = JSON.stringify(history);
        const first = judge(history);
        expect(Object.keys(first)).toEqual([...SLUGS]);
        expect(judge(JSON.parse(before) as History)).toEqual(first);
        expect(JSON.stringify(history)).toBe(before);
      }),
    );
  });

  test('an effect that nobody approved never improves a verdict', () => {
    fc.assert(
      fc.property(
        anyHistory,
        fc.constantFrom<CallRole>('A', 'B', 'C'),
        fc.nat({ max: 899 }),
        (history, call, t) => {
          fc.pre(
            !history.events.some(
              (event) => event.type === 'person.answer' && event.call === call && event.intent === 'live',
            ),
          );
          const worse = verdictsOf(but(history, { add: [[t, { type: 'world.effect', call, count: 1 }]] }));
          for (const [slug, verdict] of Object.entries(verdictsOf(history))) {
            // What was not at stake may come to be: that is no improvement.
            if (verdict !== 'not-offered')
              expect(atLeastAsBad(worse[slug] ?? 'held', verdict), slug).toBe(true);
          }
        },
      ),
    );
  });

  test('the order in which different witnesses were recorded at one time is nothing to it', () => {
    fc.assert(
      fc.property(anyHistory, fc.nat({ max: 58 }), (history, index) => {
        const pair = (swap: boolean) => {
          const events = history.events.map((event) => ({ ...event }));
          const [a, b] = [events[index], events[index + 1]];
          if (!a || !b || laneOf(a) === laneOf(b)) return undefined;
          b.t = a.t;
          if (swap) events.splice(index, 2, { ...b, seq: a.seq }, { ...a, seq: b.seq });
          return { ...history, events: events as HandoffEvent[] };
        };
        const [one, other] = [pair(false), pair(true)];
        fc.pre(one !== undefined && other !== undefined);
        expect(verdictsOf(other as History)).toEqual(verdictsOf(one as History));
      }),
    );
  });

  test('runs that have nothing to do with the hand-off are nothing to it', () => {
    const stranger = fc.constantFrom<At[1]>(
      { type: 'engine.ask-opened', ask: 'other', run: 'other' },
      { type: 'engine.ask-settled', ask: 'other', outcome: 'approved', by: 'person' },
      { type: 'engine.run-started', run: 'other' },
      { type: 'engine.run-ended', run: 'other', reason: 'completed' },
      { type: 'engine.tool-started' },
      {
        type: 'model.request',
        request: 90,
        wire: 'openai-chat',
        kind: 'side',
        carries: [],
        calls: [],
        orphanResults: 0,
        tools: [],
      },
      { type: 'model.ended', request: 90, by: 'complete' },
      { type: 'harness.note', text: 'a word' },
    );
    fc.assert(
      fc.property(anyHistory, fc.array(fc.tuple(fc.nat({ max: 899 }), stranger)), (history, add) => {
        expect(verdictsOf(but(history, { add }))).toEqual(verdictsOf(history));
      }),
    );
  });

  test('100,000 events are judged in less time than it takes to read them', () => {
    const many: At[] = Array.from({ length: 50_000 }, (_, index): At[] => [
      [700 + index / 1000, screen({ phase: index % 2 ? 'idle' : 'thinking', messages: ['B'] })],
      [
        700 + index / 1000,
        index % 2 ? { type: 'harness.note', text: '' } : turn(100 + index, 'B', { kind: 'side' }),
      ],
    ]).flat();
    const history = but(good('edit', 'follow-up'), {
      drop: (event) => event.t > 880,
      add: [...many, [800, { type: 'end', reason: 'complete' }]],
    });
    const text = [history.header, ...history.events].map((line) => `${JSON.stringify(line)}\n`).join('');
    // Time of the processor, not of the wall, and a ratio: how fast the machine is today is no matter.
    const spent = (work: () => void) => {
      const began = process.cpuUsage();
      work();
      return process.cpuUsage(began).user / 1000;
    };
    const reading = spent(() => parseHistory(text));
    const judging = spent(() => judge(history));
    const ratio = judging / reading;
    console.log(
      `judging ${history.events.length} events took ${ratio.toFixed(2)} x the time of reading them ` +
        `(${Math.round(judging)} ms against ${Math.round(reading)} ms of processor time)`,
    );
    expect(ratio).toBeLessThan(1);
  });
});
