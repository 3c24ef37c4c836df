import { surelyAfter } from '../../history/intervals.ts';
import { takesBack } from '../course.ts';
import { finalCheck } from '../evidence.ts';
import type { AskLife, Facts } from '../facts.ts';
import { comesBack, controlsOf, overSince, sightInWords, sightsAfter } from '../looks.ts';
import { held, ms, type Opinion, requirement, unobserved, violated } from '../opinion.ts';

/** Actions after which a conversation is built again from what was stored. */
const REPLAYS = ['reload', 'restart', 'switch-session'];

export const noResurrection = requirement({
  slug: 'no-resurrection',
  level: 'MUST',
  title: 'Nothing is resurrected',
  rule: 'Replay, resume or rewind brings back neither settled asks nor rewound content: the pre-edit text is not sent to the model again.',
  why: 'What the person took back must not steer the model, and a settled question must not be asked of nobody.',
  broken:
    'The text from before the edit is sent to the model again; after a restart the question that was closed is asked once more; a restored checkpoint leaves the files changed.',
  witnesses: ['model', 'screen'],
  sources: {
    reports: [52, 112, 201, 202, 204],
    acp: ['https://agentclientprotocol.com/protocol/session-setup#loading-sessions'],
  },
  atStake: (_history, facts) => {
    if (!takesBack(facts.header) && !REPLAYS.includes(facts.action)) {
      return 'nothing was rewound, resumed or replayed in this hand-off';
    }
    return !facts.keptLive || 'the client did not let the person rewind while the ask was open';
  },
  clauses: [
    {
      name: 'not-sent',
      expected:
        'no model turn of a new run carries what was taken back: the text of message A, or what came of it',
      judge: notSent,
    },
    {
      name: 'not-shown',
      expected: 'message A is no longer shown after the rewind',
      supporting: true,
      judge: (facts) => {
        const { end } = facts.supersession;
        if (takesBack(facts.header) !== 'message' || !end) return 'no message was taken back';
        const sights = sightsAfter(facts, end).filter(({ look }) => look.window === 'main');
        const wrong = sights.find(({ look }) => look.messages.includes('A'));
        const sight = wrong ?? sights.at(-1);
        if (!sight) return [unobserved('screen', 'nobody looked after the rewind')];
        const observed = `message A is ${wrong ? 'still' : 'not'} shown: ${sightInWords(sight)}`;
        return [(wrong ? violated : held)('screen', observed, sight.look)];
      },
    },
    {
      name: 'files',
      expected: 'a restored checkpoint takes back what the calls of message A did to the files',
      judge: filesRestored,
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

function notSent(facts: Facts): Opinion[] | string {
  const { begin } = facts.supersession;
  const back = takesBack(facts.header);
  if (!back || !begin) return 'nothing was rewound';
  const later = facts.turns.filter((turn) => surelyAfter(begin, turn));
  const since = `which was taken back at ${ms(begin)}`;
  for (const turn of later) {
    const name = `request ${turn.request} at ${ms(turn)} carries`;
    if (back === 'message' && turn.carries.includes('A'))
      return [violated('model', `${name} the text of message A, ${since}`, turn)];
    const call = turn.calls.find(({ role }) => facts.isOfA(role));
    // The old run that goes on asking carries it too: that is for late-events-fenced to say.
    if (call && !facts.isOldTurn(turn))
      return [violated('model', `${name} call ${call.role} of message A, ${since}`, turn)];
  }
  if (later.length === 0) return [unobserved('model', 'no model turn came after the rewind')];
  return [held('model', `none of ${later.length} later requests carries what was taken back`, later.at(-1))];
}

/** Effects that were there before the checkpoint was restored must be gone from the machine after it. */
function filesRestored(facts: Facts): Opinion[] | string {
  const { begin, end } = facts.supersession;
  if (facts.action !== 'checkpoint-restore' || !begin || !end) return 'no files were restored';
  const done = facts.all('world.effect').filter((one) => facts.isOfA(one.call) && surelyAfter(one, end));
  if (done.length === 0) return 'no call of message A had changed a file';
  const check = finalCheck(facts);
  if (!check) return [unobserved('world', 'the machine was not looked at after the delay')];
  return [...new Set(done.map(({ call }) => call))].map((call) => {
    const count = check.counts[call];
    const observed = `the effect of call ${call} is there ${count} times at ${ms(check)}, after the restore at ${ms(begin)}`;
    if (count === undefined)
      return unobserved('world', `call ${call} was not counted at ${ms(check)}`, check);
    return (count > 0 ? violated : held)('world', observed, check);
  });
}

function ghost(facts: Facts, ask: AskLife): Opinion[] {
  // A parked ask that comes back was never settled: that is for ask-settled and settled-ask-gone to say.
  if (facts.header.witnesses.engine && ask.settled.length === 0) return [];
  const over = overSince(ask);
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
