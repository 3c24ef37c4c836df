import { before, surelyAfter } from '../../history/intervals.ts';
import type { AskLife, Facts } from '../facts.ts';
import { sightInWords, sightsAfter } from '../looks.ts';
import { held, missing, ms, type Opinion, requirement, unobserved, violated } from '../opinion.ts';
import { answerable } from '../screens.ts';

/** Actions after which a client starts afresh from what it has stored. */
const AFRESH = ['reload', 'restart'] as const;

/** The ask has come back under another identity, while the one that it had was never ended. */
function renamed(ask: AskLife): Opinion | undefined {
  const [first] = ask.opened;
  const again = ask.opened.find((open) => open.ask !== first?.ask);
  if (!first || !again) return undefined;
  const ended = ask.settled.find((one) => one.ask === first.ask);
  if (ended && before(ended, again, { a: ask.settledSince(ended) }) !== 'no') return undefined;
  const observed = `ask ${ask.call} came back as ${again.ask} at ${ms(again)}, while ${first.ask} had not been ended`;
  return violated('engine', observed, again);
}

/** Asks of message A that were open when the client started afresh. */
function openAtStart(facts: Facts): AskLife[] {
  const { begin } = facts.supersession;
  if (!begin) return [];
  const over = ({ death, settled }: AskLife) =>
    (death?.how === 'answered' && before(death.begin, begin) === 'yes') ||
    settled.some((one) => before(one, begin) === 'yes');
  return facts.asks.filter((ask) => ask.ofA && !over(ask));
}

function survives(facts: Facts, ask: AskLife): Opinion[] {
  const since = facts.supersession.end ?? facts.supersession.begin;
  if (!since) return [];
  const opinions: Opinion[] = [];
  const ended = ask.settled[0];
  if (ended)
    opinions.push(
      held('engine', `ask ${ask.call} was explicitly ended (${ended.outcome}) at ${ms(ended)}`, ended),
    );
  const other = renamed(ask);
  if (other) opinions.push(other);
  const list = ask.pending.findLast(({ event }) => surelyAfter(since, event));
  if (list?.holds && !other)
    opinions.push(held('engine', `ask ${ask.call} is pending again at ${ms(list.event)}`, list.event));
  if (list && !list.holds && !ended) {
    opinions.push(
      violated('engine', `ask ${ask.call} is neither pending nor ended at ${ms(list.event)}`, list.event),
    );
  }
  const sights = sightsAfter(facts, since);
  const shown = sights.find(({ look }) => answerable(look, ask));
  const last = sights.at(-1);
  if (shown)
    opinions.push(held('screen', `ask ${ask.call} is shown again: ${sightInWords(shown)}`, shown.look));
  else if (last && !ended) {
    const observed = `ask ${ask.call} was not ended and is shown no more: ${sightInWords(last)}`;
    opinions.push(missing(facts, 'screen', observed, last.look));
  }
  return opinions;
}

export const askSurvivesOrExpires = requirement({
  slug: 'ask-survives-or-expires',
  level: 'MUST',
  title: 'An open ask survives, or is ended',
  rule: 'After a reload, reconnect or restart an open ask is there again with the same identity, or is explicitly ended.',
  why: 'A question that is lost on a reload leaves a run that waits and a person who does not know.',
  broken:
    'After a reload the question is shown no more and has no outcome; or it comes back as another one while the first is still parked.',
  witnesses: ['engine', 'screen'],
  sources: {
    reports: [6, 22, 23, 27, 44, 102, 109, 139, 164, 176, 177, 178, 180, 181, 182, 187],
    acp: ['https://agentclientprotocol.com/protocol/session-setup#loading-sessions'],
  },
  atStake: (_history, facts) => {
    if (!AFRESH.some((name) => name === facts.action)) return 'the client was neither reloaded nor restarted';
    return openAtStart(facts).length > 0 || 'no ask was open when the client started afresh';
  },
  clauses: [
    {
      name: 'survives-or-ends',
      expected: 'the ask is shown again under its own identity, or has a recorded outcome',
      judge: (facts) => {
        const opinions = openAtStart(facts).flatMap((ask) => survives(facts, ask));
        return opinions.length > 0
          ? opinions
          : [unobserved('screen', 'nobody looked after the client was back')];
      },
    },
  ],
});
