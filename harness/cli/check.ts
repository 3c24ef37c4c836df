import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { provideBrowser } from '../browser.mjs';
import type { Client, FaultInfo } from '../clients/define.ts';
import { clients } from '../clients/index.ts';
import { requireInstalled } from '../clients/install.ts';
import { ASK_KINDS, MOMENTS, WIRES } from '../history/vocabulary.ts';
import { actions, writtenActions } from '../scenario/actions/index.ts';
import { aftermaths } from '../scenario/aftermaths/index.ts';
import type { Selection } from '../scenario/selection.ts';
import { EXIT, known, UsageError, words } from './exit.ts';
import { readResults, runPlaywright } from './playwright-run.ts';

interface CheckOptions {
  action?: string;
  ask?: string;
  moment?: string;
  aftermath?: string;
  wire?: string;
  fault?: string;
  json?: string;
  headed?: boolean;
  trace?: boolean;
  strict?: boolean;
  repeat?: string;
  workers?: string;
}

export function addCheck(program: Command): void {
  program
    .command('check')
    .description('run hand-offs on clients and judge them')
    .argument('<client...>', 'ids of clients (approval-handoff list clients)')
    .option(
      '--action <a,b>',
      'only these actions, with all variants or one (restart:sigkill); default: every action',
    )
    .option('--ask <kinds>', 'kinds of ask; default: command, or what the action is done with')
    .option('--moment <moments>', 'when the action lands; default: ask-open, or when the action is done')
    .option('--aftermath <names>', 'what the person does next; default: every aftermath')
    .option('--wire <wires>', "model wires; default: the client's first")
    .option('--fault <name>', 'start the reference agent with this seeded fault')
    .option('--json <file>', 'write the results as JSON')
    .option('--headed', 'show the browser')
    .option('--trace', 'record a Playwright trace of each hand-off')
    .option('--strict', 'an unobserved requirement fails the check')
    .option('--repeat <n>', 'run each hand-off this often')
    .option('--workers <n>', 'how many hand-offs at once; default: 2')
    .addHelpText(
      'after',
      `
Each hand-off: the client is started on a scripted model, its tool call waits for approval, the person moves on
(the action), then goes on (the aftermath), late answers to the old ask are tried by every way that is left, and
independent witnesses are judged against the contract.

Examples:
  approval-handoff check reference-web --action edit
  approval-handoff check reference-web --action edit --aftermath follow-up --fault parked-resolver-takes-next-message
  approval-handoff check opencode-web --action stop,deny --json verdicts.json`,
    )
    .action(check);
}

async function check(ids: string[], options: CheckOptions): Promise<void> {
  const chosen = known(
    'client',
    ids,
    clients.map((client) => client.id),
  ).map((id) => clients.find((client) => client.id === id) as Client);
  const fault = options.fault === undefined ? undefined : await faultOf(chosen, options.fault);
  const selection = selectionOf(options, fault, chosen);
  const repeat = countOf('--repeat', options.repeat);
  const workers = countOf('--workers', options.workers);
  for (const client of chosen) if (client.install) requireInstalled(client.install);
  if (chosen.some((client) => client.surface === 'web')) {
    console.log((await provideBrowser(console.log)).said);
  }
  if (!options.action && !fault) for (const client of chosen) sayUndriven(client);
  if (fault)
    console.log(`with the fault ${fault.name}: ${fault.what}\nit must break: ${fault.breaks.join(', ')}`);
  const ended = await runPlaywright({
    clients: chosen.map((client) => client.id),
    selection,
    args: [...(options.headed ? ['--headed'] : []), ...(repeat ? ['--repeat-each', String(repeat)] : [])],
    environment: {
      ...(options.trace ? { HANDOFF_TRACE: '1' } : {}),
      ...(workers ? { HANDOFF_WORKERS: String(workers) } : {}),
    },
  });
  const results = readResults();
  if (options.json) writeFileSync(options.json, `${JSON.stringify(jsonOf(results.handoffs), null, 2)}\n`);
  process.exitCode = ended.interrupted ? EXIT.interrupted : exitCode(results, ended.code, options.strict);
}

/** The published form: one object per client and version. */
export function jsonOf(handoffs: ReturnType<typeof readResults>['handoffs']) {
  const groups = new Map<string, { client: string; version: string; handoffs: object[] }>();
  for (const { client, version, ...handoff } of handoffs) {
    const key = `${client}@${version}`;
    const group = groups.get(key) ?? { client, version, handoffs: [] };
    group.handoffs.push(handoff);
    groups.set(key, group);
  }
  const all = [...groups.values()];
  return all.length === 1 ? all[0] : all;
}

function exitCode(results: ReturnType<typeof readResults>, code: number, strict = false): number {
  const { handoffs } = results;
  const has = (verdict: string) =>
    handoffs.some((handoff) => Object.values(handoff.verdicts).some((v) => v.verdict === verdict));
  // Anything that could not run makes the whole check unreliable, so it goes before the verdicts.
  if (handoffs.length === 0 || results.status !== 'finished') return EXIT.couldNotRun;
  if (handoffs.some((handoff) => handoff.status === 'could-not-run')) return EXIT.couldNotRun;
  if (has('violated') || (strict && has('unobserved'))) return EXIT.violated;
  return code === 0 ? EXIT.held : EXIT.couldNotRun;
}

async function faultOf(chosen: Client[], name: string): Promise<FaultInfo> {
  const faults: FaultInfo[] = [];
  for (const client of chosen) {
    if (!client.faults) throw new UsageError(`${client.id} takes no faults; only the reference agent does`);
    faults.push(...(await client.faults()));
  }
  known(
    'fault',
    [name],
    faults.map((fault) => fault.name),
  );
  return faults.find((fault) => fault.name === name) as FaultInfo;
}

/** What a profile is silent about is not driven on that client yet. That is said, so that nobody takes it for held. */
function sayUndriven({ id, actions: declared }: Client): void {
  const silent = actions.map(({ name }) => name).filter((name) => !declared[name]);
  if (silent.length > 0) console.log(`not driven on ${id} yet: ${silent.join(', ')}`);
}

/** With no action named, the hand-offs are those that show the fault, or those that the clients' profiles name. */
function selectionOf(options: CheckOptions, fault: FaultInfo | undefined, on: Client[]): Selection {
  const chosen = <T extends string>(sort: string, list: string | undefined, valid: readonly T[]) =>
    list === undefined ? undefined : known(sort, words(list), valid);
  const named = <T extends { name: string }>(items: readonly T[]) =>
    items.map((item) => item.name as T['name']);
  const limits = {
    asks: chosen('ask', options.ask, ASK_KINDS),
    moments: chosen('moment', options.moment, MOMENTS),
    aftermaths: chosen('aftermath', options.aftermath, named(aftermaths)),
  };
  const wanted = {
    actions:
      chosen('action', options.action, writtenActions()) ??
      (fault
        ? [...new Set(fault.tries.map((trial) => trial.action))]
        : named(actions).filter((name) => on.some((client) => client.actions[name]))),
    anyAction: options.action ? undefined : (true as const),
    ...limits,
    wires: chosen('wire', options.wire, WIRES),
    fault: fault?.name,
    // What is asked for goes before what the fault narrows itself to.
    tries: options.action ? undefined : fault?.tries.map((one) => ({ ...one, ...defined(limits) })),
  };
  return defined(wanted);
}

const defined = <T extends object>(given: T) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };

function countOf(flag: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const count = Number(given);
  if (!Number.isInteger(count) || count < 1)
    throw new UsageError(`${flag} takes a whole number from 1, not "${given}"`);
  return count;
}
