import type { ConversationCall, HandoffEvent } from '../history/events.ts';
import { before, type Order, surelyAfter } from '../history/intervals.ts';
import type { EventOf } from '../history/recorder.ts';
import { type AskLife, approves, ends, type Facts } from './facts.ts';
import { held, missing, ms, type Opinion, unobserved, violated } from './opinion.ts';

/** A model turn that carries a call. */
export interface Told {
  request: EventOf<'model.request'>;
  call: ConversationCall;
}

/** Every model turn that carries the call of an ask, in the order of arrival. */
export function toldOf(facts: Facts, ask: Pick<AskLife, 'call'>): Told[] {
  return facts.turns.flatMap((request) =>
    request.calls.filter((call) => call.role === ask.call).map((call) => ({ request, call })),
  );
}

/** What a model turn says of a call, for a sentence. */
export const toldInWords = ({ request, call }: Told): string =>
  `request ${request.request} at ${ms(request)} tells the model of call ${call.role}: ` +
  (call.results === 0 ? 'nothing, the call has no result' : `${call.told ?? 'other'}${quote(call.text)}`);

const quote = (text: string | undefined): string => (text ? ` ("${text.slice(0, 80)}")` : '');

/** A settlement, for a sentence. */
export const settledInWords = (settlement: EventOf<'engine.ask-settled'>): string =>
  `${settlement.outcome}${settlement.by ? ` by the ${settlement.by}` : ''} at ${ms(settlement)}` +
  (settlement.reason ? ` ("${settlement.reason}")` : '');

/** Whether a call is told in a way that fits an ask that was not approved. */
const toldOver = (told: Told, question: boolean): boolean =>
  told.call.results > 0 &&
  (told.call.told === 'denied' || told.call.told === 'error' || (question && told.call.told === 'answered'));

/** What the engine says of the end of an ask that nobody approved. */
export function engineOnEnd(facts: Facts, ask: AskLife): Opinion[] {
  if (!facts.header.witnesses.engine) return [];
  const first = ask.settled[0];
  const late = first && settledLate(facts, ask, first);
  if (first && late) {
    const observed = `ask ${ask.call} was still open after the supersession, until ${late} settled it: ${settledInWords(first)}`;
    return [violated('engine', observed, first)];
  }
  if (first && approves(first.outcome)) {
    return [violated('engine', `ask ${ask.call} was settled ${settledInWords(first)}`, first)];
  }
  if (first && !ends(first.outcome, ask.question)) {
    const observed = `ask ${ask.call} was settled ${settledInWords(first)}, which ends no approval`;
    return [violated('engine', observed, first)];
  }
  const last = lastList(ask);
  if (last?.holds) {
    return [violated('engine', `ask ${ask.call} is still pending at ${ms(last.event)}`, last.event)];
  }
  if (first) return [held('engine', `ask ${ask.call} was settled ${settledInWords(first)}`, first)];
  const decision = ask.decisions[0];
  if (decision) {
    const observed = `${decision.source} has call ${ask.call} as ${decision.outcome} at ${ms(decision)}`;
    return [(ends(decision.outcome, ask.question) ? held : violated)('engine', observed, decision)];
  }
  const opened = ask.opened.at(-1);
  if (!opened) return [unobserved('engine', `the engine reported nothing of ask ${ask.call}`)];
  const toldOnce = toldOf(facts, ask).some((told) => toldOver(told, ask.question));
  if (last && toldOnce) {
    const observed = `ask ${ask.call} left the list of pending asks by ${ms(last.event)}, without a recorded outcome`;
    return [unobserved('engine', observed, last.event)];
  }
  const observed = `ask ${ask.call} was opened at ${ms(opened)} and no outcome of it was recorded till the end`;
  return [missing(facts, 'engine', observed, opened)];
}

/**
 * What the person did later that settled a superseded ask: then it was the ask's own end that was late, whatever the outcome
 * says. In words, or `undefined` when the supersession itself may have settled it.
 */
