import { Command } from 'commander';
import { provideBrowser } from '../browser.mjs';
import { clientNamed } from '../clients/index.ts';
import { writtenActions } from '../scenario/actions/index.ts';
import { limitsOf } from '../scenario/stage.ts';
import { EXIT, known, UsageError, words } from './exit.ts';
import { readResults, runPlaywright } from './playwright-run.ts';
import { unstableIn } from './stability.ts';

// Repeats hand-offs until chance has had its chances: whatever changes its verdict is red, and so is whatever is nearly too slow.
const program = new Command('burn-in')
  .description('repeat the default set of hand-offs with two workers; any change of a verdict is red')
  .argument('[times]', 'how often each hand-off runs', '20')
  .option('--client <id>', 'client to hold', 'reference-web')
  .option('--action <a,b>', 'only these actions, as check takes them; default: the pairwise set')
  .parse();
const { client: id, action } = program.opts<{ client: string; action?: string }>();

try {
  const times = Number(program.args[0] ?? 20);
  if (!Number.isInteger(times) || times < 2)
    throw new UsageError(`burn-in takes a whole number from 2, not "${program.args[0]}"`);
  const client = clientNamed(id);
  if (!client) throw new UsageError(`there is no client named ${id}`);
  if (client.surface === 'web') console.log((await provideBrowser(console.log)).said);
  const ended = await runPlaywright({
    clients: [id],
    ...(action ? { selection: { actions: known('action', words(action), writtenActions()) } } : {}),
    args: ['--repeat-each', String(times)],
    environment: { HANDOFF_WORKERS: '2' },
  });
  const { handoffs, status } = readResults();
  const unstable = unstableIn(handoffs, times, () => limitsOf(client).wait);
  const width = Math.max(...unstable.map(({ name }) => name.length));
  console.log(
    `\n${unstable.length > 0 ? 'not stable:' : 'stable:'} ${handoffs.length} hand-offs, each one ${times} times`,
  );
  for (const { name, why } of unstable) console.log(`${name.padEnd(width)}  ${why}`);
  if (ended.interrupted) process.exitCode = EXIT.interrupted;
  else if (status !== 'finished' || handoffs.length === 0) process.exitCode = EXIT.couldNotRun;
  else process.exitCode = unstable.length > 0 ? EXIT.violated : EXIT.held;
} catch (error) {
  console.error(`burn-in: ${error instanceof Error ? error.message : error}`);
  process.exitCode = EXIT.couldNotRun;
}
