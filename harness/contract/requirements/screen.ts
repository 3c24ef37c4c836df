import { before, surelyAfter } from '../../history/intervals.ts';
import type { AskLife, Facts } from '../facts.ts';
import { comesBack, controlsOf, lookPoints, overSince, sightInWords, sightsAfter } from '../looks.ts';
import { held, missing, ms, type Opinion, requirement, unobserved, violated } from '../opinion.ts';
import { answerable } from '../screens.ts';

/** Whether the engine had opened the ask, and not settled it, when the person acted. */
const openedBefore = (ask: AskLife, act: Parameters<typeof before>[1]): boolean =>
  ask.opened.some((open) => before(open, act) === 'yes') &&
  !ask.settled.some((one) => before(one, act, { a: ask.settledSince(one) }) !== 'no');

/** Whether the ask is in its rightful life at an event: opened, not settled, and not superseded or answered. */
function isLive(ask: AskLife, at: Parameters<typeof before>[1]): boolean {
  const over = ask.death !== undefined && before(ask.death.begin, at) !== 'no';
  return openedBefore(ask, at) && !over;
}

function reachable(facts: Facts, ask: AskLife): Opinion[] {
  const opinions: Opinion[] = [];
  const answers = facts.answers.filter((one) => one.call === ask.call && one.intent === 'live');
  const { begin } = facts.supersession;
  // At other moments the ask may legally not be there yet, or no longer, when the person moves on.
  const wasOpen =
    begin && ((ask.call === 'A' && facts.header.moment === 'ask-open') || openedBefore(ask, begin));
  // The person's own acts are looks too: one looks before one presses.
  const looks = [
    ...lookPoints(facts).filter((point) => isLive(ask, point)),
    ...answers.map((one) => one.begin),
    ...(begin && wasOpen ? [begin] : []),
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
  for (const { outcome, end } of answers) {
    if (outcome === 'gone')
      opinions.push(violated('screen', `the controls of live ask ${ask.call} could not be pressed`, end));
  }
  if (facts.keptLive && ask.death === undefined && facts.header.calls[ask.call]?.message === 'A') {
    const end = facts.supersession.end;
    const observed = `the client ${end?.outcome} the action, and its ask was neither shown for an answer nor answered`;
    opinions.push(missing(facts, 'screen', observed, end));
  }
  return opinions;
}

export const liveAskReachable = requirement({
  slug: 'live-ask-reachable',
  level: 'MUST',
  title: 'A live ask can be reached',
  rule: 'While a run waits on an ask, at least one attached surface shows it with working controls.',
  why: 'A run that waits on a question nobody can see waits for ever.',
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
        return opinions.length > 0 ? opinions : [unobserved('screen', 'nobody looked while an ask was live')];
      },
    },
  ],
});

function gone(facts: Facts, ask: AskLife): Opinion[] | undefined {
  const over = overSince(facts, ask);
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
  witnesses: ['screen'],
  sources: {
    reports: [
      14, 17, 21, 31, 32, 35, 36, 43, 44, 51, 65, 67, 68, 84, 110, 111, 115, 119, 129, 149, 150, 153, 155,
      174, 182, 188, 198, 203,
    ],
  },
  atStake: (_history, facts) =>
    facts.asks.some((ask) => overSince(facts, ask)) || 'no ask came to its end in this hand-off',
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
          const over = overSince(facts, ask);
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

/** Actions after which a client starts afresh from what it has stored. */
const AFRESH = ['reload', 'restart'] as const;

function survives(facts: Facts, ask: AskLife): Opinion[] {
  const since = facts.supersession.end ?? facts.supersession.begin;
  if (!since) return [];
  const opinions: Opinion[] = [];
  const ended = ask.settled[0];
  if (ended)
    opinions.push(
      held('engine', `ask ${ask.call} was explicitly ended (${ended.outcome}) at ${ms(ended)}`, ended),
    );
  const other = ask.opened.find((open) => open.ask !== ask.opened[0]?.ask);
  if (other && !ended) {
    const observed = `ask ${ask.call} came back as ${other.ask}, while ${ask.opened[0]?.ask} was never ended`;
    opinions.push(violated('engine', observed, other));
  }
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
  witnesses: ['engine', 'screen'],
  sources: {
    reports: [6, 22, 23, 27, 44, 102, 109, 139, 164, 176, 177, 178, 180, 181, 182, 187],
    acp: ['https://agentclientprotocol.com/protocol/session-setup#loading-sessions'],
  },
  atStake: (_history, facts) =>
    AFRESH.some((name) => name === facts.action) || 'the client was neither reloaded nor restarted',
  clauses: [
    {
      name: 'survives-or-ends',
      expected: 'the ask is shown again under its own identity, or has a recorded outcome',
      judge: (facts) => {
        const opinions = facts.asks
          .filter((ask) => facts.header.calls[ask.call]?.message === 'A')
          .flatMap((ask) => survives(facts, ask));
        return opinions.length > 0
          ? opinions
          : [unobserved('screen', 'nobody looked after the client was back')];
      },
    },
  ],
});