function settledLate(
  facts: Facts,
  ask: AskLife,
  settlement: EventOf<'engine.ask-settled'>,
): string | undefined {
  if (ask.death?.how !== 'superseded' || settlement.by !== 'person') return undefined;
  const from = { b: ask.settledSince(settlement) };
  if (before(ask.death.end, settlement, from) !== 'yes') return undefined;
  const stimulus = facts.stimulusOf(settlement);
  if (!stimulus || before(ask.death.end, stimulus) !== 'yes') return undefined;
  if (stimulus.type === 'person.answer') return `a late answer to ask ${stimulus.call}`;
  if (stimulus.type === 'person.submit') return `message ${stimulus.message}`;
  return 'another act';
}

/** The last list of pending asks that was taken after the act that should have ended the ask. */
const lastList = ({ pending, death }: AskLife) =>
  pending.findLast(({ event }) => !death || surelyAfter(death.begin, event));

/** What the model's side says of the end of an ask that nobody approved: what it was told after the act. */
export function modelOnEnd(facts: Facts, ask: AskLife): Opinion[] {
  const since = ask.death?.begin;
  const told = toldOf(facts, ask).find(({ request }) => !since || surelyAfter(since, request));
  if (!told) return [unobserved('model', `no later request carries call ${ask.call}`)];
  if (toldOver(told, ask.question)) return [held('model', toldInWords(told), told.request)];
  if (told.call.results > 0 || facts.header.witnesses.engine) {
    return [unobserved('model', toldInWords(told), told.request)];
  }
  return [violated('model', toldInWords(told), told.request)];
}

/** Whether the ask's end came before an event; `undefined` when the engine recorded none. */
export function endedBefore(ask: AskLife, event: EventOf<'model.request'>) {
  const first = ask.settled[0];
  return first && before(first, event, { a: ask.settledSince(first) });
}

/** The effect of a call: what it did to the machine, or what it let the model know. */
export interface Effect {
  effect: EventOf<'world.effect'> | EventOf<'model.request'>;
  witness: 'world' | 'model';
  /** How often it is there by then. */
  count: number;
  /** Whether it followed a live approval of its own call. */
  approved: Order;
}

/**
 * Effects of a call, each with whether it was allowed. A read changes nothing on the machine: its effect is that the model
 * is told what the file holds.
 */
export function effectsOf(facts: Facts, call: AskLife['call']): Effect[] {
  const grants = facts.grants(call);
  const allowed = (effect: HandoffEvent): Order => {
    const orders = grants.map((grant) => before(grant, effect));
    return orders.includes('yes') ? 'yes' : orders.includes('unknown') ? 'unknown' : 'no';
  };
  const effects: Effect[] = facts
    .all('world.effect')
    .filter((effect) => effect.call === call)
    .map((effect) => ({ effect, witness: 'world', count: effect.count, approved: allowed(effect) }));
  const told = facts.ask(call).kind === 'read' ? toldOf(facts, { call }) : [];
  const first = told.find((one) => one.call.told === 'ran')?.request;
  if (first) effects.push({ effect: first, witness: 'model', count: 1, approved: allowed(first) });
  return effects;
}

/** An effect, for a sentence. */
export const effectInWords = (call: AskLife['call'], { effect, witness }: Effect): string =>
  witness === 'world'
    ? `the effect of call ${call} came at ${ms(effect)}`
    : `the content that call ${call} reads was told to the model at ${ms(effect)}`;

/**
 * That nothing happened, which is only known by looking: the look at the machine, and for reads the model's journal, which
 * holds every request till the end.
 *
 * @param check the look that decides, if there was one
 * @param words what was not seen
 */
export function absence(
  facts: Facts,
  check: EventOf<'world.checked'> | undefined,
  words: { none: string; notLooked: string },
): Opinion[] {
  const opinions = [
    check
      ? held('world', `${words.none} by ${ms(check)}`, check)
      : unobserved('world', `the machine was not looked at ${words.notLooked}`),
  ];
  const reads = Object.values(facts.header.calls).some((call) => call.ask === 'read');
  if (check && reads && facts.turns.length > 0) {
    opinions.push(held('model', 'no request tells what an unapproved read would have found', facts.end));
  }
  return opinions;
}

/** The last look at the machine, after the delay; with the counts of that moment. */
export const finalCheck = (facts: Facts) => facts.all('world.checked').findLast((check) => check.final);
