import { policyAllows } from '../course.ts';
import { effectInWords, effectsOf, settledInWords } from '../evidence.ts';
import { type AskLife, approves, type Facts } from '../facts.ts';
import { sightsAfter } from '../looks.ts';
import { held, ms, type Opinion, requirement, unobserved, violated } from '../opinion.ts';
import { answerable } from '../screens.ts';

export const policyReevaluated = requirement({
  slug: 'policy-reevaluated',
  level: 'MUST',
  title: 'Open asks meet the new policy',
  rule: 'When mode or auto-approval changes, open asks are judged again by the new policy: never bulk-approved, never blocked and hidden.',
  why: 'A switch must not be a yes to what nobody looked at, nor leave a run behind a card that is gone.',
  broken:
    'The switch to plan mode hides the open question and leaves its run waiting; auto-approval of commands also says yes to an edit.',
  witnesses: ['engine', 'world', 'screen'],
  sources: { reports: [26, 48, 78, 99, 108, 117, 185] },
  atStake: (_history, facts) => {
    if (facts.action !== 'mode-change') return 'neither mode nor auto-approval was changed in this hand-off';
    return facts.asks.some(({ ofA }) => ofA) || 'no ask was open when the policy changed';
  },
  clauses: [
    {
      name: 'judged-again',
      expected: 'each open ask is still shown, or was settled once with the reason that the new policy gives',
      combine: 'each',
      judge: (facts) => facts.asks.filter(({ ofA }) => ofA).map((ask) => judgedAgain(facts, ask)),
    },
  ],
});

function judgedAgain(facts: Facts, ask: AskLife): Opinion {
  const since = facts.supersession.end ?? facts.supersession.begin;
  const own = facts.approvals(ask.call).length > 0;
  const settled = ask.settled[0];
  const effect = effectsOf(facts, ask.call).find((one) => one.approved === 'no');
  if (settled && approves(settled.outcome) && !own) {
    const observed = `ask ${ask.call} was settled ${settledInWords(settled)}`;
    if (!policyAllows(facts.header, ask.kind)) {
      const against = `${observed}; the policy that came (${facts.header.variant}) does not allow a call of kind ${ask.kind}`;
      return violated('engine', against, settled);
    }
    if (settled.by === 'system' && settled.reason) return held('engine', observed, settled);
    return violated('engine', `${observed}, without the reason of a policy`, settled);
  }
  if (effect && !settled) {
    const observed = `${effectInWords(ask.call, effect)}, and its ask was never judged`;
    return violated(effect.witness, observed, effect.effect);
  }
  if (settled) return held('engine', `ask ${ask.call} was settled ${settledInWords(settled)}`, settled);
  const sights = since ? sightsAfter(facts, since) : [];
  const shown = sights.find(({ look }) => answerable(look, ask));
  if (shown) return held('screen', `ask ${ask.call} is still shown at ${ms(shown.point)}`, shown.look);
  const last = sights.at(-1);
  if (!last) return unobserved('screen', `nobody looked for ask ${ask.call} after the change`);
  return violated(
    'screen',
    `ask ${ask.call} has no outcome and is shown nowhere at ${ms(last.point)}`,
    last.look,
  );
}
