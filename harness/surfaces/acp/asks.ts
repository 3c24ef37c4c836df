import type { JsonRpcId, PermissionOption } from '@agentclientprotocol/sdk';
import type { EngineAskOpened, EngineAskSettled, MessageRole, ScreenAsk } from '../../history/events.ts';
import { type ToolCall, textOfCall } from './tool-calls.ts';

/** One `session/prompt`: a run of the agent. */
export interface Run {
  /** Name in the history. */
  id: string;
  /** JSON-RPC id of the prompt. */
  request: JsonRpcId;
  session: string;
  message?: MessageRole;
  /** Wall-clock ms at which the prompt was sent. */
  startedAt: number;
  ended: boolean;
}

/** One `session/request_permission`. */
export interface Ask {
  /** Its JSON-RPC id. */
  request: JsonRpcId;
  session: string;
  tool: ToolCall;
  options: PermissionOption[];
  run?: Run;
  openedAt: number;
  /**
   * `open`: neither answered nor withdrawn, so the person sees it; `cancelling`: we answered `cancelled` and the agent has not
   * yet shown that it took it; `closed`: over.
   */
  state: 'open' | 'cancelling' | 'closed';
}

/** The name by which the history knows an ask: the agent's own request id. */
export const nameOf = (ask: Ask): string => String(ask.request);

/** The option that stands for a decision: once rather than always, so that no answer reaches further than its ask. */
export function optionFor(ask: Ask, decision: 'approve' | 'deny'): PermissionOption | undefined {
  const kinds = decision === 'approve' ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always'];
  return kinds.flatMap((kind) => ask.options.filter((option) => option.kind === kind))[0];
}

const about = (ask: Ask) => ({
  ask: nameOf(ask),
  ...(ask.tool.call ? { call: ask.tool.call } : {}),
});

export function opened(ask: Ask): EngineAskOpened {
  return {
    type: 'engine.ask-opened',
    ...about(ask),
    ...(ask.tool.kind ? { kind: ask.tool.kind } : {}),
    ...(ask.run ? { run: ask.run.id } : {}),
  };
}

export function settled(
  ask: Ask,
  rest: Pick<EngineAskSettled, 'outcome' | 'by' | 'reason'>,
): EngineAskSettled {
  return { type: 'engine.ask-settled', ...about(ask), ...rest };
}

/** What the agent still holds as pending. */
export const pending = (ask: Ask) => about(ask);

/** The ask as a person sees it. */
export function shownAsk(ask: Ask): ScreenAsk {
  return {
    ...(ask.tool.call ? { call: ask.tool.call } : {}),
    ...(ask.tool.kind ? { kind: ask.tool.kind } : {}),
    id: nameOf(ask),
    controls: ask.options.map((option) => option.name || option.kind),
    text: textOfCall(ask.tool),
  };
}
