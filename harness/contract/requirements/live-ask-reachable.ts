import { before } from '../../history/intervals.ts';
import type { Moment } from '../../history/vocabulary.ts';
import type { AskLife, Facts } from '../facts.ts';
import { controlsOf, lookPoints } from '../looks.ts';
import { held, missing, ms, type Opinion, requirement, unobserved, violated } from '../opinion.ts';
import type { Answer } from '../person.ts';
import { answerable } from '../screens.ts';

/** Whether the engine had opened the ask, and not settled it, when the person acted. */
const openedBefore = (ask: AskLife, act: Parameters<typeof before>[1]): boolean =>
  ask.opened.some((open) => before(open, act) === 'yes') &&
  !ask.settled.some((one) => before(one, act, { a: ask.settledSince(one) }) !== 'no');

/** Whether the ask is in its rightful life at an event: opened, not settled, and not superseded or answered. */
export function isLive(ask: AskLife, at: Parameters<typeof before>[1]): boolean {
  const over = ask.death !== undefined && before(ask.death.begin, at) !== 'no';
  return openedBefore(ask, at) && !over;
}

/** Whether another answer to the same ask had been given by the time at which this one found nothing to press. */
const lostRace = ({ end }: Answer, answers: readonly Answer[]): boolean =>
  answers.some((one) => one.outcome === 'accepted' && end && before(one.begin, end) !== 'no');

function reachable(facts: Facts, ask: AskLife): Opinion[] {
  const opinions: Opinion[] = [];
  const answers = facts.answers.filter((one) => one.call === ask.call && one.intent === 'live');
  const { begin } = facts.supersession;
  // The person's own acts are looks too: one looks before one presses.
  const looks = [
    ...lookPoints(facts).filter((point) => isLive(ask, point)),
    ...answers.map((one) => one.begin),
    ...facts.answers
      .filter((one) => one.call === ask.call && one.route === 'in-flight')
      .map((one) => one.begin),
    ...(begin && wasSeenOpen(facts, ask) ? [begin] : []),
  ];
  for (const point of looks) {
    if (point.type === 'harness.observed' && point.outcome === 'streaming') continue;
    const shown = facts.screens.allInForce(point.t).find((look) => answerable(look, ask));
    opinions.push(
      shown
        ? held('screen', `ask ${ask.call} is shown ${controlsOf(shown, ask)} at ${ms(point)}`, shown)
        : violated(
            'screen',
            `ask ${ask.call} is live and no window shows it with controls at ${ms(point)}`,
            point,
          ),
    );
  }
  for (const answer of answers) {
    if (answer.outcome !== 'gone' || lostRace(answer, answers)) continue;
    opinions.push(
      violated('screen', `the controls of live ask ${ask.call} could not be pressed`, answer.end),
    );
  }
  if (facts.mayStayOpen && ask.death === undefined && ask.ofA) {
    const end = facts.supersession.end;
    const kept = facts.keptLive ? `the client ${end?.outcome} the action` : 'the action left the ask open';
    const observed = `${kept}, and ask ${ask.call} was neither shown for an answer nor answered nor ended`;
    opinions.push(missing(facts, 'screen', observed, end));
  }
  return opinions;
}

/**
 * Whether the person acted with the ask before them. Only at these moments: at others it may legally not be there yet, or
 * be pressed already.
 */
function wasSeenOpen(facts: Facts, ask: AskLife): boolean {
  const { begin } = facts.supersession;
  const { moment } = facts.header;
  if (!begin || (moment !== 'ask-open' && moment !== 'second-of-two')) return false;
  const over = ask.settled.some((one) => before(one, begin, { a: ask.settledSince(one) }) !== 'no');
  const answered = ask.death?.how === 'answered' && before(ask.death.begin, begin) === 'yes';
  return !over && !answered && (ask.call === 'A' || openedBefore(ask, begin));
}

/** Moments at which an ask may be over as soon as it is there. */
const TOO_SHORT: ReadonlySet<Moment> = new Set(['call-streaming', 'ask-arriving', 'ask-overtaken']);

export const liveAskReachable = requirement({
  slug: 'live-ask-reachable',
  level: 'MUST',
  title: 'A live ask can be reached',
  rule: 'While a run waits on an ask, at least one attached surface shows it with working controls.',
  why: 'A run that waits on a question nobody can see waits for ever.',
  broken: 'The run waits for an answer, and no window shows the question; or its buttons cannot be pressed.',
  witnesses: ['screen'],
  sources: {
    reports: [
      6, 15, 16, 19, 23, 28, 29, 49, 50, 55, 64, 65, 73, 76, 81, 93, 96, 109, 131, 138, 141, 163, 164, 176,
      177, 179, 191, 192, 194, 196, 200, 208,
    ],
  },
  atStake: (_history, facts) => facts.asks.length > 0 || 'no ask was ever open',
  clauses: [
    {
      name: 'shown',
      expected: 'each live ask is shown with its controls whenever somebody looks',
      judge: (facts) => {
        const opinions = facts.asks.flatMap((ask) => reachable(facts, ask));
        if (opinions.length > 0) return opinions;
        if (TOO_SHORT.has(facts.header.moment) && facts.screens.main.length > 0) {
          return 'the ask was over before anybody could look';
        }
        return [unobserved('screen', 'nobody looked while an ask was live')];
      },
    },
  ],
});
