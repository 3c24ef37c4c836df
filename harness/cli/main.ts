import { Command, CommanderError } from 'commander';
import { packageVersion } from '../package.ts';
import { addCheck } from './check.ts';
import { addClients } from './clients.ts';
import { addDoctor } from './doctor.ts';
import { EXIT, UsageError } from './exit.ts';
import { addJudge } from './judge.ts';
import { addList } from './list.ts';

/** The `approval-handoff` command. Sets the exit code: 0 held, 1 violated, 2 could not run, 130 interrupted. */
export async function main(argv: string[]): Promise<void> {
  const program = new Command('approval-handoff')
    .description(
      'Proves, from the outside, what an agent client does with an open approval when the person moves on:\n' +
        'edits the message, stops, starts a new task, sends another message ...',
    )
    .version(packageVersion)
    .showHelpAfterError('(see approval-handoff --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
Examples:
  approval-handoff check reference-web                        every hand-off on the bundled agent
  approval-handoff check reference-web --fault edit-leaves-ask-parked
                                                              see the original bug being found
  approval-handoff clients install opencode gemini-cli        get real clients, at pinned versions
  approval-handoff check opencode-web gemini-acp              judge them
  approval-handoff list requirements                          what is judged

Exit codes: 0 held, 1 violated, 2 could not run, 130 interrupted.`,
    );
  addCheck(program);
  addJudge(program);
  addList(program);
  addClients(program);
  addDoctor(program);
  // Subcommands inherit neither of these by themselves.
  for (const command of program.commands) command.exitOverride().showHelpAfterError('(see --help)');
  try {
    await program.parseAsync(argv);
  } catch (error) {
    process.exitCode = exitOf(error);
  }
}

function exitOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.held : EXIT.couldNotRun;
  const expected = error instanceof UsageError || (error instanceof Error && error.name === 'CouldNotRun');
  const text =
    error instanceof Error ? (expected ? error.message : (error.stack ?? error.message)) : String(error);
  process.stderr.write(`approval-handoff: ${text}\n`);
  return EXIT.couldNotRun;
}
