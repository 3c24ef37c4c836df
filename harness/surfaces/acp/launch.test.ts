import { expect, test } from '@playwright/test';
import { CouldNotRun } from '../driver.ts';
import { groupAlive } from '../process.ts';
import { type FakeOptions, fakeTrial, pidIn } from './fake-agent.ts';

const LIMIT = 1_500;

async function failure(mode: string, options: FakeOptions = {}): Promise<string> {
  const output: string[] = [];
  const begun = performance.now();
  const error: unknown = await fakeTrial(mode, { ready: LIMIT, output, ...options }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(CouldNotRun);
  // The limit itself, and the two seconds that an agent has to end by itself.
  expect(performance.now() - begun).toBeLessThan(LIMIT + 3_000);
  if (!options.command) expect(groupAlive(pidIn(output))).toBe(false);
  return (error as Error).message;
}

test('an agent that exits at start is named with its last words', async () => {
  const message = await failure('exits');
  expect(message).toContain('fake agent exited with code 3');
  expect(message).toContain('no key was given');
});

test('a program that is not there', async () => {
  expect(await failure('', { command: '/nowhere/agent' })).toContain('could not be started');
});

test('text on stdout that is no protocol', async () => {
  const message = await failure('garbage');
  expect(message).toContain('Welcome to the agent!');
  expect(message).toContain('repair: start the agent in its ACP mode');
});

test('an answer to a request that was never sent', async () => {
  expect(await failure('unknown-id')).toContain('answered request 99, which was never sent');
});

test('an agent that never answers, one that only chatters, and one that closes its stdout', async () => {
  expect(await failure('silent')).toContain(`did not answer initialize within ${LIMIT} ms`);
  expect(await failure('chatter')).toContain(`did not answer initialize within ${LIMIT} ms`);
  expect(await failure('closes-stdout')).toContain('closed its stdout');
});

test('a line without an end', async () => {
  expect(await failure('flood')).toContain('a line of more than 8000000 bytes');
});

test('another version of the protocol, and a refused key', async () => {
  expect(await failure('other-version')).toContain('speaks ACP version 7, not 1');
  expect(await failure('', { authenticate: 'key' })).toContain(
    'refused authenticate (key): the key is wrong',
  );
});

test('much noise on stderr does no harm', async () => {
  const trial = await fakeTrial('stderr-flood');
  await trial.driver.close();
  expect(trial.driver.version).toBe('1.2.3');
});

test('an agent that goes on after its stdin is closed and ignores SIGTERM is ended all the same', async () => {
  const trial = await fakeTrial('stubborn');
  await trial.driver.close();
  expect(groupAlive(trial.pid())).toBe(false);
});
