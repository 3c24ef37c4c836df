import type { MessageRole } from '../../history/events.ts';
import { before, surelyAfter } from '../../history/intervals.ts';
import type { EventOf } from '../../history/recorder.ts';
import type { Facts } from '../facts.ts';
import { held, missing, ms, type Opinion, requirement, unobserved, violated } from '../opinion.ts';
import type { Submission } from '../person.ts';

/** The last time each message was given, unless the client visibly refused it while it was busy: that is its right. */
function delivered(facts: Facts): Submission[] {
  const last = new Map<MessageRole, Submission>();
  for (const submission of facts.submissions) {
    if (submission.message !== 'A') last.set(submission.message, submission);
  }
  return [...last.values()].filter(
    (one) => one.outcome !== 'refused' || facts.screens.inForce(one.begin.t)?.phase === 'idle',
  );
}

function answered(facts: Facts, { message, begin, outcome }: Submission): Opinion | undefined {
  if (outcome === 'refused')
    return violated('screen', `message ${message} was refused by an idle client`, begin);
  const request = facts.turns.findLast((turn) => turn.message === message);
  if (!request) {
    const observed = `message ${message} was sent at ${ms(begin)} and no model request ever carried it as its last`;
    return missing(facts, 'model', observed, begin);
  }
  const end = facts.endOf(request);
  const name = `request ${request.request} for message ${message}`;
  if (!end) return missing(facts, 'model', `${name} began at ${ms(request)} and never ended`, request);
  if (end.by === 'complete') return held('model', `${name} was answered to its end at ${ms(end)}`, end);
  const replaced = facts.submissions.some(
    (next) => next.message > message && before(next.begin, end) !== 'no',
  );
  if (end.by === 'client' && replaced) return undefined;
  if (end.by === 'client') return violated('model', `${name} was closed by the client at ${ms(end)}`, end);
  return unobserved('model', `${name} was cut by the model at ${ms(end)}`, end);
}

function usable(facts: Facts, event: EventOf<'harness.observed'>): Opinion | undefined {
  const { outcome, message, waitedFor, quiet } = event;
  if (outcome === 'streaming') return undefined;
  if (outcome === 'ask' || outcome === 'done') {
    return held('screen', `seen at ${ms(event)}: ${waitedFor}`, event);
  }
  const look = facts.screens.inForce(event.t);
  const shown = look ? `; the screen shows phase ${look.phase}, input ${look.input}` : '';
  const still = quiet ? `nothing moved for ${quiet} ms` : 'it never came';
  return violated('screen', `message ${message}: waited for ${waitedFor}; ${still}${shown}`, event);
}

export const newRunFree = requirement({
  slug: 'new-run-free',
  level: 'MUST',
  title: 'The next run is free',
  rule: 'After the supersession the input is enabled within a bound, no busy sign is on, and the next message reaches the model and is answered.',
  why: 'A run that nobody answers blocks the one after it: the person sees a client that thinks for ever.',
  broken:
    'The person edits the message and sends it; the client says Thinking and goes on saying so, or takes no further input.',
  witnesses: ['screen', 'model'],
  sources: {
    reports: [
      1, 2, 3, 4, 5, 9, 10, 18, 19, 35, 45, 54, 55, 56, 57, 58, 59, 61, 68, 69, 71, 74, 85, 91, 97, 104, 105,
      115, 116, 120, 127, 128, 138, 141, 152, 153, 154, 155, 157, 158, 159, 166, 173, 178, 179, 181, 183, 189,
      190, 192, 200, 208,
    ],
    acp: ['https://agentclientprotocol.com/protocol/prompt-turn#cancellation'],
  },
  atStake: (_history, facts) =>
    delivered(facts).length > 0 || facts.all('harness.observed').length > 0 || 'no message followed',
  clauses: [
    {
      name: 'answered',
      expected: 'each message that was sent reaches the model, and its request is answered to the end',
      combine: 'each',
      judge: (facts) => {
        const opinions = delivered(facts).flatMap((submission) => answered(facts, submission) ?? []);
        return opinions.length > 0 ? opinions : 'no message was left to be answered';
      },
    },
    {
      name: 'usable',
      expected: 'the client gets where each run should take it: an ask shown, or idle with its input enabled',
      combine: 'each',
      judge: (facts) => {
        const refused = new Set(
          facts.submissions.filter((s) => s.outcome === 'refused').map((s) => s.message),
        );
        for (const { message } of delivered(facts)) refused.delete(message);
        const opinions = facts
          .all('harness.observed')
          // The ask that everything begins with says nothing of what follows.
          .filter(
            (event) => !refused.has(event.message) && !(event.message === 'A' && event.outcome === 'ask'),
          )
          .flatMap((event) => usable(facts, event) ?? []);
        return opinions.length > 0 ? opinions : 'nothing was waited for on the screen';
      },
    },
    {
      name: 'at-rest',
      expected: 'at the end the input is enabled and no busy sign is on',
      judge: (facts) => {
        const begin = facts.supersession.begin;
        const last = facts.end && facts.screens.inForce(facts.end.t);
        if (!last || (begin && !surelyAfter(begin, last) && facts.screens.main.length < 2)) {
          return [unobserved('screen', 'the main window was not seen after the supersession')];
        }
        const observed = `the main window ends in phase ${last.phase} with its input ${last.input}, since ${ms(last)}`;
        const rests = last.input === 'enabled' && (last.phase === 'idle' || last.phase === 'error');
        return [rests ? held('screen', observed, last) : missing(facts, 'screen', observed, last)];
      },
    },
  ],
});
