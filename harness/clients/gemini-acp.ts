import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { acpDriver } from '../surfaces/acp/driver.ts';
import { CouldNotRun } from '../surfaces/driver.ts';
import { defineClient, oneWay } from './define.ts';

const VERSION = '0.61.0';

const SETTINGS = {
  security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
};

/** Gemini CLI in its ACP mode. */
export const geminiAcp = defineClient({
  id: 'gemini-acp',
  title: 'Gemini CLI (ACP)',
  surface: 'acp',
  wires: ['gemini'],
  asks: ['command'],
  actions: {
    approve: { treatment: 'settle' },
    deny: { treatment: 'settle' },
    edit: { notOffered: 'ACP v1 has no edit of an earlier message' },
    stop: { treatment: 'settle' },
    'new-session': {
      notOffered: 'session/new leaves the other sessions as they are, and session/close is not there',
    },
    'new-message': { treatment: 'settle', variants: oneWay },
  },
  witnesses: { engine: true, world: true, model: true, screen: true },
  // It starts in about two seconds alone, and took thirteen on a machine with several other starts going on.
  limits: { ready: 60_000 },
  install: {
    name: 'gemini-cli',
    package: '@google/gemini-cli',
    version: VERSION,
    bin: 'node_modules/.bin/gemini',
  },
  launch: async (context) => {
    if (!context.installed) {
      throw new CouldNotRun('gemini-cli is not installed', 'approval-handoff clients install gemini-cli');
    }
    mkdirSync(join(context.home, '.gemini'), { recursive: true });
    writeFileSync(join(context.home, '.gemini', 'settings.json'), JSON.stringify(SETTINGS));
    return acpDriver(context, {
      title: 'gemini',
      command: join(context.installed, 'node_modules/.bin/gemini'),
      args: ['--acp', '-m', 'gemini-2.5-flash'],
      env: {
        GEMINI_API_KEY: 'sk-test',
        GOOGLE_GEMINI_BASE_URL: context.modelUrl,
        // Without it the command starts itself a second time to give itself more memory.
        GEMINI_CLI_NO_RELAUNCH: 'true',
      },
      authenticate: 'gemini-api-key',
      version: VERSION,
    });
  },
});
