import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Browser, expect } from '@playwright/test';
import { packageRoot, workspaceTemplate } from '../package.ts';

/**
 * What somebody would write without Handoff: the same start, the same clicks (late answers included), Playwright's own
 * assertions, a canned provider. No witnesses, no history, no judgement. It is the measure of what Handoff costs.
 */
export async function bareEdit(browser: Browser): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'handoff-bare-'));
  const workspace = join(root, 'workspace');
  cpSync(workspaceTemplate, workspace, { recursive: true });
  const provider = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const which = body.includes('second') ? 'bare-b' : 'bare-a';
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const delta = body.includes('"role":"tool"')
        ? { content: 'Done.' }
        : {
            tool_calls: [
              {
                index: 0,
                id: `call-${which}`,
                type: 'function',
                function: {
                  name: 'run_command',
                  arguments: JSON.stringify({ command: `sh canary.sh ${which}` }),
                },
              },
            ],
          };
      const chunk = (choice: object) =>
        `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 0, model: 'bare', choices: [{ index: 0, ...choice }] })}\n\n`;
      response.end(
        `${chunk({ delta: { role: 'assistant', ...delta } })}${chunk({ delta: {}, finish_reason: 'tool_calls' in delta ? 'tool_calls' : 'stop' })}data: [DONE]\n\n`,
      );
    });
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  const { port } = provider.address() as AddressInfo;
  const agent = spawn(
    process.execPath,
    [
      join(packageRoot, 'fixtures/reference-agent/dist/main.js'),
      ...['--face', 'web', '--port', '0', '--data', join(root, 'data'), '--workspace', workspace],
      ...['--base-url', `http://127.0.0.1:${port}`, '--wire', 'openai-chat', '--model', 'bare'],
    ],
    {
      env: { PATH: process.env.PATH, HOME: root, HANDOFF_AGENT_API_KEY: 'sk-test' },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  const url = await new Promise<string>((resolve) => {
    createInterface({ input: agent.stdout }).on('line', (line) => {
      const found = /ready on (\S+)/.exec(line)?.[1];
      if (found) resolve(found);
    });
  });
  const context = await browser.newContext();
  try {
    const [page, second] = [await context.newPage(), await context.newPage()];
    await page.goto(url);
    await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Please run the first check.');
    await page.getByRole('textbox', { name: 'Message', exact: true }).press('Enter');
    await expect(page.getByText('sh canary.sh bare-a').first()).toBeVisible();
    await second.goto(url);
    const old = await second.getByRole('button', { name: 'Run Command' }).elementHandle();
    await page.getByRole('button', { name: 'Edit message' }).click();
    await page.getByRole('textbox', { name: 'Edited message' }).fill('Please run the second check instead.');
    await page.getByRole('button', { name: 'Save and resubmit' }).click();
    await expect(page.getByText('sh canary.sh bare-b').first()).toBeVisible();
    await old?.evaluate((button) => (button as HTMLElement).click());
    await page.getByRole('button', { name: 'Run Command' }).click();
    await expect(page.getByText('Done.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Run Command' })).toHaveCount(0);
  } finally {
    await context.close();
    const gone = new Promise((resolve) => agent.on('exit', resolve));
    agent.kill();
    await gone;
    provider.closeAllConnections();
    provider.close();
    rmSync(root, { recursive: true, force: true });
  }
}
