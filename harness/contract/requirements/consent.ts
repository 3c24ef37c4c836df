import { surelyAfter } from '../../history/intervals.ts';
import { effectsOf, finalCheck, settledInWords } from '../evidence.ts';
import { type AskLife, approves, type Facts } from '../facts.ts';
import { sightsAfter } from '../looks.ts';
import { held, ms, type Opinion, requirement, unobserved, violated } from '../opinion.ts';
import { answerable } from '../screens.ts';

const callsOf = (facts: Facts): AskLife['call'][] => Object.keys(facts.header.calls) as AskLife['call'][];

export const noUnapprovedEffect = requirement({
  slug: 'no-unapproved-effect',
  level: 'MUST',
  title: 'No effect without an approval',
  rule: "The tool's effect is absent without an approval of exactly that ask while it was open, checked again after a delay.",
  why: 'This is what approvals are for.',
  witnesses: ['world'],
  sources: {
    reports: [7, 40, 79, 94, 132, 133, 134],
    acp: ['https://agentclientprotocol.com/protocol/tool-calls#requesting-permission'],
  },
  atStake: () => true,
  clauses: [
    {
      name: 'effects',
      expected: 'each effect follows a live approval of its own call; all others are absent at the end',
      judge: (facts) => {
        const opinions: Opinion[] = [];
        for (const call of callsOf(facts)) {
          for (const { effect, approved } of effectsOf(facts, call)) {
            const came = `the effect of call ${call} came at ${ms(effect)}`;
            if (approved === 'no')
              opinions.push(
                violated('world', `${came}; nobody had approved it while its ask was open`, effect),
              );
            if (approved === 'unknown')
              opinions.push(unobserved('world', `${came}; it cannot be ordered with the approval`, effect));
          }
          const counted = facts.all('world.checked').find((check) => (check.counts[call] ?? 0) > 0);
          if (counted && facts.approvals(call).length === 0) {
            const observed = `the effect of call ${call} was found at ${ms(counted)}; nobody had approved it`;
            opinions.push(violated('world', observed, counted));
          }
        }
        if (opinions.length > 0) return opinions;
        const check = finalCheck(facts);
        if (!check) return [unobserved('world', 'the machine was not looked at after the delay')];
        return [held('world', `only approved effects are there at ${ms(check)}`, check)];
      },
    },
  ],
});

/** The person's last act before an event, unless it was an answer, or the very message whose run it belongs to. */
function causedByOther(
  facts: Facts,
  call: AskLife['call'],
  event: Parameters<Facts['stimulusOf']>[0],
): string | undefined {
  const stimulus = facts.stimulusOf(event);
  if (stimulus?.type === 'person.submit') {
    const own = stimulus.message === facts.header.calls[call]?.message;
    return own ? undefined : `message ${stimulus.message} sent at ${ms(stimulus)}`;
  }
  if (stimulus?.type === 'person.did') return `${stimulus.what} at ${ms(stimulus)}`;
  if (stimulus?.type === 'person.supersede') return `${stimulus.action} at ${ms(stimulus)}`;
  return undefined;
}

