import type { Command } from 'commander';
import { CouldNotRun, type Install } from '../clients/define.ts';
import { clients } from '../clients/index.ts';
import { installClient, installedAt, removeClient } from '../clients/install.ts';
import { known } from './exit.ts';

/** Every install, with the clients that use it. */
function installs(): { install: Install; clients: string[] }[] {
  const found = new Map<string, { install: Install; clients: string[] }>();
  for (const { id, install } of clients) {
    if (!install) continue;
    const entry = found.get(install.name) ?? { install, clients: [] };
    entry.clients.push(id);
    found.set(install.name, entry);
  }
  return [...found.values()];
}

/** Takes names of installs and ids of clients alike. */
function chosen(names: string[]) {
  const all = installs();
  known('client', names, [
    ...all.map(({ install }) => install.name),
    ...all.flatMap((entry) => entry.clients),
  ]);
  return all.filter(({ install, clients: ids }) => names.some((n) => n === install.name || ids.includes(n)));
}

export function addClients(program: Command): void {
  const group = program
    .command('clients')
    .description('install, list or remove real clients at pinned versions');
  group
    .command('install')
    .description('install clients from npm into a folder of their own')
    .argument('<name...>', 'names of clients (approval-handoff clients list)')
    .action(async (names: string[]) => {
      for (const { install } of chosen(names)) await installClient(install, { say: console.log });
    });
  group
    .command('list')
    .description('list the clients that can be installed')
    .action(() => {
      for (const { install, clients: ids } of installs()) {
        const state = installedAt(install) ? 'installed' : 'not installed';
        console.log(`${install.name}  ${install.package}@${install.version}  ${state}  (${ids.join(', ')})`);
      }
    });
  group
    .command('remove')
    .description('remove installed clients')
    .argument('<name...>', 'names of clients')
    .action(async (names: string[]) => {
      for (const { install } of chosen(names)) {
        if (!installedAt(install))
          throw new CouldNotRun(`${install.name} ${install.version} is not installed`);
        await removeClient(install);
        console.log(`removed ${install.name} ${install.version}`);
      }
    });
  for (const command of group.commands) command.exitOverride().showHelpAfterError('(see --help)');
}
