import type { EventOf } from '../../history/recorder.ts';
import { type Effect, effectsOf, finalCheck, settledInWords } from '../evidence.ts';
import type { AskLife } from '../facts.ts';
import { held, ms, requirement, unobserved, violated } from '../opinion.ts';

export const settledOnce = requirement({
  slug: 'settled-once',
  level: 'MUST',
  title: 'One settlement, at most one execution',
  rule: 'Any number of answers, from any number of places, makes one settlement and at most one execution.',
  why: 'A double click, a second window or a late answer must not run a command twice.',
  broken: 'A double click runs the command twice; a late answer replaces the outcome that was recorded.',
  witnesses: ['engine', 'world'],
  sources: {
    reports: [39, 40, 41, 42, 43, 88, 97, 102, 103, 107, 123, 132, 195, 205],
    agui: ['https://docs.ag-ui.com/spec/1.0/basic/patterns/interrupt-resume'],
  },
  atStake: (_history, facts) =>
    facts.answers.length > 0 ||
    facts.asks.some((ask) => ask.settled.length > 0) ||
    'no answer was given to any ask, and none was settled',
  clauses: [
    {
      name: 'one-settlement',
      expected: 'the engine records at most one outcome of each ask',
      supporting: true,
      judge: (facts) => {
        const settled = facts.asks.filter((ask) => ask.settled.length > 0);
        if (settled.length === 0) return [unobserved('engine', 'the engine recorded no settlement')];
        return settled.map((ask) => {
          const [first, second] = ask.settled;
          if (!second) return held('engine', `ask ${ask.call} was settled once`, first);
          return violated(
            'engine',
            `ask ${ask.call} was settled ${ask.settled.map(settledInWords).join(', then ')}`,
            second,
          );
        });
      },
    },
    {
      name: 'one-execution',
      expected: 'the effect of each call is there at most once',
      judge: (facts) => {
        const counts = new Map<
          string,
          { count: number; event: Effect['effect'] | EventOf<'world.checked'> }
        >();
        for (const call of Object.keys(facts.header.calls) as AskLife['call'][]) {
          for (const { effect, count } of effectsOf(facts, call)) counts.set(call, { count, event: effect });
        }
        for (const check of facts.all('world.checked')) {
          for (const [call, count] of Object.entries(check.counts)) {
            if (count > (counts.get(call)?.count ?? 0)) counts.set(call, { count, event: check });
          }
        }
        const twice = [...counts].find(([, { count }]) => count > 1);
        if (twice) {
          const [call, { count, event }] = twice;
          return [
            violated('world', `the effect of call ${call} is there ${count} times at ${ms(event)}`, event),
          ];
        }
        const check = finalCheck(facts);
        if (!check) return [unobserved('world', 'the machine was not looked at after the delay')];
        return [held('world', `no effect is there more than once at ${ms(check)}`, check)];
      },
    },
  ],
});
