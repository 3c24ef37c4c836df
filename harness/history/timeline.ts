import type { HandoffEvent, History, ScreenState } from './events.ts';
import { writeAction } from './vocabulary.ts';

/** What the timeline needs of a verdict, so that it knows no contract. */
export interface Mark {
  verdict: string;
  observed: string;
  /** `seq` of the event that decided it. */
  at?: number;
}

/**
 * The history as text, one line per event: time, lane, words. An event that decided a violation is marked, with the names
 * of the requirements, and each violation is told below it.
 *
 * @param verdicts verdicts by requirement, where there are any
 */
export function timelineOf(history: History, verdicts: Record<string, Mark> = {}): string {
  const { header, events } = history;
  const violations = Object.entries(verdicts).filter(([, mark]) => mark.verdict === 'violated');
  const lines = [...events]
    .sort((a, b) => a.t - b.t || a.seq - b.seq)
    .flatMap((event) => {
      const blamed = violations.filter(([, mark]) => mark.at === event.seq);
      const line = `${blamed.length > 0 ? '>>' : '  '} ${timeOf(event)}  ${laneOf(event).padEnd(8)} ${inWords(event)}`;
      return [line, ...blamed.map(([slug, mark]) => `${' '.repeat(24)}^ ${slug}: ${mark.observed}`)];
    });
  const without = violations.filter(([, mark]) => !events.some((event) => event.seq === mark.at));
  return [
    `${header.id}${header.fault ? ` with the fault ${header.fault}` : ''}`,
    `${header.client} ${header.version}, ${header.surface}, treats ${writeAction(header.action, header.variant)} as: ${header.treatment}; times in ms`,
    '',
    ...lines,
    ...without.map(([slug, mark]) => `>> ${slug}: ${mark.observed}`),
    '',
  ].join('\n');
}

const timeOf = ({ t, since }: HandoffEvent): string =>
  t.toFixed(1).padStart(9) + (since === undefined || since === t ? ' ' : '~');

const laneOf = (event: HandoffEvent): string =>
  event.type === 'end' ? 'harness' : (event.type.split('.')[0] ?? '');

/** An outcome or detail in brackets, when there is one. */
const and = (...parts: (string | undefined)[]): string => {
  const said = parts.filter((part) => part !== undefined && part !== '');
  return said.length > 0 ? ` (${said.join(', ')})` : '';
};

const of = (call: string | undefined, ask?: string): string =>
  call ?? (ask ? `of no scripted call, ${ask}` : 'of no scripted call');

function inWords(event: HandoffEvent): string {
  switch (event.type) {
    case 'person.submit':
      return event.phase === 'begin'
        ? `sends message ${event.message}`
        : `message ${event.message} is given${and(event.outcome, event.detail)}`;
    case 'person.supersede':
      return event.phase === 'begin'
        ? `begins: ${event.action}`
        : `has done: ${event.action}${and(event.outcome, event.detail)}`;
    case 'person.answer': {
      const what = `${event.intent} ${event.decision} of ask ${event.call} by ${event.route}`;
      return event.phase === 'begin' ? `presses: ${what}` : `${what}:${and(event.outcome, event.detail)}`;
    }
    case 'person.did':
      return event.what;
    case 'engine.ask-opened':
      return `ask ${of(event.call, event.ask)} opened${and(event.kind, event.ask)}`;
    case 'engine.ask-settled':
      return `ask ${of(event.call, event.ask)} settled: ${event.outcome}${and(event.by && `by the ${event.by}`, event.reason)}`;
    case 'engine.pending':
      return `pending asks: ${event.asks.map((ask) => ask.call ?? ask.ask).join(', ') || 'none'}`;
    case 'engine.answer-refused':
      return `answer to ask ${of(event.call, event.ask)} refused${and(event.reason)}`;
    case 'engine.run-started':
    case 'engine.run-ended':
      return `run ${event.run} ${event.type === 'engine.run-started' ? 'started' : 'ended'}${and(event.message && `message ${event.message}`, event.reason)}`;
    case 'engine.tool-started':
    case 'engine.tool-ended':
      return `tool of call ${of(event.call)} ${event.type === 'engine.tool-started' ? 'started' : 'ended'}${and(event.outcome)}`;
    case 'engine.decision':
      return `decision on call ${of(event.call)}: ${event.outcome}${and(event.source)}`;
    case 'engine.policy-changed':
      return `the policy is now: ${event.policy}`;
    case 'world.started':
      return `tool of call ${event.call} is at work`;
    case 'world.effect':
      return `effect of call ${event.call}, seen ${event.count} times by now`;
    case 'world.checked':
      return `looked at${event.final ? ' after the delay' : ''}: ${countsOf(event.counts)}`;
    case 'model.request': {
      const calls = event.calls.map(
        (call) =>
          `${call.role ?? call.id}: ${call.results === 1 ? (call.told ?? 'other') : `${call.results} results`}`,
      );
      const carries = event.carries.length > 0 ? `carries messages ${event.carries.join(', ')}` : undefined;
      return `request ${event.request} (${event.kind}) for ${event.message ? `message ${event.message}` : 'no marked message'}${and(carries, ...calls)}`;
    }
    case 'model.unscripted':
      return `request ${event.request} was not scripted: ${event.shape}`;
    case 'model.sent':
      return `request ${event.request}: ${event.what}${and(event.call && `call ${event.call}`, event.gate && `gate ${event.gate}`)}`;
    case 'model.ended':
      return `request ${event.request} ended by ${event.by}`;
    case 'screen.state':
      return screenInWords(event);
    case 'harness.step':
      return `---- ${event.step} ----`;
    case 'harness.observed':
      return `message ${event.message}: ${event.outcome}; waited for ${event.waitedFor}${and(event.quiet ? `${event.quiet} ms quiet` : undefined)}`;
    case 'harness.note':
      return event.text;
    case 'end':
      return `end: ${event.reason}${and(event.detail)}`;
  }
}

const countsOf = (counts: Partial<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([call, count]) => `${call} ${count}`)
    .join(', ') || 'nothing counted';

function screenInWords({ window, phase, input, asks, rows, badge, notices, messages }: ScreenState): string {
  const parts = [`${window}: ${phase}, input ${input}`];
  for (const ask of asks) parts.push(`ask ${ask.call ?? '?'} [${ask.controls.join(' | ')}]`);
  for (const row of rows) parts.push(`row ${row.call ?? '?'} ${row.outcome}`);
  if (badge !== undefined) parts.push(`badge ${badge}`);
  if (messages.length > 0) parts.push(`messages ${messages.join(', ')}`);
  for (const notice of notices) parts.push(`notice "${notice}"`);
  return parts.join('; ').replaceAll(/\s*[\r\n]+\s*/g, ' ');
}
