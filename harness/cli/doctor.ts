import { createServer } from 'node:net';
import type { Command } from 'commander';
import { findBrowser, NO_BROWSER } from '../browser.mjs';
import { clients } from '../clients/index.ts';
import { installedAt } from '../clients/install.ts';
import { packageVersion } from '../package.ts';
import { EXIT } from './exit.ts';

/** One thing looked at: what was found, or what is wrong and its repair. */
type Finding = { ok: string } | { missing: string } | { wrong: string };

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('look at what hand-offs need on this machine, and say how to repair what is missing')
    .action(async () => {
      const findings = [
        await node(),
        await loopback(),
        await browser(),
        ...(await reference()),
        ...installed(),
      ];
      for (const finding of findings) {
        if ('ok' in finding) console.log(`✓ ${finding.ok}`);
        else if ('missing' in finding) console.log(`· ${finding.missing}`);
        else console.log(`✗ ${finding.wrong}`);
      }
      process.exitCode = findings.some((finding) => 'wrong' in finding) ? EXIT.couldNotRun : EXIT.held;
    });
}

async function node(): Promise<Finding> {
  return {
    ok: `approval-handoff ${packageVersion} on Node ${process.versions.node}, ${process.platform} ${process.arch}`,
  };
}

/** Everything runs on loopback with ports that the system chooses. */
function loopback(): Promise<Finding> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on('error', (error) => resolve({ wrong: `nothing can listen on 127.0.0.1: ${error.message}` }));
    server.listen(0, '127.0.0.1', () =>
      server.close(() => resolve({ ok: 'loopback: 127.0.0.1 can be listened on' })),
    );
  });
}

async function browser(): Promise<Finding> {
  try {
    const found = await findBrowser();
    return found ? { ok: found.said } : { wrong: NO_BROWSER };
  } catch (error) {
    return { wrong: (error as Error).message };
  }
}

async function reference(): Promise<Finding[]> {
  try {
    const faults = await Promise.all(clients.map((client) => client.faults?.() ?? []));
    return [{ ok: `reference agent: built, ${faults.flat().length} seeded faults` }];
  } catch (error) {
    return [{ wrong: `reference agent: ${(error as Error).message}` }];
  }
}

function installed(): Finding[] {
  const installs = new Map(clients.flatMap(({ install }) => (install ? [[install.name, install]] : [])));
  return [...installs.values()].map((install) =>
    installedAt(install)
      ? { ok: `${install.name} ${install.version}: installed` }
      : {
          missing: `${install.name} ${install.version}: not installed (approval-handoff clients install ${install.name})`,
        },
  );
}
