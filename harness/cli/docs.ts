import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { contractPage } from '../contract/page.ts';
import { requirements } from '../contract/requirements/index.ts';
import { historySchemaText } from '../history/schema.ts';
import { packageRoot } from '../package.ts';

/** Writes the generated files that are committed, and gives their paths. Tests say when one is out of step. */
export function writeDocs(): string[] {
  const files: Record<string, string> = {
    'docs/contract.md': contractPage(requirements),
    'harness/history/history.schema.json': historySchemaText(),
  };
  for (const [file, text] of Object.entries(files)) {
    const path = join(packageRoot, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return Object.keys(files);
}
