import type { Page } from '@playwright/test';

/**
 * Runs a function in every document of the page before its own scripts. The function goes there as source text and may use
 * nothing outside itself but its arguments.
 *
 * @param args source texts of the arguments
 */
export async function inject(page: Page, run: (...args: never[]) => void, ...args: string[]): Promise<void> {
  // Some TypeScript loaders wrap every function in a call of `__name`, which pages do not have.
  const content = `{ const __name = (f) => f; (${run.toString()})(${args.join(', ')}); }`;
  await page.addInitScript({ content });
}
