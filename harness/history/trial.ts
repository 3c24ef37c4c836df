import { randomBytes } from 'node:crypto';
import type { CallRole, Header, MessageRole } from './events.ts';
import { HISTORY_VERSION } from './events.ts';
import {
  type ActionName,
  type Aftermath,
  type AskKind,
  type Moment,
  PLAIN_VARIANT,
  type Wire,
  writeAction,
} from './vocabulary.ts';

/** One hand-off to try: client x supersession x ask kind x moment x aftermath x model wire. */
export interface Trial {
  client: string;
  action: ActionName;
  /** Which of the action's variants; `plain` when there is only one. */
  variant: string;
  ask: AskKind;
  moment: Moment;
  aftermath: Aftermath;
  wire: Wire;
  fault?: string;
}

/** Stable name of a trial; it is also the folder of its evidence. */
export const trialId = (trial: Trial): string =>
  [
    trial.client,
    writeAction(trial.action, trial.variant),
    trial.ask,
    trial.moment,
    trial.aftermath,
    trial.wire,
  ]
    .concat(trial.fault ? [trial.fault] : [])
    .join('/');

const PLAIN: Omit<Trial, 'client' | 'action'> = {
  variant: PLAIN_VARIANT,
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
  about: Pick<Header, 'surface' | 'treatment'> &
    Partial<Pick<Header, 'version' | 'witnesses' | 'leaves'>> & {
      /** Calls of A's turn beside A, and messages beside A, B, C, where the trial has them. */
      calls?: readonly CallRole[];
      messages?: readonly MessageRole[];
    },
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
    variant: full.variant,
    ask: full.ask,
    moment: full.moment,
    aftermath: full.aftermath,
    wire: full.wire,
    ...(full.fault ? { fault: full.fault } : {}),
    treatment: about.treatment,
    leaves: about.leaves ?? 'settled',
    calls: Object.assign(
      { ...call('A', 'A'), ...call('B', 'B'), ...call('C', 'C') },
      ...(about.calls ?? []).map((role) => call(role, 'A')),
    ),
    messages: Object.assign(
      { ...message('A'), ...message('B'), ...message('C') },
      ...(about.messages ?? []).map((role) => message(role)),
    ),
    witnesses: about.witnesses ?? { engine: true, world: true, model: true, screen: true },
    startedAt: new Date().toISOString(),
  };
}
