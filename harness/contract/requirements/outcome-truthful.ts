import type { ScreenRow } from '../../history/events.ts';
import { surelyAfter } from '../../history/intervals.ts';
import type { EventOf } from '../../history/recorder.ts';
import {
  effectInWords,
  effectsOf,
  finalCheck,
  settledInWords,
  type Told,
  toldInWords,
  toldOf,
} from '../evidence.ts';
import { type AskLife, approves, ends, type Facts } from '../facts.ts';
import { held, missing, ms, type Opinion, requirement, unobserved, violated } from '../opinion.ts';

/** What became of a call, as far as it is known for sure. */
interface Truth {
  /** `over`: it never ran, or was ended before it was done; `answered`: a question that got its answer. */
  is: 'ran' | 'over' | 'answered';
  words: string;
}

/** The engine's own outcome first; where it recorded none, whether the effect is there. */
function truthOf(facts: Facts, ask: AskLife): Truth | undefined {
  const first = ask.settled[0];
  const settled = first && `the engine settled ask ${ask.call} ${settledInWords(first)}`;
  if (first && settled && ends(first.outcome, false)) return { is: 'over', words: settled };
  if (first && settled && ask.question) return { is: 'answered', words: settled };
  const last = effectsOf(facts, ask.call).at(-1);
  if (last) return { is: 'ran', words: effectInWords(ask.call, last) };
  // Opened and never settled: there is no outcome yet that anybody could tell the truth about.
  if (ask.opened.length > 0 && !first) return undefined;
  const check = finalCheck(facts);
  const leavesTrace = ask.kind === 'command' || ask.kind === 'edit' || ask.kind === 'mcp';
  if (!check || !ask.death || !leavesTrace) return undefined;
  // An approved tool without an effect may have failed, unless it was ended while it was at work.
  const cutShort = facts.header.moment === 'tool-running' && facts.endsRun && ask.call === 'A';
  if (first && approves(first.outcome) && !cutShort) return undefined;
  return { is: 'over', words: `the effect of call ${ask.call} is absent at ${ms(check)}` };
}

function rowFits({ outcome }: ScreenRow, { is }: Truth): boolean | undefined {
  if (outcome === 'unknown') return undefined;
  if (is === 'over') return outcome === 'denied' || outcome === 'failed';
  return outcome === 'ran' || (is === 'ran' && outcome === 'failed');
}

function onScreen(facts: Facts, ask: AskLife): Opinion[] {
  const last = facts.screens.main.at(-1);
  const row = last?.rows.findLast((one) => one.call === ask.call);
  const truth = truthOf(facts, ask);
  if (!last || !row || !truth) return [];
  const fits = rowFits(row, truth);
  const observed = `${truth.words}; the row says ${row.outcome} ("${row.text.slice(0, 60)}") at the end, since ${ms(last)}`;
  if (fits === undefined) return [unobserved('screen', observed, last)];
  return [fits ? held('screen', observed, last) : missing(facts, 'screen', observed, last)];
}

function atModel(facts: Facts, ask: AskLife): Opinion[] {
  const truth = truthOf(facts, ask);
  const told = toldOf(facts, ask).filter(({ call }) => call.results > 0);
  if (!truth || told.length === 0) return [];
  const lie = told.find((one) => !toldFits(one, truth));
  const one = lie ?? (told.at(-1) as Told);
  const observed = `${truth.words}; ${toldInWords(one)}`;
  return [(lie ? violated : held)('model', observed, one.request)];
}

/** An error is no lie about a call that never ran, and a result that cannot be read is none about one that ran. */
function toldFits({ call: { told } }: Told, { is }: Truth): boolean {
  if (is === 'over') return told === 'denied' || told === 'error' || told === 'answered';
  return told !== 'denied' && !(is === 'answered' && told === 'error');
}

/** After the person's own no, the run may go on: then the model must know. */
function denialTold(facts: Facts, ask: AskLife): Opinion[] {
  const death = ask.death;
  if (death?.how !== 'answered' || death.decision !== 'deny') return [];
  const message = facts.header.calls[ask.call]?.message;
  const next = facts.turns.find((turn) => turn.message === message && surelyAfter(death.begin, turn));
  // A retry is a new run, from which the call was taken back.
  if (!next || (message === 'A' && !facts.isOldTurn(next))) return [];
  const told = toldOf(facts, ask).find(({ request }) => request === next);
  if (!told) {
    const observed = `request ${next.request} at ${ms(next)} goes on after the denial without call ${ask.call}`;
    return [violated('model', observed, next)];
  }
  const fits = told.call.results > 0 && (told.call.told === 'denied' || told.call.told === 'error');
  return [(fits ? held : violated)('model', toldInWords(told), next)];
}

const reasonOf = (settlement: EventOf<'engine.ask-settled'>): Opinion => {
  const observed = `ask settled ${settledInWords(settlement)}`;
  if (settlement.reason) return held('engine', observed, settlement);
  // An absent reason may be one that the surface does not carry; an empty one was recorded as such.
  const say = settlement.reason === '' ? violated : unobserved;
  return say('engine', `${observed}, without a reason`, settlement);
};

const each = (facts: Facts, judge: (facts: Facts, ask: AskLife) => Opinion[], none: string) => {
  const opinions = facts.asks.flatMap((ask) => judge(facts, ask));
  return opinions.length > 0 ? opinions : none;
};

export const outcomeTruthful = requirement({
  slug: 'outcome-truthful',
  level: 'MUST',
  title: 'The outcome is told truthfully',
  rule: 'Engine, screen and what the model is told agree: denied is not approved, never-ran is not shown as ran, the reason travels with the denial.',
  why: 'A person who reads "ran" and a model that is told "ran" both go on from something that did not happen.',
  broken:
    'The row says the command ran although it was denied; the model is told that it ran, or is told nothing of the denial.',
  witnesses: ['engine', 'model', 'screen', 'world'],
  sources: {
    reports: [
      2, 22, 28, 46, 47, 62, 64, 70, 80, 81, 84, 86, 100, 111, 114, 120, 121, 126, 130, 143, 154, 157, 180,
      189, 199, 205, 206, 207,
    ],
    acp: ['https://agentclientprotocol.com/protocol/tool-calls#status'],
    agui: ['https://docs.ag-ui.com/spec/1.0/basic/patterns/interrupt-resume'],
  },
  atStake: (_history, facts) => facts.asks.length > 0 || 'no ask was ever open',
  clauses: [
    {
      name: 'screen',
      expected: 'the row of each call says what became of it',
      combine: 'each',
      judge: (facts) => each(facts, onScreen, 'no row is left that tells of a settled call'),
    },
    {
      name: 'model',
      expected: 'the model is told what became of each call',
      combine: 'each',
      judge: (facts) => each(facts, atModel, 'no later request tells the model of a settled call'),
    },
    {
      name: 'denial',
      expected: 'a run that goes on after a denial tells the model of it',
      judge: (facts) => each(facts, denialTold, 'no run went on after a denial by the person'),
    },
    {
      name: 'reason',
      expected: 'a settlement by the client itself carries its reason',
      supporting: true,
      judge: (facts) => {
        const own = facts.asks.flatMap((ask) => ask.settled.filter((one) => one.by === 'system'));
        return own.length > 0 ? own.map(reasonOf) : 'the client settled nothing by itself';
      },
    },
  ],
});
