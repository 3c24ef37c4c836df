import type { HandoffEvent } from '../../history/events.ts';
import { before, surelyAfter } from '../../history/intervals.ts';
import type { EventOf } from '../../history/recorder.ts';
import { effectsOf, settledInWords } from '../evidence.ts';
import { type AskLife, approves, type Facts } from '../facts.ts';
import { held, missing, ms, type Opinion, requirement, unobserved, violated } from '../opinion.ts';
import type { Answer } from '../person.ts';
import { answerable } from '../screens.ts';

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
  const opinions: Opinion[] = [];
  for (const ask of facts.asks) {
    for (const settlement of ask.settled) {
      if (before(first.begin, settlement, { b: ask.settledSince(settlement) }) === 'no') continue;
      const own = ownAnswer(facts, ask, settlement);
      const observed = `a late answer to ask ${first.call} was given at ${ms(first.begin)}; ask ${ask.call} was settled ${settledInWords(settlement)}`;
      const surely = surelyAfter(first.begin, settlement);
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
    held(
      'engine',
      `the late answers to ask ${first.call} since ${ms(first.begin)} settled nothing`,
      first.begin,
    ),
  ];
}

/** Effects of other calls that came after a late answer, without a live approval of their own. */
function lateEffects(facts: Facts): Opinion[] {
  const [first] = lateAnswers(facts);
  if (!first) return [];
  for (const call of Object.keys(facts.header.calls) as AskLife['call'][]) {
    if (call === first.call) continue;
    const stray = effectsOf(facts, call).find(
      (one) => one.approved === 'no' && surelyAfter(first.begin, one.effect),
    );
    if (stray) {
      const observed = `a late answer to ask ${first.call} was given at ${ms(first.begin)}; the effect of call ${call} came at ${ms(stray.effect)}`;
      return [violated('world', observed, stray.effect)];
    }
  }
  const last = lateAnswers(facts).at(-1)?.end ?? first.begin;
  const check = facts.all('world.checked').find((look) => surelyAfter(last, look));
  if (!check) return [unobserved('world', 'the machine was not looked at after the late answers')];
  return [held('world', `no other call had an effect by ${ms(check)}`, check)];
}

