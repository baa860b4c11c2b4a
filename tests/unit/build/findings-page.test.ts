import fs from 'node:fs';
import { expect, it } from 'vitest';
import { FINDINGS_PAGE, findingsPage } from '../../../build/findings-page.ts';

it('docs/findings.md is what build/findings-page.ts writes', () => {
  expect(fs.readFileSync(FINDINGS_PAGE, 'utf8')).toBe(findingsPage());
});
