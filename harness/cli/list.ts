import type { Command } from 'commander';
import { clients } from '../clients/index.ts';
import { requirements } from '../contract/requirements/index.ts';
import { ASK_KINDS, WIRES, writeAction } from '../history/vocabulary.ts';
import { actions } from '../scenario/actions/index.ts';
import { aftermaths } from '../scenario/aftermaths/index.ts';
import { moments } from '../scenario/moments/index.ts';
import { known } from './exit.ts';

type Row = Record<string, string>;

/** Everything that can be listed, each as rows whose first column is the name. */
const LISTS: Record<string, () => Row[] | Promise<Row[]>> = {
  clients: () =>
    clients.map((client) => ({
      name: client.id,
      surface: client.surface,
      wires: client.wires.join(' '),
      version: client.install?.version ?? 'bundled',
      title: client.title,
    })),
  actions: () =>
    actions.flatMap(({ name, variants }) =>
      Object.entries(variants).map(([variant, { title }]) => ({
        name: writeAction(name, variant),
        what: `while the ask is open, the person ${title}`,
      })),
    ),
  asks: () => ASK_KINDS.map((name) => ({ name })),
  moments: () => moments.map(({ name, title }) => ({ name, what: `the person acts ${title}` })),
  aftermaths: () => aftermaths.map(({ name, title }) => ({ name, what: title })),
  wires: () => WIRES.map((name) => ({ name })),
  requirements: () => requirements.map(({ slug, level, rule }) => ({ name: slug, level, rule })),
  faults: async () => {
    const found = await Promise.all(clients.map((client) => client.faults?.() ?? []));
    return found.flat().map(({ name, breaks, what }) => ({ name, breaks: breaks.join(' '), what }));
  },
};

export function addList(program: Command): void {
  program
    .command('list')
    .description(`list what there is: ${Object.keys(LISTS).join(', ')}`)
    .argument('[what]', 'one of these; all of them when left out')
    .option('--json', 'print JSON')
    .action(async (what: string | undefined, options: { json?: boolean }) => {
      if (what) known('list', [what], Object.keys(LISTS));
      const chosen = what ? [what] : Object.keys(LISTS);
      const found: Record<string, Row[]> = {};
      for (const name of chosen) found[name] = (await LISTS[name]?.()) ?? [];
      if (options.json) return void console.log(JSON.stringify(what ? found[what] : found, null, 2));
      for (const [name, rows] of Object.entries(found)) {
        if (!what) console.log(`\n${name}`);
        for (const line of aligned(rows)) console.log(line);
      }
    });
}

/** Columns of equal width; the last one runs free. */
function aligned(rows: Row[]): string[] {
  const columns = Object.keys(rows[0] ?? {});
  const width = (column: string) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  return rows.map((row) =>
    columns
      .map((column, i) => (i === columns.length - 1 ? row[column] : row[column]?.padEnd(width(column))))
      .join('  '),
  );
}
