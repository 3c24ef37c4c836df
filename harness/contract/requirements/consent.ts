import { before, surelyAfter } from '../../history/intervals.ts';
import {
  absence,
  effectInWords,
  effectsOf,
  finalCheck,
  settledInWords,
  toldInWords,
  toldOf,
} from '../evidence.ts';
import { type AskLife, approves, type Facts } from '../facts.ts';
import { held, ms, type Opinion, requirement, unobserved, violated } from '../opinion.ts';

const callsOf = (facts: Facts): AskLife['call'][] => Object.keys(facts.header.calls) as AskLife['call'][];

export const noUnapprovedEffect = requirement({
  slug: 'no-unapproved-effect',
  level: 'MUST',
  title: 'No effect without an approval',
  rule: "The tool's effect is absent without an approval of exactly that ask while it was open, checked again after a delay.",
  why: 'This is what approvals are for.',
  broken:
    'The command was denied, or nobody answered, and its line is in the file all the same; a file that was not to be read is told to the model.',
  witnesses: ['world', 'model', 'engine'],
  sources: {
    reports: [7, 40, 79, 94, 132, 133, 134],
    acp: ['https://agentclientprotocol.com/protocol/tool-calls#requesting-permission'],
  },
  atStake: (_history, facts) =>
    callsOf(facts).some((call) => facts.ask(call).kind !== 'question' || effectsOf(facts, call).length > 0) ||
    'a question has no effect of its own',
  clauses: [
    {
      name: 'effects',
      expected: 'each effect follows a live approval of its own call; all others are absent at the end',
      judge: (facts) => {
        const opinions: Opinion[] = switchedByPlan(facts);
        for (const call of callsOf(facts)) {
          for (const one of effectsOf(facts, call)) {
            const came = effectInWords(call, one);
            if (one.approved === 'no')
              opinions.push(
                violated(one.witness, `${came}; nobody had approved it while its ask was open`, one.effect),
              );
            if (one.approved === 'unknown')
              opinions.push(
                unobserved(one.witness, `${came}; it cannot be ordered with the approval`, one.effect),
              );
          }
          const counted = facts.all('world.checked').find((check) => (check.counts[call] ?? 0) > 0);
          if (counted && facts.grants(call).length === 0) {
            const observed = `the effect of call ${call} was found at ${ms(counted)}; nobody had approved it`;
            opinions.push(violated('world', observed, counted));
          }
        }
        if (opinions.length > 0) return opinions;
        return absence(facts, finalCheck(facts), {
          none: 'only approved effects are there',
          notLooked: 'after the delay',
        });
      },
    },
  ],
});

/** To carry out a plan means to change the mode: without an approval of the plan nothing may do so but the person. */
function switchedByPlan(facts: Facts): Opinion[] {
  const plans = facts.asks.filter(({ kind }) => kind === 'plan');
  const { begin } = facts.supersession;
  if (plans.length === 0 || !begin || facts.action === 'mode-change') return [];
  const granted = plans.flatMap(({ call }) => facts.grants(call));
  const changed = facts
    .all('engine.policy-changed')
    .find((one) => surelyAfter(begin, one) && granted.every((grant) => before(grant, one) === 'no'));
  if (!changed) return [];
  return [
    violated(
      'engine',
      `at ${ms(changed)} the policy became ${changed.policy}; nobody had approved the plan`,
      changed,
    ),
  ];
}

/** The person's last act before an event, unless it was an answer, or the very message whose run it belongs to. */
function causedByOther(
  facts: Facts,
  call: AskLife['call'],
  event: Parameters<Facts['stimulusOf']>[0],
): string | undefined {
  // An answer that was held on its way is a cause that came before whatever overtook it.
  if (facts.answers.some((one) => one.call === call && one.route === 'in-flight')) return undefined;
  const stimulus = facts.stimulusOf(event);
  if (stimulus?.type === 'person.submit') {
    const own = stimulus.message === facts.header.calls[call]?.message;
    return own ? undefined : `message ${stimulus.message} sent at ${ms(stimulus)}`;
  }
  if (stimulus?.type === 'person.did') return `${stimulus.what} at ${ms(stimulus)}`;
  if (stimulus?.type === 'person.supersede') return `${stimulus.action} at ${ms(stimulus)}`;
  return undefined;
}

/** A question that the model is told was answered, in the words of a message that was meant for it. */
const messagesForAnswers = (facts: Facts): Opinion[] =>
  facts.asks
    .filter(({ question }) => question)
    .flatMap((ask) => toldOf(facts, ask))
    .filter(({ call }) =>
      Object.values(facts.header.messages).some(({ marker }) => call.text?.includes(marker)),
    )
    .map((told) =>
      violated('model', `a message was taken for the answer: ${toldInWords(told)}`, told.request),
    );

export const explicitConsent = requirement({
  slug: 'explicit-consent',
  level: 'MUST',
  title: 'Consent is explicit',
  rule: 'Ordinary messages, queued text, stray keys, time-outs and mode changes are never an approval.',
  why: 'Only a control that says yes may mean yes.',
  broken:
    'Enter, pressed beside the card, runs the command; a queued message or a change of mode counts as yes.',
  witnesses: ['world', 'engine', 'model'],
  sources: { reports: [7, 8, 9, 13, 25, 46, 79, 86, 136, 137, 140, 167, 206] },
  atStake: (_history, facts) =>
    facts.submissions.some((one) => one.message !== 'A') ||
    facts.all('person.did').length > 0 ||
    facts.supersessionTried ||
    facts.mayStayOpen ||
    'the person did nothing but answer',
  clauses: [
    {
      name: 'no-approval',
      expected: 'no ask is approved, and no effect follows, on anything but an answer to that ask',
      combine: 'each',
      judge: (facts) => {
        const opinions: Opinion[] = messagesForAnswers(facts);
        for (const ask of facts.asks) {
          if (facts.grants(ask.call).length > 0) continue;
          for (const one of ask.settled.filter(({ outcome }) => approves(outcome))) {
            const cause = causedByOther(facts, ask.call, one);
            if (cause)
              opinions.push(
                violated('engine', `ask ${ask.call} was settled ${settledInWords(one)} after ${cause}`, one),
              );
          }
        }
        for (const call of callsOf(facts)) {
          const { settled } = facts.ask(call);
          for (const one of effectsOf(facts, call)) {
            // A call that runs although its ask was ended was not taken for approved: no-unapproved-effect judges it.
            const endedFirst = settled.some(
              (end) => !approves(end.outcome) && before(end, one.effect) === 'yes',
            );
            const cause = causedByOther(facts, call, one.effect);
            if (one.approved === 'no' && cause && !endedFirst) {
              opinions.push(violated(one.witness, `${effectInWords(call, one)} after ${cause}`, one.effect));
            }
          }
        }
        if (opinions.length > 0) return opinions;
        const asked = facts.asks.filter((ask) => ask.opened.length > 0 || ask.settled.length > 0);
        const names = asked.map(({ call }) => call).join(', ');
        return [
          ...absence(facts, finalCheck(facts), {
            none: 'nothing ran on anything but an answer',
            notLooked: 'after the delay',
          }),
          ...(names
            ? [held('engine', `none of the asks ${names} was approved by anything else`, facts.end)]
            : []),
        ];
      },
    },
  ],
});
