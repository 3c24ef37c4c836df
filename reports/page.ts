import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { writeAction } from '../harness/history/vocabulary.ts';
import { type HandoffResult, redLines } from '../harness/result.ts';
import { STYLE } from './style.ts';
import { countVerdicts, type Matrix, matricesOf, SIGNS } from './table.ts';

/** Client output is untrusted: nothing of it reaches the page but as text. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

/**
 * One self-contained HTML page of a run: the verdict in one sentence, the matrix, and each hand-off with its reasons and
 * its timeline. Works from `file://`.
 */
export function renderPage(results: HandoffResult[]): string {
  const judged = results.filter((result) => result.status === 'judged');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Handoff report</title>
<style>${STYLE}</style>
</head>
<body>
<header><h1>Handoff</h1><p class="sentence">${escapeHtml(sentenceOf(results))}</p></header>
<main>
${matricesOf(judged).map(renderTable).join('\n')}
<h2>Hand-offs</h2>
${results.map(renderHandoff).join('\n')}
</main>
</body>
</html>
`;
}

function sentenceOf(results: HandoffResult[]): string {
  const counts = countVerdicts(results);
  const red = results.filter((r) => Object.values(r.verdicts).some((v) => v.verdict === 'violated')).length;
  const failed = results.filter((r) => r.status === 'could-not-run').length;
  const judged = results.filter((r) => r.status === 'judged').length;
  const verdict =
    red > 0
      ? `${red} of ${judged} hand-offs break the contract`
      : `All ${judged} hand-offs hold the contract`;
  const rest = [
    ...(counts.unobserved > 0 ? [`${counts.unobserved} requirement verdicts are unobserved`] : []),
    ...(failed > 0 ? [`${failed} could not run`] : []),
  ];
  return `${[verdict, ...rest].join('; ')}.`;
}

function renderTable(matrix: Matrix): string {
  const title = `${matrix.client} ${matrix.version}${matrix.fault ? `, with the fault ${matrix.fault}` : ''}`;
  const head = matrix.actions.map((action) => `<th scope="col">${escapeHtml(action)}</th>`).join('');
  const rows = matrix.requirements
    .map((requirement) => {
      const cells = matrix.actions.map((action) => {
        const verdict = matrix.cells[requirement]?.[action] ?? 'not-offered';
        return `<td class="${verdict}">${SIGNS[verdict].sign} ${verdict}</td>`;
      });
      return `<tr><th scope="row">${escapeHtml(requirement)}</th>${cells.join('')}</tr>`;
    })
    .join('\n');
  return `<section><h2>${escapeHtml(title)}</h2>
<div class="wide"><table><thead><tr><td></td>${head}</tr></thead><tbody>${rows}</tbody></table></div></section>`;
}

function renderHandoff(result: HandoffResult): string {
  const name = [
    result.client,
    writeAction(result.action, result.variant),
    result.ask,
    result.moment,
    result.aftermath,
    result.wire,
    result.fault,
  ];
  const lines = redLines(result);
  const state = result.status === 'judged' ? (lines.length > 0 ? 'violated' : 'held') : result.status;
  const timeline = result.history ? join(dirname(resolve(result.history)), 'timeline.txt') : '';
  const text = existsSync(timeline) ? readFileSync(timeline, 'utf8') : '';
  const reason = [...lines, ...(result.error ? [result.error] : [])].join('\n');
  return `<details${lines.length > 0 ? ' open' : ''}>
<summary><span class="${state}">${state}</span> ${escapeHtml(name.filter(Boolean).join(' · '))} <small>${result.ms} ms</small></summary>
${reason ? `<pre class="reason">${escapeHtml(reason)}</pre>` : ''}
${text ? `<pre>${escapeHtml(text)}</pre>` : ''}
<p><code>${escapeHtml(result.replay)}</code></p>
</details>`;
}
