import type { AskLife, Facts } from '../facts.ts';
import { comesBack, controlsOf, overSince, sightInWords, sightsAfter } from '../looks.ts';
import { held, ms, type Opinion, requirement, unobserved, violated } from '../opinion.ts';
import { answerable } from '../screens.ts';
import { isLive } from './live-ask-reachable.ts';

function gone(facts: Facts, ask: AskLife): Opinion[] | undefined {
  const over = overSince(ask);
  if (!over) return undefined;
  const sights = sightsAfter(facts, over);
  const there = sights.find(({ look }) => answerable(look, ask));
  const since = `ask ${ask.call} is over since ${ms(over)}`;
  if (there) {
    const observed = `${since} and still answerable ${controlsOf(there.look, ask)}: ${sightInWords(there)}`;
    return [violated('screen', observed, there.look)];
  }
  const back = comesBack(facts, ask, over);
  if (back) {
    const observed = `${since}, went, and is answerable again ${controlsOf(back, ask)} at ${ms(back)} in window ${back.window}`;
    return [violated('screen', observed, back)];
  }
  const last = sights.at(-1);
  if (!last) return [unobserved('screen', `${since} and no window was looked at afterwards`)];
  return [held('screen', `${since} and answerable nowhere: ${sightInWords(last)}`, last.look)];
}

export const settledAskGone = requirement({
  slug: 'settled-ask-gone',
  level: 'MUST',
  title: 'A settled ask is gone from the screen',
  rule: 'Once settled, no surface shows the ask as answerable; counts and badges no longer include it.',
  why: 'A control that is still there will be pressed, and it may act on what is open now.',
  broken:
    'The buttons of the old question are still there after Stop, or come back while the next answer streams; a badge still counts it.',
  witnesses: ['screen'],
  sources: {
    reports: [
      14, 17, 21, 31, 32, 35, 36, 43, 44, 51, 65, 67, 68, 84, 110, 111, 115, 119, 129, 149, 150, 153, 155,
      174, 182, 188, 198, 203,
    ],
  },
  atStake: (_history, facts) =>
    facts.asks.some((ask) => overSince(ask)) || 'no ask came to its end in this hand-off',
  clauses: [
    {
      name: 'gone',
      expected: 'after its end no window shows the ask with controls, and it does not come back',
      combine: 'each',
      judge: (facts) => facts.asks.flatMap((ask) => gone(facts, ask) ?? []),
    },
    {
      name: 'counts',
      expected: 'the badge counts live asks only',
      supporting: true,
      judge: (facts) => {
        const asks = facts.asks.flatMap((ask) => {
          const over = overSince(ask);
          return over ? [{ ask, over }] : [];
        });
        const badges = asks.flatMap(({ ask, over }) =>
          sightsAfter(facts, over)
            .filter(({ look }) => look.badge !== undefined)
            .map((sight) => ({ ask, sight })),
        );
        if (badges.length === 0) return 'the client shows no badge';
        const wrong = badges.find(({ sight: { look, point } }) => {
          const live = Math.max(
            look.asks.filter((shown) => shown.controls.length > 0).length,
            facts.asks.filter((other) => isLive(other, point)).length,
          );
          return (look.badge ?? 0) > live;
        });
        const { sight } = wrong ?? (badges.at(-1) as (typeof badges)[number]);
        const observed = `the badge says ${sight.look.badge}: ${sightInWords(sight)}`;
        return [(wrong ? violated : held)('screen', observed, sight.look)];
      },
    },
  ],
});
