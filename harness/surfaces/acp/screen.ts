import type { ScreenState } from '../../history/events.ts';
import type { Roles } from '../../history/roles.ts';
import { type Ask, type Run, shownAsk } from './asks.ts';
import { rowOf, type ToolCall } from './tool-calls.ts';

/** What there is to see in the session that the person looks at. */
export interface Visible {
  /** Asks that wait for an answer. */
  asks: Ask[];
  runs: Run[];
  calls: ToolCall[];
  /** Texts of the prompts sent, in order. */
  prompts: string[];
  notices: string[];
  /** The agent cannot be used any more. */
  gone: boolean;
}

/**
 * The screen of an editor that follows the protocol. A run that failed leaves a client that can be used, with a notice: the
 * phase is `error` only when there is no agent any more.
 */
export function screenOf(visible: Visible, roles: Roles): ScreenState {
  const { asks, gone } = visible;
  const busy = visible.runs.some((run) => !run.ended);
  return {
    type: 'screen.state',
    window: 'main',
    phase: gone ? 'error' : asks.length > 0 ? 'awaiting' : busy ? 'thinking' : 'idle',
    // Nothing in the protocol keeps an editor from sending a prompt while another is being answered.
    input: gone ? 'disabled' : 'enabled',
    asks: asks.map(shownAsk),
    rows: visible.calls.map((call) => {
      const waits = asks.some((ask) => ask.tool === call);
      return rowOf(call, waits);
    }),
    notices: [...visible.notices],
    messages: visible.prompts.flatMap((text) => roles.messagesIn(text)),
  };
}
