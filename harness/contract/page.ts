import { FIELD_REPORTS } from './field-reports.ts';
import type { Clause, Requirement } from './opinion.ts';

const VERDICTS = `| verdict | meaning |
|---|---|
| \`held\` | a witness saw that the rule was kept |
| \`violated\` | a witness saw that it was broken |
| \`unobserved\` | it was at stake, and nobody could see: never green |
| \`not-offered\` | this hand-off gave no occasion for it |`;

/**
 * The contract as a page in Markdown, made from the requirements themselves.
 *
 * @param requirements in the order in which they are told
 */
export function contractPage(requirements: readonly Requirement[]): string {
  return [
    '<!-- Generated from harness/contract/requirements by `npm run docs`. Do not edit. -->',
    '# The contract',
    'What a client must do with an open approval or question when the person moves on. Each requirement has one name, ' +
      'which never changes, and is judged by itself from what independent witnesses saw.',
    VERDICTS,
    'Each requirement is the worst of its clauses: violated, then unobserved, then held. A supporting clause can be ' +
      'violated, but when nobody could see it the other clauses decide.',
    [
      '| requirement | level | rule |',
      '|---|---|---|',
      ...requirements.map(({ slug, level, rule }) => `| [\`${slug}\`](#${slug}) | ${level} | ${rule} |`),
    ].join('\n'),
    ...requirements.flatMap(section),
  ]
    .join('\n\n')
    .concat('\n');
}

const section = (one: Requirement): string[] => [
  `## ${one.slug}`,
  `**${one.title}** (${one.level}). ${one.rule}`,
  `Why: ${one.why}`,
  `Broken, it looks like this: ${one.broken}`,
  `Witnesses that can decide it: ${one.witnesses.join(', ')}.`,
  ['What must be seen:', '', ...one.clauses.map(clauseLine)].join('\n'),
  ...sources(one),
];

const clauseLine = ({ name, expected, supporting }: Clause): string =>
  `- \`${name}\`${supporting ? ' (supporting)' : ''}: ${expected}`;

function sources({ sources: { reports, acp = [], agui = [] } }: Requirement): string[] {
  const links = reports.map((number) => `[${number}](${FIELD_REPORTS[number]})`).join(' ');
  return [
    ...(acp.length > 0 ? [`Agent Client Protocol: ${acp.map((url) => `<${url}>`).join(', ')}`] : []),
    ...(agui.length > 0 ? [`AG-UI: ${agui.map((url) => `<${url}>`).join(', ')}`] : []),
    `Public reports of it broken: ${links}`,
  ];
}
