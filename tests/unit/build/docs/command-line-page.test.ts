import fs from 'node:fs';
import { expect, it } from 'vitest';
import { COMMAND_LINE_PAGE, commandLinePage } from '../../../../build/docs/command-line-page.ts';

it('docs/command-line.md is what build/docs/command-line-page.ts writes', () => {
  expect(fs.readFileSync(COMMAND_LINE_PAGE, 'utf8')).toBe(commandLinePage());
});
