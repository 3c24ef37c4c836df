import { before, surelyAfter } from '../../history/intervals.ts';
import type { EventOf } from '../../history/recorder.ts';
import type { Settlement } from '../../history/vocabulary.ts';
import { absence, effectInWords, effectsOf, settledInWords, toldInWords, toldOf } from '../evidence.ts';
import { type AskLife, approves, type Facts } from '../facts.ts';
import { held, missing, ms, type Opinion, requirement, unobserved, violated } from '../opinion.ts';
import { type Answer, isOver } from '../person.ts';

/** Late answers that were really given. */
const lateAnswers = (facts: Facts): Answer[] => facts.answers.filter((answer) => answer.intent === 'late');

/** Whether a settlement has an own live answer that may have made it. */
function ownAnswer(facts: Facts, ask: AskLife, settlement: EventOf<'engine.ask-settled'>) {
  const orders = facts.answers
    .filter((answer) => answer.call === ask.call && answer.intent === 'live')
    .map((answer) => before(answer.begin, settlement, { b: ask.settledSince(settlement) }));
  return orders.includes('yes') ? 'yes' : orders.includes('unknown') ? 'unknown' : 'no';
}

/** What the late answers settled: anything that was settled since the first of them without a live answer of its own. */
function lateSettles(facts: Facts): Opinion[] {
  const [first] = lateAnswers(facts);
  if (!first) return [];
  const arrived = facts.arrival(first);
  const opinions: Opinion[] = [];
  for (const ask of facts.asks) {
    for (const settlement of ask.settled) {
      if (before(arrived, settlement, { b: ask.settledSince(settlement) }) === 'no') continue;
      const own = ownAnswer(facts, ask, settlement);
      const observed = `a late answer to ask ${first.call} was given at ${ms(arrived)}; ask ${ask.call} was settled ${settledInWords(settlement)}`;
      const surely = surelyAfter(arrived, settlement);
      if (own === 'yes' || settlement.by === 'system') continue;
      if (own === 'no' && surely) opinions.push(violated('engine', observed, settlement));
      else opinions.push(unobserved('engine', `${observed}; the two cannot be ordered`, settlement));
    }
  }
  if (opinions.length > 0) return opinions;
  const known = facts.asks.some(
    (ask) => ask.settled.length > 0 || ask.opened.length > 0 || ask.pending.length > 0,
  );
  if (!known) return [unobserved('engine', 'the engine reported no ask')];
  return [
    held('engine', `the late answers to ask ${first.call} since ${ms(arrived)} settled nothing`, arrived),
  ];
}

/** Effects of other calls that came after a late answer, without a live approval of their own. */
function lateEffects(facts: Facts): Opinion[] {
  const [first] = lateAnswers(facts);
  if (!first) return [];
  const arrived = facts.arrival(first);
  for (const call of Object.keys(facts.header.calls) as AskLife['call'][]) {
    if (call === first.call) continue;
    const stray = effectsOf(facts, call).find(
      (one) => one.approved === 'no' && surelyAfter(arrived, one.effect),
    );
    if (stray) {
      const observed = `a late answer to ask ${first.call} was given at ${ms(arrived)}; ${effectInWords(call, stray)}`;
      return [violated(stray.witness, observed, stray.effect)];
    }
  }
  const last = lateAnswers(facts).at(-1)?.end ?? first.begin;
  const check = facts.all('world.checked').find((look) => surelyAfter(last, look));
  return absence(facts, check, { none: 'no other call had an effect', notLooked: 'after the late answers' });
}

/** What the live answers to one ask did: the first settles it, as it was given, and none of them anything else. */
function liveAnswers(facts: Facts, call: AskLife['call'], answers: readonly Answer[]): Opinion[] {
  const ask = facts.ask(call);
  const [first] = answers as [Answer];
  const opinions = answers.flatMap((answer) => strays(facts, answer));
  const given = `ask ${call} was answered (${answers.map(({ decision }) => decision).join(', then ')}) at ${ms(first.begin)}`;
  const from = (one: EventOf<'engine.ask-settled'>) => ({ b: ask.settledSince(one) });
  const settlement = ask.settled.find((one) => before(first.begin, one, from(one)) !== 'no');
  const already = ask.settled.some((one) => before(one, first.begin, { a: ask.settledSince(one) }) === 'yes');
  if (settlement) {
    // Of several answers that race any may win; one that was given when another had been taken may not.
    const racing = answers.filter(
      (one) =>
        before(one.begin, settlement, from(settlement)) !== 'no' &&
        !answers.some((other) => other.outcome === 'accepted' && isOver(other, one)),
    );
    const fits = racing.some(({ decision }) => fitsDecision(settlement.outcome, decision));
    const observed = `${given} and settled ${settledInWords(settlement)}`;
    opinions.push((fits || settlement.by === 'system' ? held : violated)('engine', observed, settlement));
  } else if (!already && ask.opened.length > 0) {
    opinions.push(missing(facts, 'engine', `${given} and never settled`, first.begin));
  }
  const effect = effectsOf(facts, call).find((one) => one.approved === 'yes');
  if (effect && answers.some(({ decision }) => decision !== 'deny')) {
    opinions.push(held(effect.witness, `${given}; ${effectInWords(call, effect)}`, effect.effect));
  }
  const told = toldOf(facts, ask).find((one) => surelyAfter(first.begin, one.request));
  const heard = first.decision === 'deny' ? 'denied' : first.decision === 'answer' ? 'answered' : undefined;
  if (told && heard !== undefined && told.call.told === heard) {
    opinions.push(held('model', `${given}; ${toldInWords(told)}`, told.request));
  }
  return opinions;
}

