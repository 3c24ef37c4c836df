/**
 * The words of the field, once. Everything else in Handoff (scenario, judge, CLI, docs) takes them from here.
 * Order matters: it is the order in which tables list them.
 */

export const ACTIONS = [
  'approve',
  'deny',
  'edit',
  'retry',
  'checkpoint-restore',
  'stop',
  'new-session',
  'switch-session',
  'mode-change',
  'new-message',
  'queued-message',
  'reload',
  'restart',
  'peer',
  'sibling',
  'subagent',
  'timeout',
  'provider-error',
  'duplicate-answer',
  'stray-input',
] as const;
/** What ends, or should not end, the life of an open ask. `approve` and `deny` are controls: they supersede nothing. */
export type ActionName = (typeof ACTIONS)[number];

export const ASK_KINDS = ['command', 'edit', 'read', 'mcp', 'question', 'plan'] as const;
export type AskKind = (typeof ASK_KINDS)[number];

export const MOMENTS = [
  'ask-open',
  'call-streaming',
  'ask-arriving',
  'ask-overtaken',
  'second-of-two',
  'answer-in-flight',
  'tool-running',
  'result-in-flight',
] as const;
/** When the supersession lands, relative to the ask: `ask-arriving` just after it, `ask-overtaken` just before it. */
export type Moment = (typeof MOMENTS)[number];

export const AFTERMATHS = ['answer-new-ask', 'message-while-streaming', 'follow-up', 'watch'] as const;
/** What the person does next, after the supersession. */
export type Aftermath = (typeof AFTERMATHS)[number];

export const WIRES = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'] as const;
/** The protocol between the client and its model provider. */
export type Wire = (typeof WIRES)[number];

export const SURFACES = ['web', 'vscode', 'terminal', 'acp', 'http'] as const;
export type Surface = (typeof SURFACES)[number];

export const SETTLEMENTS = ['approved', 'denied', 'cancelled', 'expired', 'answered'] as const;
/** The terminal outcome of an ask. */
export type Settlement = (typeof SETTLEMENTS)[number];

export const WITNESSES = ['engine', 'world', 'model', 'screen'] as const;
/** An independent place of evidence. */
export type Witness = (typeof WITNESSES)[number];

export const TREATMENTS = ['settle', 'refuse', 'queue'] as const;
/**
 * The three legal ways to treat a superseding action while an ask is open:
 * settle the ask and go on; visibly refuse the action and keep the ask live; visibly queue the message and keep the ask live.
 */
export type Treatment = (typeof TREATMENTS)[number];

export const LEAVES = ['settled', 'open', 'either'] as const;
/** What an action may leave of an ask that was open: nothing, the ask as it was, or, legally, the one or the other. */
export type Leaves = (typeof LEAVES)[number];

/** The variant of an action that has only one, or whose others are special cases. It is not written in names. */
export const PLAIN_VARIANT = 'plain';

/** An action and its variant as they are written: `restart:sigkill`, and only `edit` for the plain variant. */
export const writeAction = (action: ActionName, variant: string): string =>
  variant === PLAIN_VARIANT ? action : `${action}:${variant}`;

export const VERDICTS = ['held', 'violated', 'unobserved', 'not-offered'] as const;
export type Verdict = (typeof VERDICTS)[number];
