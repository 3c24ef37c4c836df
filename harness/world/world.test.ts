import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { EventBody } from '../history/events.ts';
import { headerOf } from '../history/trial.ts';
import type { AskKind } from '../history/vocabulary.ts';
import { until } from '../until.ts';
import { createWorld } from './world.ts';

const template = join(import.meta.dirname, '../../fixtures/workspaces/plain');

test('an effect is recorded by its token, and absence is recorded by looking', async () => {
  const header = headerOf({ client: 'none', action: 'edit' }, { surface: 'web', treatment: 'settle' });
  const events: EventBody[] = [];
  const world = createWorld({ header, template, record: (event) => events.push(event) });
  try {
    world.check();
    expect(events).toContainEqual({ type: 'world.checked', counts: { A: 0, B: 0, C: 0 } });
    execFileSync('sh', ['-c', world.command('B')], { cwd: world.workspace });
    await until(() => events.some((event) => event.type === 'world.effect'), {
      what: 'the effect',
      limit: 2000,
    });
    expect(events).toContainEqual({ type: 'world.effect', call: 'B', count: 1 });
    execFileSync('sh', ['-c', world.command('B')], { cwd: world.workspace });
    expect(world.counts()).toEqual({ A: 0, B: 2, C: 0 });
  } finally {
    world.close();
  }
  expect(existsSync(world.root)).toBe(false);
});

function worldFor(ask: AskKind) {
  const header = headerOf({ client: 'none', action: 'edit', ask }, { surface: 'web', treatment: 'settle' });
  const events: EventBody[] = [];
  return { events, world: createWorld({ header, template, record: (event) => events.push(event) }) };
}

test('a written file is an effect, once, and none any more when it was taken back', () => {
  const { world, events } = worldFor('edit');
  try {
    const { token, path = '', content = '' } = world.input('A');
    const file = join(world.workspace, path);
    writeFileSync(file, content);
    writeFileSync(file, content);
    expect(content).toContain(token);
    expect(world.counts()).toEqual({ A: 1, B: 0, C: 0 });
    rmSync(file);
    world.check(true);
    expect(events).toContainEqual({ type: 'world.checked', counts: { A: 0, B: 0, C: 0 }, final: true });
  } finally {
    world.close();
  }
});

test('what is to be read is there and says that it was read', () => {
  const { world } = worldFor('read');
  try {
    const { token, path = '' } = world.input('B');
    expect(readFileSync(join(world.workspace, path), 'utf8')).toBe(`canary ${token}\n`);
  } finally {
    world.close();
  }
});

test('a held command says that it is at work, and has its effect when it is let go', async () => {
  const { world, events } = worldFor('command');
  const seen = (type: EventBody['type']) => events.filter((event) => event.type === type);
  try {
    world.hold('A');
    execFile('sh', ['-c', world.command('A')], { cwd: world.workspace });
    await until(() => seen('world.started').length > 0, { what: 'the command to be at work', limit: 5_000 });
    expect(seen('world.started')).toEqual([{ type: 'world.started', call: 'A' }]);
    expect(world.counts()).toEqual({ A: 0, B: 0, C: 0 });
    world.letGo('A');
    await until(() => seen('world.effect').length > 0, { what: 'the effect', limit: 5_000 });
    world.letGo('A');
  } finally {
    world.close();
  }
});

test('a call that the hand-off does not have is an error', () => {
  const { world } = worldFor('plan');
  try {
    expect(() => world.input('A3')).toThrow('no call A3');
    expect(world.input('A').content).toContain(world.input('A').token);
  } finally {
    world.close();
  }
});