export const explicitConsent = requirement({
  slug: 'explicit-consent',
  level: 'MUST',
  title: 'Consent is explicit',
  rule: 'Ordinary messages, queued text, stray keys, time-outs and mode changes are never an approval.',
  why: 'Only a control that says yes may mean yes.',
  witnesses: ['world', 'engine'],
  sources: { reports: [7, 8, 9, 13, 25, 46, 79, 86, 136, 137, 140, 167, 206] },
  atStake: (_history, facts) =>
    facts.submissions.some((one) => one.message !== 'A') ||
    facts.all('person.did').length > 0 ||
    facts.supersessionTried ||
    'the person did nothing but answer',
  clauses: [
    {
      name: 'no-approval',
      expected: 'no ask is approved, and no effect follows, on anything but an answer to that ask',
      judge: (facts) => {
        const opinions: Opinion[] = [];
        for (const ask of facts.asks) {
          if (facts.approvals(ask.call).length > 0) continue;
          for (const one of ask.settled.filter(
            ({ outcome, by }) => approves(outcome) && !(by === 'system' && facts.action === 'mode-change'),
          )) {
            const cause = causedByOther(facts, ask.call, one);
            if (cause)
              opinions.push(
                violated('engine', `ask ${ask.call} was settled ${settledInWords(one)} after ${cause}`, one),
              );
          }
        }
        for (const call of callsOf(facts)) {
          const { settled } = facts.ask(call);
          for (const { effect, approved } of effectsOf(facts, call)) {
            // A call that runs although its ask was ended was not taken for approved: no-unapproved-effect judges it.
            const endedFirst = settled.some((one) => !approves(one.outcome) && surelyAfter(one, effect));
            // By the new policy the ask may be judged again; policy-reevaluated judges that.
            const judgedAgain =
              facts.action === 'mode-change' &&
              settled.some((one) => one.by === 'system' && approves(one.outcome));
            const cause = causedByOther(facts, call, effect);
            if (approved === 'no' && cause && !endedFirst && !judgedAgain) {
              opinions.push(
                violated('world', `the effect of call ${call} came at ${ms(effect)} after ${cause}`, effect),
              );
            }
          }
        }
        if (opinions.length > 0) return opinions;
        const check = finalCheck(facts);
        if (!check) return [unobserved('world', 'the machine was not looked at after the delay')];
        const asked = facts.asks.filter((ask) => ask.opened.length > 0 || ask.settled.length > 0);
        const names = asked.map(({ call }) => call).join(', ');
        return [
          held('world', `nothing ran on anything but an answer by ${ms(check)}`, check),
          ...(names
            ? [held('engine', `none of the asks ${names} was approved by anything else`, facts.end)]
            : []),
        ];
      },
    },
  ],
});

const siblingsOf = (facts: Facts): AskLife[] => {
  const asks = facts.asks.filter((ask) => facts.header.calls[ask.call]?.message === 'A');
  return asks.length > 1 ? asks : [];
};

export const siblingsIsolated = requirement({
  slug: 'siblings-isolated',
  level: 'MUST',
  title: 'Siblings are isolated',
  rule: 'Answering one of several open asks leaves the others open and answerable, or settles them explicitly.',
  why: 'One yes must not be a yes to everything that happens to be open, nor may a no lose the others.',
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
  const approved = facts.approvals(ask.call).length > 0;
  const effect = approved ? undefined : effectsOf(facts, ask.call)[0]?.effect;
  const after = `after the answer to ask ${first.call} at ${ms(begin)}`;
  if (effect)
    return violated('world', `${after} the effect of call ${ask.call} came at ${ms(effect)}`, effect);
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

export const policyReevaluated = requirement({
  slug: 'policy-reevaluated',
  level: 'MUST',
  title: 'Open asks meet the new policy',
  rule: 'When mode or auto-approval changes, open asks are judged again by the new policy: never bulk-approved, never blocked and hidden.',
  why: 'A switch must not be a yes to what nobody looked at, nor leave a run behind a card that is gone.',
  witnesses: ['engine', 'world', 'screen'],
  sources: { reports: [26, 48, 78, 99, 108, 117, 185] },
  atStake: (_history, facts) =>
    facts.action === 'mode-change' || 'neither mode nor auto-approval was changed in this hand-off',
  clauses: [
    {
      name: 'judged-again',
      expected: 'each open ask is still shown, or was settled once with the reason that the new policy gives',
      combine: 'each',
      judge: (facts) =>
        facts.asks
          .filter((ask) => facts.header.calls[ask.call]?.message === 'A')
          .map((ask) => judgedAgain(facts, ask)),
    },
  ],
});

function judgedAgain(facts: Facts, ask: AskLife): Opinion {
  const since = facts.supersession.end ?? facts.supersession.begin;
  const settled = ask.settled[0];
  if (settled && approves(settled.outcome) && facts.approvals(ask.call).length === 0) {
    const fits = settled.by === 'system' && Boolean(settled.reason);
    const observed = `ask ${ask.call} was settled ${settledInWords(settled)}${fits ? '' : ', without the reason of a policy'}`;
    return (fits ? held : violated)('engine', observed, settled);
  }
  const effect = effectsOf(facts, ask.call).find((one) => one.approved === 'no')?.effect;
  if (effect && !settled) {
    return violated(
      'world',
      `call ${ask.call} had its effect at ${ms(effect)} and its ask was never judged`,
      effect,
    );
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
