import type { HandoffEvent } from '../../history/events.ts';
import { before, surelyAfter } from '../../history/intervals.ts';
import { absence, effectInWords, effectsOf } from '../evidence.ts';
import type { AskLife, Facts } from '../facts.ts';
import { held, ms, type Opinion, requirement, unobserved, violated } from '../opinion.ts';
import type { Answer } from '../person.ts';
import { answerable } from '../screens.ts';

/** Answers to an ask that had come to its end before they reached the client. */
function toDead(facts: Facts): Answer[] {
  const late = facts.answers.filter((answer) => {
    if (answer.intent !== 'late') return false;
    const { death, settled } = facts.ask(answer.call);
    const arrived = facts.arrival(answer);
    return (death && surelyAfter(death.begin, arrived)) || settled.some((one) => surelyAfter(one, arrived));
  });
  return [...late, ...doubles(facts)];
}

/** Of several live answers to one ask, all but the one that counts. */
function doubles(facts: Facts): Answer[] {
  const calls = new Set(facts.answers.map(({ call }) => call));
  return [...calls].flatMap((call) => {
    const live = facts.answers.filter((one) => one.call === call && one.intent === 'live');
    const counts = live.find(({ outcome }) => outcome === 'accepted') ?? live[0];
    return live.filter((one) => one !== counts);
  });
}

function refusal(facts: Facts, answer: Answer): Opinion[] {
  const { call, decision, route, outcome, begin, end } = answer;
  const detail = end?.detail ? ` ("${end.detail.slice(0, 100)}")` : '';
  const words = `${decision} of dead ask ${call} by ${route} at ${ms(facts.arrival(answer))}`;
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
  const first = facts.arrival((dead as [Answer])[0]);
  const lastEnd: HandoffEvent = dead.at(-1)?.end ?? first;
  for (const call of Object.keys(facts.header.calls) as AskLife['call'][]) {
    const stray = effectsOf(facts, call).find(({ effect, approved, count }) => {
      if (!surelyAfter(first, effect)) return false;
      // A second effect of an approved call is a late answer's work only when the answer was for that call.
      return approved === 'no' || (dead.some((one) => one.call === call) && count > 1);
    });
    if (stray) {
      const observed = `answers to a dead ask since ${ms(first)}; ${effectInWords(call, stray)} (count ${stray.count})`;
      return [violated(stray.witness, observed, stray.effect)];
    }
  }
  const check = facts.all('world.checked').findLast((look) => surelyAfter(lastEnd, look));
  return absence(facts, check, {
    none: 'the answers to a dead ask had no effect',
    notLooked: 'after the late answers',
  });
}

export const deadAskRefused = requirement({
  slug: 'dead-ask-refused',
  level: 'MUST',
  title: 'A dead ask refuses its answers',
  rule: 'Answering a dead ask gives one clear refusal and executes nothing.',
  why: 'A button that seems to work and does nothing is bad; one that seems dead and works is worse.',
  broken:
    'A click on the old card is taken with no word that it is over; or it seems to do nothing, and the command runs.',
  witnesses: ['engine', 'screen', 'world', 'model'],
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
