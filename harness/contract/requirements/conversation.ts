import type { ScreenRow } from '../../history/events.ts';
import { before, surelyAfter } from '../../history/intervals.ts';
import { effectsOf } from '../evidence.ts';
import type { AskLife, Facts } from '../facts.ts';
import { comesBack, controlsOf, overSince, sightInWords, sightsAfter } from '../looks.ts';
import { held, missing, ms, type Opinion, requirement, unobserved, violated } from '../opinion.ts';

export const callsPaired = requirement({
  slug: 'calls-paired',
  level: 'MUST',
  title: 'Every call has its result',
  rule: 'The next model request of that conversation carries exactly one result for every tool call it contains.',
  why: 'Providers reject a call without a result, and the conversation is lost for good.',
  witnesses: ['model'],
  sources: { reports: [24, 78, 82, 83, 87, 98, 142, 160, 161, 165, 169, 170, 175] },
  atStake: (_history, facts) =>
    facts.turns.some((turn) => turn.calls.length > 0 || turn.orphanResults > 0) ||
    'no later request of that conversation carried a call',
  clauses: [
    {
      name: 'paired',
      expected:
        'each model turn has exactly one result for each call that it carries, and no result without a call',
      judge: (facts) => {
        const carrying = facts.turns.filter((turn) => turn.calls.length > 0 || turn.orphanResults > 0);
        for (const turn of carrying) {
          const wrong = turn.calls.find((call) => call.results !== 1);
          const name = `request ${turn.request} at ${ms(turn)}`;
          if (wrong) {
            const observed = `${name} carries call ${wrong.role ?? wrong.id} with ${wrong.results} results`;
            return [violated('model', observed, turn)];
          }
          if (turn.orphanResults > 0) {
            return [
              violated('model', `${name} carries ${turn.orphanResults} results that belong to no call`, turn),
            ];
          }
        }
        const last = carrying.at(-1);
        return [held('model', `${carrying.length} requests carry calls, each with one result`, last)];
      },
    },
  ],
});

/** Actions that take the conversation back, or build it again from what was stored. */
const REWINDS = ['edit', 'checkpoint-restore'];
const REPLAYS = ['reload', 'restart', 'switch-session'];

export const noResurrection = requirement({
  slug: 'no-resurrection',
  level: 'MUST',
  title: 'Nothing is resurrected',
  rule: 'Replay, resume or rewind brings back neither settled asks nor rewound content: the pre-edit text is not sent to the model again.',
  why: 'What the person took back must not steer the model, and a settled question must not be asked of nobody.',
  witnesses: ['model', 'screen'],
  sources: {
    reports: [52, 112, 201, 202, 204],
    acp: ['https://agentclientprotocol.com/protocol/session-setup#loading-sessions'],
  },
  atStake: (_history, facts) => {
    if (!REWINDS.includes(facts.action) && !REPLAYS.includes(facts.action)) {
      return 'nothing was rewound, resumed or replayed in this hand-off';
    }
    return !facts.keptLive || 'the client did not let the person rewind while the ask was open';
  },
  clauses: [
    {
      name: 'not-sent',
      expected: 'no model turn after the rewind carries the text of message A',
      judge: (facts) => {
        const { begin } = facts.supersession;
        if (!REWINDS.includes(facts.action) || !begin) return 'nothing was rewound';
        const later = facts.turns.filter((turn) => surelyAfter(begin, turn));
        const wrong = later.find((turn) => turn.carries.includes('A'));
        if (wrong) {
          const observed = `request ${wrong.request} at ${ms(wrong)} carries the text of message A, which was taken back at ${ms(begin)}`;
          return [violated('model', observed, wrong)];
        }
        if (later.length === 0) return [unobserved('model', 'no model turn came after the rewind')];
        return [
          held('model', `none of ${later.length} later requests carries the text of message A`, later.at(-1)),
        ];
      },
    },
    {
      name: 'not-shown',
      expected: 'message A is no longer shown after the rewind',
      supporting: true,
      judge: (facts) => {
        const { end } = facts.supersession;
        if (!REWINDS.includes(facts.action) || !end) return 'nothing was rewound';
        const sights = sightsAfter(facts, end).filter(({ look }) => look.window === 'main');
        const wrong = sights.find(({ look }) => look.messages.includes('A'));
        const sight = wrong ?? sights.at(-1);
        if (!sight) return [unobserved('screen', 'nobody looked after the rewind')];
        const observed = `message A is ${wrong ? 'still' : 'not'} shown: ${sightInWords(sight)}`;
        return [(wrong ? violated : held)('screen', observed, sight.look)];
      },
    },
    {
      name: 'no-ghost',
      expected: 'no settled ask is asked again',
      supporting: true,
      judge: (facts) => {
        const opinions = facts.asks.flatMap((ask) => ghost(facts, ask));
        return opinions.length > 0 ? opinions : 'no ask was settled';
      },
    },
  ],
});

function ghost(facts: Facts, ask: AskLife): Opinion[] {
  // A parked ask that comes back was never settled: that is for ask-settled and settled-ask-gone to say.
  if (facts.header.witnesses.engine && ask.settled.length === 0) return [];
  const over = overSince(facts, ask);
  if (!over) return [];
  const again = ask.opened.find((open) => surelyAfter(over, open));
  if (again)
    return [
      violated('engine', `ask ${ask.call}, over since ${ms(over)}, was opened again at ${ms(again)}`, again),
    ];
  const back = comesBack(facts, ask, over);
  if (back) {
    const observed = `ask ${ask.call}, over since ${ms(over)}, is shown again ${controlsOf(back, ask)} at ${ms(back)}`;
    return [violated('screen', observed, back)];
  }
  const last = sightsAfter(facts, over).at(-1);
  if (!last) return [unobserved('screen', `nobody looked after ask ${ask.call} was over`)];
  return [held('screen', `ask ${ask.call} stays gone: ${sightInWords(last)}`, last.look)];
}

