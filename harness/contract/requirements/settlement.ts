import { before } from '../../history/intervals.ts';
import type { EventOf } from '../../history/recorder.ts';
import { endedBefore, engineOnEnd, modelOnEnd, settledInWords, toldInWords, toldOf } from '../evidence.ts';
import { type AskLife, approves, type Facts } from '../facts.ts';
import { sightInWords, sightsAfter } from '../looks.ts';
import { held, missing, ms, type Opinion, requirement, unobserved, violated } from '../opinion.ts';
import { answerable } from '../screens.ts';

/** The asks that should have come to an end without an approval; also one that stayed open and was never answered. */
function toEnd(facts: Facts): AskLife[] {
  const movedOn = facts.submissions.some(({ message }) => message === 'B');
  return facts.asks.filter(({ death, ofA, settled }) => {
    if (!death) return ofA && facts.mayStayOpen && (facts.keptLive || movedOn);
    if (death.how === 'answered') return death.decision === 'deny';
    // An ask that was approved under an action that ends nothing was not superseded: whether that was right, others say.
    return death.how === 'superseded' || facts.endsRun || !(settled[0] && approves(settled[0].outcome));
  });
}

/** Whether each run of message A ended: its own, those of its children, and the one that a retry began. */
function runEnded(facts: Facts): Opinion[] {
  const opinions: Opinion[] = [];
  for (const run of facts.runsOf('A')) {
    const mine = (event: { run: string }) => event.run === run;
    const started = facts.all('engine.run-started').filter(mine).at(-1);
    const end = facts.all('engine.run-ended').filter(mine).at(-1);
    const { begin, end: done } = facts.supersession;
    if (end && !(started && before(end, started) === 'yes')) {
      const observed = `run ${run} of message A ended at ${ms(end)} (${end.reason ?? 'no reason given'})`;
      opinions.push(held('engine', observed, end));
    } else if (started && done && facts.action === 'restart' && begin && before(started, begin) === 'yes') {
      const observed = `run ${run} of message A ended with its process, which was gone by ${ms(done)}`;
      opinions.push(held('engine', observed, done));
    } else if (started) {
      const observed = `run ${run} of message A started at ${ms(started)} and never ended`;
      opinions.push(missing(facts, 'engine', observed, started));
    }
  }
  const requests = facts.turns.filter((turn) => turn.message === 'A');
  const open = requests.find((turn) => !facts.endOf(turn));
  if (open) {
    opinions.push(missing(facts, 'model', `request ${open.request} of message A never ended`, open));
  } else if (opinions.length === 0 && requests.length > 0 && facts.complete) {
    const observed = 'no request of message A was in flight at the end; the engine reports no runs';
    opinions.push(held('model', observed, facts.end));
  }
  return opinions.length > 0 ? opinions : [unobserved('engine', 'nobody reported the run of message A')];
}

function treatment(facts: Facts): Opinion[] | string {
  const { end } = facts.supersession;
  if (!end || end.outcome === 'stuck') return 'the client made nothing of the action';
  const declared = facts.header.treatment;
  const seen = end.outcome === 'refused' ? 'refuse' : end.outcome === 'queued' ? 'queue' : 'settle';
  const did = {
    settle: 'took the action at once',
    refuse: 'refused the action',
    queue: 'queued the message',
  }[seen];
  const observed = `the client ${did} at ${ms(end)}; its profile says ${declared}`;
  return [(seen === declared ? held : violated)('screen', observed, end)];
}

