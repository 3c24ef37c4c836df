import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { EventBody } from '../history/events.ts';
import { headerOf } from '../history/trial.ts';
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
