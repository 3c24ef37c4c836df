import { randomBytes } from 'node:crypto';
import type { CallRole, Header, MessageRole } from './events.ts';
import { HISTORY_VERSION } from './events.ts';
import type { ActionName, Aftermath, AskKind, Moment, Wire } from './vocabulary.ts';

/** One hand-off to try: client x supersession x ask kind x moment x aftermath x model wire. */
export interface Trial {
  client: string;
  action: ActionName;
  ask: AskKind;
  moment: Moment;
  aftermath: Aftermath;
  wire: Wire;
  fault?: string;
}

/** Stable name of a trial; it is also the folder of its evidence. */
export const trialId = (trial: Trial): string =>
  [trial.client, trial.action, trial.ask, trial.moment, trial.aftermath, trial.wire]
    .concat(trial.fault ? [trial.fault] : [])
    .join('/');

const PLAIN: Omit<Trial, 'client' | 'action'> = {
  ask: 'command',
  moment: 'ask-open',
  aftermath: 'answer-new-ask',
  wire: 'openai-chat',
};

/**
 * The header of a trial's history, with fresh tokens. Tokens differ between runs so that nothing left over from
 * another hand-off can be taken for evidence of this one.
 *
 * @param about what is known of the client before it starts
 */
export function headerOf(
  trial: Partial<Trial> & Pick<Trial, 'client' | 'action'>,
  about: Pick<Header, 'surface' | 'treatment'> & Partial<Pick<Header, 'version' | 'witnesses'>>,
): Header {
  const full: Trial = { ...PLAIN, ...trial };
  const nonce = randomBytes(4).toString('hex');
  const call = (role: CallRole, message: MessageRole) => ({
    [role]: { token: `canary-${role.toLowerCase()}-${nonce}`, message, ask: full.ask },
  });
  const message = (role: MessageRole) => ({ [role]: { marker: `task-${role.toLowerCase()}-${nonce}` } });
  return {
    type: 'handoff',
    schema: HISTORY_VERSION,
    id: trialId(full),
    client: full.client,
    version: about.version ?? 'unknown',
    surface: about.surface,
    action: full.action,
    ask: full.ask,
    moment: full.moment,
    aftermath: full.aftermath,
    wire: full.wire,
    ...(full.fault ? { fault: full.fault } : {}),
    treatment: about.treatment,
    calls: { ...call('A', 'A'), ...call('B', 'B'), ...call('C', 'C') },
    messages: { ...message('A'), ...message('B'), ...message('C') },
    witnesses: about.witnesses ?? { engine: true, world: true, model: true, screen: true },
    startedAt: new Date().toISOString(),
  };
}