/** What a live answer did: it must settle its own ask, and nothing else. */
function liveAnswer(facts: Facts, answer: Answer): Opinion[] {
  const { call, decision, begin } = answer;
  const ask = facts.ask(call);
  const opinions: Opinion[] = [];
  const given = `ask ${call} was answered (${decision}) at ${ms(begin)}`;
  for (const other of facts.asks) {
    if (other.call === call || facts.approvals(other.call).length > 0) continue;
    const stray = effectsOf(facts, other.call).find(({ effect }) => facts.stimulusOf(effect) === begin);
    if (stray) {
      opinions.push(
        violated(
          'world',
          `${given}; the effect of call ${other.call} came at ${ms(stray.effect)}`,
          stray.effect,
        ),
      );
    }
    const wrong = other.settled.find(
      (one) => one.by !== 'system' && approves(one.outcome) && facts.stimulusOf(one) === begin,
    );
    if (wrong)
      opinions.push(
        violated('engine', `${given}; ask ${other.call} was settled ${settledInWords(wrong)}`, wrong),
      );
  }
  const settlement = ask.settled.find((one) => before(begin, one, { b: ask.settledSince(one) }) !== 'no');
  const already = ask.settled.some((one) => before(one, begin, { a: ask.settledSince(one) }) === 'yes');
  if (settlement) {
    const fits =
      decision === 'deny'
        ? !approves(settlement.outcome)
        : approves(settlement.outcome) || settlement.outcome === 'answered';
    const raced = settlement.by === 'system';
    const observed = `${given} and settled ${settledInWords(settlement)}`;
    opinions.push((fits || raced ? held : violated)('engine', observed, settlement));
  } else if (!already && ask.opened.length > 0) {
    opinions.push(missing(facts, 'engine', `${given} and never settled`, begin));
  }
  const effect = effectsOf(facts, call).find((one) => one.approved === 'yes');
  if (decision === 'approve' && effect) {
    opinions.push(held('world', `${given} and its effect came at ${ms(effect.effect)}`, effect.effect));
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
        const opinions = live.flatMap((answer) => liveAnswer(facts, answer));
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

/** Answers to an ask that had come to its end before. */
function toDead(facts: Facts): Answer[] {
  return lateAnswers(facts).filter(({ call, begin }) => {
    const { death, settled } = facts.ask(call);
    return (death && surelyAfter(death.begin, begin)) || settled.some((one) => surelyAfter(one, begin));
  });
}

function refusal(facts: Facts, answer: Answer): Opinion[] {
  const { call, route, outcome, begin, end } = answer;
  const detail = end?.detail ? ` ("${end.detail.slice(0, 100)}")` : '';
  const words = `late approval of ask ${call} by ${route} at ${ms(begin)}`;
  if (outcome === 'accepted') return [violated('screen', `${words} was accepted${detail}`, end)];
  if (outcome === 'refused') return [held('screen', `${words} was refused${detail}`, end)];
  if (outcome === 'gone') return [held('screen', `${words}: there was nothing left to press${detail}`, end)];
  const refused = facts
    .all('engine.answer-refused')
    .find(
      (event) => (event.call === call || facts.ask(call).ids.has(event.ask)) && before(begin, event) !== 'no',
    );
  if (refused) return [held('engine', `${words} was refused: ${refused.reason}`, refused)];
  const silent = `${words} ${outcome ? 'had no visible answer' : 'was never seen to end'}${detail}`;
  return nothingToPress(facts, answer) ?? [unobserved('screen', silent, end ?? begin)];
}

/**
 * JSON-RPC knows no reply to a response, so an ACP agent cannot refuse a second one: silence is all it can give. With no
 * control of the ask left on the screen, and nothing executed, the person had nothing to press.
 */
function nothingToPress(facts: Facts, answer: Answer): Opinion[] | undefined {
  const { call, route, outcome, begin, end } = answer;
  if (facts.header.surface !== 'acp' || route !== 'protocol' || outcome !== 'inert' || !end) return undefined;
  const looks = [...facts.screens.allInForce(begin.t), ...facts.screens.allInForce(end.t)];
  const last = looks.at(-1);
  const shown = looks.some((look) => answerable(look, facts.ask(call)));
  const executed = executes(facts, [answer]);
  if (!last || shown || executed.some(({ verdict }) => verdict !== 'held')) return undefined;
  const words = `a second response to the request of ask ${call} at ${ms(begin)} met silence, which is all that the protocol has for it`;
  return [
    held('screen', `${words}; the screen shows no control of the ask since ${ms(last)}`, end),
    ...executed,
  ];
}

function executes(facts: Facts, dead: Answer[]): Opinion[] {
  const [first] = dead as [Answer, ...Answer[]];
  const lastEnd: HandoffEvent = dead.at(-1)?.end ?? first.begin;
  for (const call of Object.keys(facts.header.calls) as AskLife['call'][]) {
    const effects = effectsOf(facts, call);
    const stray = effects.find(({ effect, approved }) => {
      if (!surelyAfter(first.begin, effect)) return false;
      // A second effect of an approved call is a late answer's work only when the answer was for that call.
      return approved === 'no' || (dead.some((one) => one.call === call) && effect.count > 1);
    });
    if (stray) {
      const observed = `late answers since ${ms(first.begin)}; the effect of call ${call} came at ${ms(stray.effect)} (count ${stray.effect.count})`;
      return [violated('world', observed, stray.effect)];
    }
  }
  const check = facts.all('world.checked').findLast((look) => surelyAfter(lastEnd, look));
  if (!check) return [unobserved('world', 'the machine was not looked at after the late answers')];
  return [held('world', `the late answers had no effect by ${ms(check)}`, check)];
}

export const deadAskRefused = requirement({
  slug: 'dead-ask-refused',
  level: 'MUST',
  title: 'A dead ask refuses its answers',
  rule: 'Answering a dead ask gives one clear refusal and executes nothing.',
  why: 'A button that seems to work and does nothing is bad; one that seems dead and works is worse.',
  witnesses: ['engine', 'screen', 'world'],
  sources: {
    reports: [21, 34, 36, 165],
    agui: ['https://docs.ag-ui.com/spec/1.0/basic/patterns/interrupt-resume'],
  },
  atStake: (_history, facts) => toDead(facts).length > 0 || 'no answer was given to a dead ask',
  clauses: [
    {
      name: 'refused',
      expected: 'a late answer is visibly refused, or there is nothing left to press',
      judge: (facts) => toDead(facts).flatMap((answer) => refusal(facts, answer)),
    },
    {
      name: 'nothing-executed',
      expected: 'a late answer has no effect on the machine',
      judge: (facts) => executes(facts, toDead(facts)),
    },
  ],
});