export const askSettled = requirement({
  slug: 'ask-settled',
  level: 'MUST',
  title: 'A superseded ask is settled',
  rule: 'Every ask still open when its run is superseded gets an explicit terminal, non-approving outcome, and the run that waited on it ends.',
  why: 'A parked ask is a live resolver without an owner: the next answer or message may fall into it.',
  broken:
    'After the resubmit the old ask is still in the list of pending asks, or it went without an outcome, and its run never ended.',
  witnesses: ['engine', 'model', 'screen'],
  sources: {
    reports: [
      1, 4, 11, 14, 16, 20, 24, 30, 31, 32, 33, 34, 38, 52, 53, 56, 57, 61, 71, 75, 80, 82, 85, 91, 93, 101,
      104, 105, 106, 113, 124, 127, 148, 152, 156, 159, 161, 166, 173, 183, 190, 197, 204,
    ],
    acp: ['https://agentclientprotocol.com/protocol/prompt-turn#cancellation'],
    agui: ['https://docs.ag-ui.com/spec/1.0/basic/patterns/interrupt-resume'],
  },
  atStake: (_history, facts) =>
    toEnd(facts).length > 0 ||
    facts.endsRun ||
    (facts.asks.some(({ ofA, death }) => ofA && death?.how === 'answered')
      ? 'the ask was approved or answered: nothing superseded it'
      : 'no open ask was superseded'),
  clauses: [
    {
      name: 'outcome',
      expected:
        'the ask gets a recorded outcome: denied, cancelled or expired (a question: also an empty answer)',
      judge: (facts) => {
        const asks = toEnd(facts);
        if (asks.length === 0) return 'no ask was open when the run was superseded';
        return asks.flatMap((ask) => [...engineOnEnd(facts, ask), ...modelOnEnd(facts, ask)]);
      },
    },
    { name: 'run-ends', expected: 'the run that waited on the ask ends', judge: runEnded },
    {
      name: 'treatment',
      expected: 'the client treats the action as its profile declares',
      supporting: true,
      judge: (facts) => (facts.treated ? treatment(facts) : 'the action supersedes nothing'),
    },
  ],
});

/** Whether any witness but the screen has the end of the ask before the new run's first request. */
function endedFirst(facts: Facts, ask: AskLife, request: EventOf<'model.request'>): Opinion[] {
  const order = endedBefore(ask, request);
  const first = ask.settled[0];
  const asked = `the new run's first request at ${ms(request)}`;
  if (first && order === 'yes')
    return [held('engine', `ask ${ask.call} was settled ${settledInWords(first)}, before ${asked}`, first)];
  if (first && order === 'no')
    return [
      violated('engine', `ask ${ask.call} was settled ${settledInWords(first)}, after ${asked}`, first),
    ];
  if (first)
    return [unobserved('engine', `the settlement at ${ms(first)} and ${asked} cannot be ordered`, first)];
  const told = toldOf(facts, ask).find((one) => one.request === request);
  if (told && told.call.results > 0 && (told.call.told === 'denied' || told.call.told === 'error')) {
    return [held('model', toldInWords(told), request)];
  }
  return engineOnEnd(facts, ask).map((opinion) =>
    opinion.verdict === 'violated'
      ? { ...opinion, observed: `${opinion.observed}; ${asked} was made all the same` }
      : { ...opinion, verdict: 'unobserved' },
  );
}

export const settledBeforeNext = requirement({
  slug: 'settled-before-next',
  level: 'MUST',
  title: 'Settled before the next run begins',
  rule: 'That outcome comes before the new run makes its first model request and before the client accepts input for it.',
  why: 'Between two runs that both own the pending ask, whoever answers last decides for the wrong one.',
  broken:
    'The new run has already asked the model when the old ask gets its outcome; or the new message is shown beside the old Run / Reject buttons.',
  witnesses: ['engine', 'model', 'screen'],
  sources: {
    reports: [1, 11, 106, 197],
    acp: ['https://agentclientprotocol.com/protocol/prompt-turn#cancellation'],
  },
  atStake: (_history, facts) => {
    if (!facts.supersessionTried && !facts.mayStayOpen) return 'the action supersedes nothing';
    if (toEnd(facts).length === 0) return 'no open ask was superseded';
    return facts.nextTurn !== undefined || 'the new run made no model request';
  },
  clauses: [
    {
      name: 'order',
      expected:
        'the outcome of the old ask is recorded before the first model request of the new run, and message B is never shown beside the live old ask',
      judge: (facts) => {
        const request = facts.nextTurn;
        if (!request) return 'the new run made no model request';
        return toEnd(facts).flatMap((ask) => {
          const opinions = endedFirst(facts, ask, request);
          // A card that merely lingers after a timely settlement is judged by settled-ask-gone.
          if (opinions.some((opinion) => opinion.verdict === 'held')) return opinions;
          const sight = sightsAfter(facts, request).find(
            ({ look }) => look.messages.includes('B') && answerable(look, ask),
          );
          if (!sight) return opinions;
          const observed = `message B is shown beside the answerable ask ${ask.call} (${sightInWords(sight)})`;
          return [...opinions, violated('screen', observed, sight.look)];
        });
      },
    },
  ],
});
