import { surelyAfter } from '../../history/intervals.ts';
import { effectInWords, effectsOf, settledInWords } from '../evidence.ts';
import { type AskLife, approves, type Facts } from '../facts.ts';
import { sightsAfter } from '../looks.ts';
import { held, ms, type Opinion, requirement, unobserved, violated } from '../opinion.ts';
import { answerable } from '../screens.ts';

const siblingsOf = (facts: Facts): AskLife[] => {
  const asks = facts.asks.filter((ask) => ask.ofA);
  return asks.length > 1 ? asks : [];
};

export const siblingsIsolated = requirement({
  slug: 'siblings-isolated',
  level: 'MUST',
  title: 'Siblings are isolated',
  rule: 'Answering one of several open asks leaves the others open and answerable, or settles them explicitly.',
  why: 'One yes must not be a yes to everything that happens to be open, nor may a no lose the others.',
  broken:
    'Denying the first of two commands makes the second one vanish without an outcome, or approving one runs both.',
  witnesses: ['engine', 'screen', 'world'],
  sources: {
    reports: [13, 25, 26, 83, 88, 96, 101, 129, 133, 143, 144, 172, 193],
    agui: ['https://docs.ag-ui.com/spec/1.0/basic/patterns/interrupt-resume'],
  },
  atStake: (_history, facts) => {
    const siblings = siblingsOf(facts);
    if (siblings.length === 0) return 'one turn had one ask';
    return siblings.some((ask) => ask.death?.how === 'answered') || 'none of the asks was answered by itself';
  },
  clauses: [
    {
      name: 'others-stay',
      expected:
        'after one answer each other ask is still answerable or has an outcome of its own, not an approval',
      combine: 'each',
      judge: (facts) => {
        const siblings = siblingsOf(facts);
        const first = siblings
          .filter((ask) => ask.death?.how === 'answered')
          .sort((a, b) => (a.death?.begin.t ?? 0) - (b.death?.begin.t ?? 0))[0];
        const begin = first?.death?.begin;
        if (!first || !begin) return 'none of the asks was answered by itself';
        return siblings.filter((ask) => ask !== first).map((ask) => sibling(facts, first, ask, begin));
      },
    },
  ],
});

function sibling(
  facts: Facts,
  first: AskLife,
  ask: AskLife,
  begin: Parameters<typeof surelyAfter>[0],
): Opinion {
  const approved = facts.grants(ask.call).length > 0;
  const effect = approved ? undefined : effectsOf(facts, ask.call)[0];
  const after = `after the answer to ask ${first.call} at ${ms(begin)}`;
  if (effect) return violated(effect.witness, `${after} ${effectInWords(ask.call, effect)}`, effect.effect);
  const settled = ask.settled[0];
  if (settled && approves(settled.outcome) && !approved) {
    return violated('engine', `${after} ask ${ask.call} was settled ${settledInWords(settled)}`, settled);
  }
  if (ask.death?.how === 'answered' && settled) {
    return held(
      'engine',
      `ask ${ask.call} had its own answer and was settled ${settledInWords(settled)}`,
      settled,
    );
  }
  if (settled)
    return held('engine', `${after} ask ${ask.call} was settled ${settledInWords(settled)}`, settled);
  const over = ask.death?.begin;
  const sights = sightsAfter(facts, begin).filter(({ point }) => !over || surelyAfter(point, over));
  const shown = sights.find(({ look }) => answerable(look, ask));
  if (shown)
    return held('screen', `${after} ask ${ask.call} is still shown at ${ms(shown.point)}`, shown.look);
  if (ask.death?.how === 'answered')
    return held(
      'screen',
      `ask ${ask.call} could still be answered at ${ms(ask.death.begin)}`,
      ask.death.begin,
    );
  const last = sights.at(-1);
  if (!last) return unobserved('screen', `nobody looked for ask ${ask.call} ${after}`);
  return violated(
    'screen',
    `${after} ask ${ask.call} is shown nowhere at ${ms(last.point)} and has no outcome`,
    last.look,
  );
}
