import type { CallRole, ScreenRow } from '../../history/events.ts';
import { before, surelyAfter } from '../../history/intervals.ts';
import type { ActionName } from '../../history/vocabulary.ts';
import { absence, effectInWords, effectsOf } from '../evidence.ts';
import type { Facts } from '../facts.ts';
import { held, missing, ms, type Opinion, requirement, unobserved, violated } from '../opinion.ts';

export const lateEventsFenced = requirement({
  slug: 'late-events-fenced',
  level: 'MUST',
  title: 'Late events are fenced off',
  rule: 'Late events of a superseded run open, end, write or answer nothing in the new run; the old run makes no further model request on its own.',
  why: 'Two runs that write to one conversation leave a state that belongs to neither.',
  broken:
    'The stopped run asks the model once more, opens its question in the new run, or its row starts to move again.',
  witnesses: ['model', 'screen', 'engine', 'world'],
  sources: {
    reports: [63, 66, 118, 197, 202],
    acp: ['https://agentclientprotocol.com/protocol/prompt-turn#cancellation'],
  },
  atStake: (_history, facts) => {
    if (facts.endsRun) return true;
    if (!facts.supersessionTried) return 'the action supersedes nothing';
    return facts.keptLive
      ? 'the client kept the run alive: nothing was superseded'
      : 'the action ends the ask, and its run may go on';
  },
  clauses: [
    {
      name: 'no-request',
      expected:
        'no model turn of message A begins after the supersession, and one that was open is closed by the client',
      judge: oldRequests,
    },
    {
      name: 'no-ask',
      expected: 'no ask of the superseded run opens after the supersession',
      supporting: true,
      judge: oldAsks,
    },
    {
      name: 'no-tool',
      expected:
        'no tool of the superseded run starts after the supersession, nor has one an effect that was not approved',
      judge: oldTools,
    },
    {
      name: 'no-row',
      expected: 'no row of the superseded run appears anew or starts to run on the screen',
      supporting: true,
      judge: oldRows,
    },
  ],
});

/** What shows that the superseded run must be over: the new run's first request, or the client seen at rest. */
const newRunSince = (facts: Facts) => {
  const { end } = facts.supersession;
  return (
    facts.nextTurn ??
    facts.all('harness.observed').find((event) => event.outcome === 'done' && end && surelyAfter(end, event))
  );
};

const callsOfA = (facts: Facts) =>
  (Object.keys(facts.header.calls) as CallRole[]).filter((call) => facts.isOfA(call));

function oldAsks(facts: Facts): Opinion[] | string {
  const over = newRunSince(facts);
  if (!over) return 'the new run never began';
  const opened = facts
    .all('engine.ask-opened')
    .find((event) => facts.isOfA(event.call) && surelyAfter(over, event));
  if (opened) {
    const observed = `ask ${opened.call} was opened at ${ms(opened)}, when the new run had begun by ${ms(over)}`;
    return [violated('engine', observed, opened)];
  }
  const reports = facts.all('engine.run-started').length + facts.all('engine.ask-opened').length > 0;
  if (!reports) return [unobserved('engine', 'the engine reports neither runs nor asks')];
  return [held('engine', `no ask of message A was opened after ${ms(over)}`, facts.end)];
}

function oldTools(facts: Facts): Opinion[] | string {
  const { begin } = facts.supersession;
  if (!begin) return 'the action never began';
  const after = `after the supersession at ${ms(begin)}`;
  for (const call of callsOfA(facts)) {
    const started = facts
      .all('engine.tool-started')
      .find((event) => event.call === call && surelyAfter(begin, event));
    if (started)
      return [violated('engine', `the tool of call ${call} started at ${ms(started)}, ${after}`, started)];
    const late = effectsOf(facts, call).find(
      (one) => one.approved !== 'yes' && surelyAfter(begin, one.effect),
    );
    if (late) return [violated(late.witness, `${effectInWords(call, late)}, ${after}`, late.effect)];
  }
  const check = facts.all('world.checked').findLast((look) => surelyAfter(begin, look));
  return absence(facts, check, {
    none: 'no call of message A had an effect that was not approved',
    notLooked: 'after the supersession',
  });
}

function oldRequests(facts: Facts): Opinion[] | string {
  const { begin } = facts.supersession;
  if (!begin) return 'the action never began';
  const old = facts.turns.filter((turn) => facts.isOldTurn(turn));
  const fresh = old.find((turn) => surelyAfter(begin, turn));
  if (fresh) {
    const observed = `request ${fresh.request} of message A began at ${ms(fresh)}, after the supersession at ${ms(begin)}`;
    return [violated('model', observed, fresh)];
  }
  const next = facts.nextTurn;
  const done = facts.supersession.end;
  for (const turn of old) {
    const end = facts.endOf(turn);
    // What ended by itself while the action went on raced with it, and was nothing that it could still close.
    if (end && (before(end, begin) === 'yes' || (done && before(end, done) === 'yes'))) continue;
    const name = `request ${turn.request} of message A, open at the supersession,`;
    if (!end) return [missing(facts, 'model', `${name} was never closed`, turn)];
    if (end.by === 'client') return [held('model', `${name} was closed by the client at ${ms(end)}`, end)];
    if (next && surelyAfter(next, end))
      return [violated('model', `${name} was read to its end at ${ms(end)}, beside the new run`, end)];
    if (next && before(end, next) === 'yes')
      return [held('model', `${name} was over at ${ms(end)}, before the new run began`, end)];
    return [unobserved('model', `${name} ended by itself at ${ms(end)}`, end)];
  }
  const seen = next ?? facts.end;
  if (!seen) return [unobserved('model', 'the record ends before anything could follow')];
  return [held('model', `no request of message A began after ${ms(begin)}`, seen)];
}

/** Actions after which the conversation of the superseded run is drawn anew. */
const MAY_SHOW_AGAIN: ReadonlySet<ActionName> = new Set(['switch-session', 'restart']);

function oldRows(facts: Facts): Opinion[] | string {
  const { end } = facts.supersession;
  if (!end || MAY_SHOW_AGAIN.has(facts.action)) return 'the old conversation may be shown again';
  const old = (row: ScreenRow) => facts.isOfA(row.call);
  const moving = (row: ScreenRow) => row.outcome === 'running' || row.outcome === 'ran';
  // In a race the screen may still be drawing what came just before the action.
  const since = facts.header.moment === 'ask-open' ? end : newRunSince(facts);
  if (!since) return 'the new run never began';
  const later = facts.screens.main.filter((look) => surelyAfter(since, look));
  let previous = facts.screens.inForce(since.t);
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
