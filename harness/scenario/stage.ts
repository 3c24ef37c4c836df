import type { Client, Driver } from '../clients/define.ts';
import type { CallRole, Header, MessageRole } from '../history/events.ts';
import type { Recorder } from '../history/recorder.ts';
import type { Trial } from '../history/trial.ts';
import type { Part, ScriptedModel, Turn } from '../model/script.ts';
import type { World } from '../world/world.ts';
import type { Variant } from './actions/action.ts';

/** Everything that a step of a hand-off works with. */
export interface Stage {
  trial: Trial;
  /** How the trial's action is done. */
  variant: Variant;
  client: Client;
  header: Header;
  driver: Driver;
  model: ScriptedModel;
  world: World;
  recorder: Recorder;
  limits: Limits;
}

/** Limits of one hand-off, ms. */
export interface Limits {
  ready: number;
  /** Without any event for this long, and with nothing in flight at the model, a busy client counts as stuck. */
  quiet: number;
  /** Behind quiescence stands this limit on each single wait. */
  wait: number;
}

/** The default limits, overridden by a client's profile. */
export function limitsOf(client: Client): Limits {
  return {
    ready: client.limits?.ready ?? 30_000,
    quiet: client.limits?.quiet ?? 1_500,
    wait: client.limits?.handoff ?? 60_000,
  };
}

/** The text of a message: what a person might write, and its marker. */
export function messageText(header: Header, role: MessageRole): string {
  const marker = header.messages[role]?.marker ?? '';
  const asks: Record<MessageRole, string> = {
    A: `Please run the first check (${marker}).`,
    B: `Please run the second check instead (${marker}).`,
    C: `And now tell me how it went (${marker}).`,
    D: `One more thing (${marker}).`,
  };
  return asks[role];
}

/** A model turn that calls the tools of these roles together. `gate` holds the last of the calls in its middle. */
export function callsTurn(
  { header, world }: Pick<Stage, 'header' | 'world'>,
  calls: readonly CallRole[],
  gate?: string,
): Turn {
  return {
    parts: [
      { text: `I will run check ${calls.join(' and ')}.` },
      ...calls.map((call, at): Part => {
        const kind = header.calls[call]?.ask;
        if (!kind) throw new Error(`the hand-off ${header.id} has no call ${call}`);
        const held = gate && at === calls.length - 1 ? { gate } : {};
        return { call, kind, input: world.input(call), ...held };
      }),
    ],
  };
}

/** A model turn that calls the tool of this role. */
export const callTurn = (stage: Pick<Stage, 'header' | 'world'>, call: CallRole, gate?: string): Turn =>
  callsTurn(stage, [call], gate);

/** A model turn that only says something. */
export const textTurn = (text: string, options: { optional?: boolean } = {}): Turn => ({
  parts: [{ text }],
  ...options,
});