const fitsDecision = (outcome: Settlement, decision: Answer['decision']): boolean =>
  decision === 'deny' ? !approves(outcome) : approves(outcome) || outcome === 'answered';

/** What a live answer did to other asks. */
function strays(facts: Facts, { call, decision, begin }: Answer): Opinion[] {
  const given = `ask ${call} was answered (${decision}) at ${ms(begin)}`;
  const opinions: Opinion[] = [];
  for (const other of facts.asks) {
    if (other.call === call || facts.grants(other.call).length > 0) continue;
    const stray = effectsOf(facts, other.call).find(({ effect }) => facts.stimulusOf(effect) === begin);
    if (stray) {
      const observed = `${given}; ${effectInWords(other.call, stray)}`;
      opinions.push(violated(stray.witness, observed, stray.effect));
    }
    const wrong = other.settled.find(
      (one) => one.by !== 'system' && approves(one.outcome) && facts.stimulusOf(one) === begin,
    );
    if (wrong) {
      const observed = `${given}; ask ${other.call} was settled ${settledInWords(wrong)}`;
      opinions.push(violated('engine', observed, wrong));
    }
  }
  return opinions;
}

/** Settlements said to be the person's, though the person had answered no such ask. */
function answeredByMessage(facts: Facts): Opinion[] {
  const { end } = facts.supersession;
  const opinions = facts.asks.flatMap((ask) =>
    ask.settled
      .filter((one) => one.by === 'person' && (!end || surelyAfter(end, one)))
      .filter(
        (one) =>
          !facts.answers.some((answer) => answer.call === ask.call && before(answer.begin, one) !== 'no'),
      )
      .flatMap((one) => {
        const stimulus = facts.stimulusOf(one);
        if (stimulus?.type !== 'person.submit') return [];
        return [
          violated(
            'engine',
            `message ${stimulus.message} was taken as the answer to ask ${ask.call}: settled ${settledInWords(one)}`,
            one,
          ),
        ];
      }),
  );
  if (opinions.length > 0) return opinions;
  if (!facts.asks.some((ask) => ask.settled.length > 0))
    return [unobserved('engine', 'the engine recorded no settlement')];
  return [held('engine', 'no message settled an ask in the name of the person', facts.end)];
}

export const answerBound = requirement({
  slug: 'answer-bound',
  level: 'MUST',
  title: 'An answer is bound to its ask',
  rule: 'An answer counts only for the ask it was drawn for; a late answer to the old ask resolves nothing, an answer to the new ask resolves only the new one.',
  why: 'A person who says yes to one command has not said yes to another.',
  broken:
    'A click meant for the old command approves the new one; the next ordinary message is taken for the answer to the old question.',
  witnesses: ['world', 'engine'],
  sources: {
    reports: [1, 8, 11, 17, 50, 63, 73, 89, 90, 92, 103, 106, 110, 119, 123, 125, 139, 144, 168, 171, 187],
    agui: ['https://docs.ag-ui.com/spec/1.0/basic/patterns/interrupt-resume'],
  },
  atStake: (_history, facts) => facts.answers.length > 0 || 'no answer was given to any ask',
  clauses: [
    {
      name: 'late',
      expected: 'a late answer to the old ask settles no ask and has no effect in another call',
      judge: (facts) =>
        lateAnswers(facts).length > 0
          ? [...lateSettles(facts), ...lateEffects(facts)]
          : 'no late answer was given',
    },
    {
      name: 'live',
      expected: 'a live answer settles exactly the ask it was given to, as it was given',
      judge: (facts) => {
        const live = facts.answers.filter((one) => one.intent === 'live' && one.outcome !== 'gone');
        if (live.length === 0) return 'no live answer was given';
        const opinions = [...new Set(live.map(({ call }) => call))].flatMap((call) =>
          liveAnswers(
            facts,
            call,
            live.filter((one) => one.call === call),
          ),
        );
        return opinions.length > 0 ? opinions : [unobserved('engine', 'nobody saw what the live answer did')];
      },
    },
    {
      name: 'message',
      expected: 'no message settles an ask in the name of the person',
      supporting: true,
      judge: (facts) => (facts.submissions.length > 0 ? answeredByMessage(facts) : 'no message was sent'),
    },
  ],
});