export const lateEventsFenced = requirement({
  slug: 'late-events-fenced',
  level: 'MUST',
  title: 'Late events are fenced off',
  rule: 'Late events of a superseded run open, end, write or answer nothing in the new run; the old run makes no further model request on its own.',
  why: 'Two runs that write to one conversation leave a state that belongs to neither.',
  witnesses: ['model', 'screen', 'engine', 'world'],
  sources: {
    reports: [63, 66, 118, 197, 202],
    acp: ['https://agentclientprotocol.com/protocol/prompt-turn#cancellation'],
  },
  atStake: (_history, facts) => {
    if (!facts.supersessionTried) return 'the action supersedes nothing';
    // A retry runs the same message again: by its marker the old run cannot be told from the new one.
    if (facts.action === 'retry') return 'a retry answers the same message again';
    return facts.supersedes || 'the client kept the run alive: nothing was superseded';
  },
  clauses: [
    {
      name: 'no-request',
      expected:
        'no model turn of message A begins after the supersession, and one that was open is closed by the client',
      judge: oldRequests,
    },
    {
      name: 'no-tool',
      expected: 'no tool of the superseded run starts or has its effect after the supersession',
      judge: (facts) => {
        const { begin } = facts.supersession;
        if (!begin) return 'the action never began';
        const old = facts.asks
          .map(({ call }) => call)
          .filter((call) => facts.header.calls[call]?.message === 'A');
        for (const call of old) {
          const started = facts
            .all('engine.tool-started')
            .find((event) => event.call === call && surelyAfter(begin, event));
          if (started)
            return [
              violated(
                'engine',
                `the tool of call ${call} started at ${ms(started)}, after the supersession at ${ms(begin)}`,
                started,
              ),
            ];
          const effect = effectsOf(facts, call).find(
            (one) => one.approved !== 'yes' && surelyAfter(begin, one.effect),
          )?.effect;
          if (effect)
            return [
              violated(
                'world',
                `the effect of call ${call} came at ${ms(effect)}, after the supersession at ${ms(begin)}`,
                effect,
              ),
            ];
        }
        const check = facts.all('world.checked').findLast((look) => surelyAfter(begin, look));
        if (!check) return [unobserved('world', 'the machine was not looked at after the supersession')];
        return [held('world', `no call of message A had an effect by ${ms(check)}`, check)];
      },
    },
    {
      name: 'no-row',
      expected: 'no row of the superseded run appears anew or starts to run on the screen',
      supporting: true,
      judge: oldRows,
    },
  ],
});

function oldRequests(facts: Facts): Opinion[] | string {
  const { begin } = facts.supersession;
  if (!begin) return 'the action never began';
  const old = facts.turns.filter((turn) => turn.message === 'A');
  const fresh = old.find((turn) => surelyAfter(begin, turn));
  if (fresh) {
    const observed = `request ${fresh.request} of message A began at ${ms(fresh)}, after the supersession at ${ms(begin)}`;
    return [violated('model', observed, fresh)];
  }
  const next = facts.turns.find((turn) => turn.message === 'B');
  for (const turn of old) {
    const end = facts.endOf(turn);
    if (end && before(end, begin) === 'yes') continue;
    const name = `request ${turn.request} of message A, open at the supersession,`;
    if (!end) return [missing(facts, 'model', `${name} was never closed`, turn)];
    if (end.by === 'client') return [held('model', `${name} was closed by the client at ${ms(end)}`, end)];
    if (next && surelyAfter(next, end))
      return [violated('model', `${name} was read to its end at ${ms(end)}, beside the new run`, end)];
    return [unobserved('model', `${name} ended by itself at ${ms(end)}`, end)];
  }
  const seen = next ?? facts.end;
  if (!seen) return [unobserved('model', 'the record ends before anything could follow')];
  return [held('model', `no request of message A began after ${ms(begin)}`, seen)];
}

function oldRows(facts: Facts): Opinion[] | string {
  const { end } = facts.supersession;
  if (!end || facts.action === 'switch-session') return 'the old conversation may be shown again';
  const old = (row: ScreenRow) => row.call !== undefined && facts.header.calls[row.call]?.message === 'A';
  const moving = (row: ScreenRow) => row.outcome === 'running' || row.outcome === 'ran';
  const later = facts.screens.main.filter((look) => surelyAfter(end, look));
  let previous = facts.screens.inForce(end.t);
  for (const look of later) {
    for (const row of look.rows.filter(old)) {
      const was = previous?.rows.find((one) => one.call === row.call);
      const observed = `the row of call ${row.call} ${was ? `went from ${was.outcome} to ${row.outcome}` : 'appeared anew'} at ${ms(look)}`;
      if (!was || (moving(row) && !moving(was))) return [violated('screen', observed, look)];
    }
    previous = look;
  }
  const last = later.at(-1) ?? (facts.complete ? previous : undefined);
  if (!last) return [unobserved('screen', 'the main window was not seen after the supersession')];
  return [held('screen', 'no row of message A appeared or moved after the supersession', last)];
}
