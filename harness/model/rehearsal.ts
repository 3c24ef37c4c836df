import type { EventBody } from '../history/events.ts';
import { rolesOf } from '../history/roles.ts';
import type { Part } from './script.ts';
import { type ScriptedModel, type ScriptedModelOptions, startScriptedModel } from './scripted-model.ts';

/** A scripted model with fixed tokens and its journal, for the tests of this folder. */
export interface Rehearsal {
  model: ScriptedModel;
  journal: EventBody[];
  of<K extends EventBody['type']>(type: K): (EventBody & { type: K })[];
  close(): Promise<void>;
}

/** Tokens and markers as a hand-off would have them. */
export const CALLS = { A: 'canary-a-11aa22bb', A2: 'canary-a2-11aa22bb', B: 'canary-b-11aa22bb' } as const;
export const SAY = {
  A: 'Please run the first check (task-a-11aa22bb).',
  B: 'Please run the second check (task-b-11aa22bb).',
} as const;

export const roles = rolesOf({
  calls: {
    A: { token: CALLS.A, message: 'A', ask: 'command' },
    A2: { token: CALLS.A2, message: 'A', ask: 'command' },
    B: { token: CALLS.B, message: 'B', ask: 'command' },
  },
  messages: { A: { marker: 'task-a-11aa22bb' }, B: { marker: 'task-b-11aa22bb' } },
});

/** The command of a call, as a workspace would give it. */
export const commandOf = (call: keyof typeof CALLS): string => `sh canary.sh ${CALLS[call]}`;

/** A scripted call of a command. */
export const callPart = (call: keyof typeof CALLS, gate?: string): Part => ({
  call,
  kind: 'command',
  input: { token: CALLS[call], command: commandOf(call) },
  ...(gate ? { gate } : {}),
});

/** A tool as clients offer it, as JSON Schema. */
export const SHELL = {
  name: 'run_shell_command',
  description: 'Runs a command.',
  schema: {
    type: 'object',
    properties: { command: { type: 'string' }, is_background: { type: 'boolean' } },
    required: ['command', 'is_background'],
  },
} as const;

/** Starts a scripted model whose journal is kept in memory. */
export async function rehearse(options: Partial<ScriptedModelOptions> = {}): Promise<Rehearsal> {
  const journal: EventBody[] = [];
  const model = await startScriptedModel({ roles, record: (body) => journal.push(body), ...options });
  return {
    model,
    journal,
    of: <K extends EventBody['type']>(type: K) =>
      journal.filter((body): body is EventBody & { type: K } => body.type === type),
    close: () => model.close(),
  };
}
