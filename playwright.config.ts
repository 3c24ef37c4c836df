import { defineConfig } from '@playwright/test';
import { chooseBrowser } from './harness/browser.mjs';
import { outFolder } from './harness/package.ts';
import type { ClientOption } from './harness/playwright.ts';

const ofOwnTests = 'own';
/** The command line names the clients; by itself the suite runs on the bundled one. */
const clients = (process.env.HANDOFF_CLIENTS ?? 'reference-web').split(',').filter(Boolean);
const own = process.env.HANDOFF_CLIENTS === undefined;

const browser = await chooseBrowser();

export default defineConfig<object, ClientOption>({
  outputDir: `${outFolder()}/.playwright`,
  forbidOnly: true,
  failOnFlakyTests: true,
  retries: 0,
  workers: Number(process.env.HANDOFF_WORKERS ?? 2),
  fullyParallel: true,
  timeout: 180_000,
  reporter:
    process.env.HANDOFF_REPORTER === 'quiet'
      ? [['./reports/handoff-reporter.ts']]
      : [['./reports/handoff-reporter.ts', { tests: true }]],
  use: {
    launchOptions: browser.launchOptions,
    trace: process.env.HANDOFF_TRACE ? 'on' : 'off',
  },
  projects: [
    ...(own
      ? [
          {
            name: ofOwnTests,
            testDir: '.',
            testMatch: ['harness/**/*.test.ts', 'fixtures/**/*.test.ts', 'reports/**/*.test.ts'],
          },
        ]
      : []),
    ...clients.map((clientId) => ({ name: clientId, testDir: 'e2e', use: { clientId } })),
  ],
});
