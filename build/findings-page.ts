import fs from 'node:fs';
import path from 'node:path';
import { INSIGHT_RULES } from '../shared/insight/rules/catalogue.ts';
import { wrapped } from './docs/wrapped.ts';

const HEAD = `# Findings

<!-- Written by build/findings-page.ts from shared/insight/rules. Do not edit it. -->

A finding is evidence in a session that something is slow, wasteful or wrong: which exchanges show it, what it costs and
what to change. \`roundtrip findings SOURCE\` prints those of a session; with \`--json\`, as
\`{"findings": [...]}\`, each with \`rule\`, \`severity\`, \`confidence\`, \`title\`, \`where\`, \`detail\`, \`remedy\`,
\`exchanges\`, \`costMs\`, \`criticalMs\`, \`bytes\` and \`requests\`. \`exchanges\` are ids. \`costMs\` are the
milliseconds in which at least one of them lost time, and \`criticalMs\` those on the critical path of a page. Costs are
null where they are unknown. A second key, \`trailers\`, lists the clients that accept trailers or were sent some:
\`client\` (User-Agent), \`exchanges\`, \`accepting\`, \`received\` and \`arrived\`, each a number of exchanges.
\`notes\` holds a sentence for each thing that could not be read, and \`damaged\` counts the exchanges that are left out
because their rows are damaged. Both are on stderr too.

- **Severity** is \`high\` from 1 s or 1 MB, \`medium\` from 300 ms or 300 KB, and \`low\` below, unless a rule sets its
  own.
- **Confidence** is \`high\` if the recording proves the finding, \`medium\` if it rests on an assumption (which it
  names), and \`low\` for estimates.

Rules report nothing rather than guess: a page that loads well has no findings.

![The findings of a session, below its exchanges](screenshots/findings.png)

| rule | what it reports |
| --- | --- |
`;

/** docs/findings.md, from the rules themselves. */
export function findingsPage(): string {
  const rows = INSIGHT_RULES.map(({ id, name }) => `| [\`${id}\`](#${id}) | ${name} |\n`);
  const sections = INSIGHT_RULES.map(({ id, name, about, threshold, source, remedy }) => {
    const facts = [`- Threshold: ${threshold}`, `- Source: ${source}`, `- Remedy: ${remedy}`].map(wrapped);
    return `\n## ${id}\n${wrapped(`**${name}.** ${about}`)}\n\n${facts.join('\n')}\n`;
  });
  return HEAD + rows.join('') + sections.join('');
}

/** Where it is published. */
export const FINDINGS_PAGE = path.resolve(import.meta.dirname, '../docs/findings.md');

if (import.meta.main) fs.writeFileSync(FINDINGS_PAGE, findingsPage());
