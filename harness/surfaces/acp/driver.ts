import type { AnyResponse } from '@agentclientprotocol/sdk';
import type { CallRole } from '../../history/events.ts';
import type { ActionOutcome, AnswerOutcome, Driver, LateRoute, LaunchContext, Message } from '../driver.ts';
import { cleanEnvironment } from '../process.ts';
import { AcpClient } from './acp-client.ts';
import { type Ask, optionFor } from './asks.ts';

/** What differs between two ACP agents. */
export interface AcpAgent {
  /** Name for messages. */
  title: string;
  command: string;
  args: string[];
  /** Beyond the clean environment. */
  env?: Record<string, string>;
  /** Id of the authentication method that the agent wants before its first session. */
  authenticate?: string;
  /** Configuration options to set on the session, e.g. a mode in which it asks. */
  configure?: Record<string, string>;
  /** Version to name when the agent does not report one. */
  version?: string;
}

/**
 * Starts an ACP agent in the workspace and brings it to where the first prompt can be sent.
 *
 * Sessions of ACP live side by side, so `new-session` is performed as an editor does that replaces its only
 * thread: the old session is closed, then a new one opened. Agents without `session/close` have no such action.
 *
 * @throws CouldNotRun when the agent exits, does not speak the protocol, refuses, or is not ready within the limit.
 */
export async function acpDriver(context: LaunchContext, agent: AcpAgent): Promise<Driver> {
  const client = new AcpClient({
    title: agent.title,
    command: agent.command,
    args: agent.args,
    cwd: context.workspace,
    env: { ...cleanEnvironment(context.home), ...agent.env },
    output: context.output,
    roles: context.roles,
    record: context.record,
    limit: context.limits.ready,
  });
  try {
    const { agentInfo } = await client.initialize();
    if (agent.authenticate) await client.authenticate(agent.authenticate);
    await client.newSession(context.workspace);
    for (const [option, value] of Object.entries(agent.configure ?? {}))
      await client.configure(option, value);
    return driverOf(client, context, agentInfo?.version || agent.version || 'unknown');
  } catch (error) {
    await client.close();
    throw error;
  }
}

function driverOf(client: AcpClient, context: LaunchContext, version: string): Driver {
  const { conversation, wire } = client;
  /** An agent that has gone takes nothing more: that is for the judge. One that talks nonsense is an error. */
  const unlessGone = async (act: () => Promise<void>): Promise<ActionOutcome> => {
    if (wire.gone) return 'stuck';
    try {
      await act();
    } catch (error) {
      if (!wire.gone) throw error;
    }
    return wire.gone ? 'stuck' : 'done';
  };
  const submit = ({ text }: Message) => unlessGone(() => client.prompt(text));

  return {
    version,
    screen: () => conversation.screen,
    submit,
    actions: {
      stop: () => unlessGone(() => client.cancel()),
      'new-message': submit,
      'new-session': () =>
        unlessGone(async () => {
          await client.closeSession();
          await client.newSession(context.workspace);
        }),
    },
    answer: async (call, decision) => {
      const ask = conversation.openAsk(call);
      const option = ask && optionFor(ask, decision);
      if (!ask || !option || wire.gone) return { outcome: 'gone' };
      await client.select(ask, option.optionId);
      return { outcome: 'accepted' };
    },
    lateRoutes: async (call) => {
      const ask = conversation.openAsk(call);
      return ask ? [protocolRoute(client, call, ask)] : [];
    },
    look: async () => conversation.recordPending(),
    close: () => client.close(),
  };
}

/**
 * A second answer with the id of the old request: what a client sends whose button was pressed just too late. The agent
 * has read it when it has answered what was sent after it; what it then said or did is the outcome.
 */
function protocolRoute(client: AcpClient, call: CallRole, ask: Ask): LateRoute {
  const { conversation, wire } = client;
  return {
    route: 'protocol',
    press: async (decision): Promise<AnswerOutcome> => {
      const option = optionFor(ask, decision);
      if (wire.gone || !option) return { outcome: 'gone' };
      const wasOpen = ask.state === 'open';
      const before = { strays: wire.strays.length, status: conversation.statusOf(call) };
      const outcome = { outcome: 'selected', optionId: option.optionId };
      await wire.send({ jsonrpc: '2.0', id: ask.request, result: { outcome } });
      const read = await client.barrier();
      if (wasOpen) return { outcome: 'accepted', detail: 'the request was still open' };
      const refusal = wire.strays.slice(before.strays).find(isError);
      if (refusal) return { outcome: 'refused', detail: refusal.error.message };
      const status = conversation.statusOf(call);
      // What an approval does that was given before this one is no outcome of this one.
      if (status !== before.status && ask.tool.person !== 'approved')
        return { outcome: 'accepted', detail: `the tool call became ${status}` };
      return { outcome: 'inert', detail: read ? 'the agent read it and said nothing' : NOT_READ };
    },
  };
}

const NOT_READ = 'the agent said nothing, not even to what was sent after it';

const isError = (answer: AnyResponse): answer is AnyResponse & { error: { message: string } } =>
  'error' in answer;
