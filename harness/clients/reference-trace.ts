import type { CallRole, EventBody } from '../history/events.ts';
import type { Roles } from '../history/roles.ts';
import { ASK_KINDS, SETTLEMENTS } from '../history/vocabulary.ts';

/** A line of the reference agent's `trace.jsonl`. */
export interface TraceLine {
  /** Epoch milliseconds. */
  at: number;
  type: string;
  run?: string;
  ask?: string;
  kind?: string;
  args?: string;
  text?: string;
  call?: string;
  outcome?: string;
  reason?: string;
  by?: 'person' | 'system';
}

/**
 * Makes a reader that turns the trace of one hand-off into engine evidence. It remembers which ask and which provider's
 * call belongs to which scripted call, because later lines name only the ids.
 */
export function traceReader(roles: Roles): (line: TraceLine) => EventBody | undefined {
  const callOf = new Map<string, CallRole>();
  const role = (line: TraceLine) => {
    const found = line.args ? roles.callIn(line.args) : undefined;
    for (const id of [line.ask, line.call]) if (id && found) callOf.set(id, found);
    const call = found ?? callOf.get(line.ask ?? '') ?? callOf.get(line.call ?? '');
    return call ? { call } : {};
  };
  return (line) => {
    const attribution = role(line);
    const ask = line.ask ?? '';
    switch (line.type) {
      case 'ask-opened':
        return {
          type: 'engine.ask-opened',
          ask,
          ...attribution,
          ...kindOf(line),
          ...(line.run ? { run: line.run } : {}),
        };
      case 'ask-settled':
        return {
          type: 'engine.ask-settled',
          ask,
          ...attribution,
          outcome: SETTLEMENTS.find((known) => known === line.outcome) ?? 'cancelled',
          ...(line.reason ? { reason: line.reason } : {}),
          ...(line.by ? { by: line.by } : {}),
        };
      case 'answer-refused':
        return { type: 'engine.answer-refused', ask, ...attribution, reason: line.reason ?? '' };
      case 'run-started':
      case 'run-ended': {
        const message = roles.messagesIn(line.text ?? '').at(-1);
        return {
          type: `engine.${line.type}`,
          run: line.run ?? '',
          ...(message ? { message } : {}),
          ...(line.outcome || line.reason ? { reason: line.outcome ?? line.reason ?? '' } : {}),
        };
      }
      case 'policy-changed':
        return { type: 'engine.policy-changed', policy: line.text ?? line.reason ?? line.outcome ?? '' };
      case 'tool-started':
      case 'tool-ended':
        return {
          type: `engine.${line.type}`,
          ...attribution,
          ...(line.outcome ? { outcome: line.outcome } : {}),
        };
      default:
        return undefined;
    }
  };
}

function kindOf(line: TraceLine) {
  const kind = ASK_KINDS.find((known) => known === line.kind);
  return kind ? { kind } : {};
}
