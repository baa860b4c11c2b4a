import fs from 'node:fs';
import path from 'node:path';
import { USAGE } from '../../electron/headless/usage.ts';

/** docs/command-line.md, from the text that `roundtrip --help` prints. */
export function commandLinePage(): string {
  return `# Command line

<!-- Written by build/docs/command-line-page.ts from electron/headless/usage.ts. Do not edit it. -->

\`roundtrip --help\` prints this text. SOURCE is a session file or a file to import. Exit code 2 means bad arguments;
[failures](failures.md) lists the codes of everything else that can go wrong.

\`\`\`
${USAGE}\`\`\`
`;
}

/** Where it is published. */
export const COMMAND_LINE_PAGE = path.resolve(import.meta.dirname, '../../docs/command-line.md');

if (import.meta.main) fs.writeFileSync(COMMAND_LINE_PAGE, commandLinePage());
