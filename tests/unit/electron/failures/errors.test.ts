import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FAILURES_PAGE, failuresPage } from '../../../../build/docs/failures-page.ts';
import { FAILURE_CODES, failure } from '../../../../electron/failures/errors.ts';

describe('the failure catalogue', () => {
  it('is documented: node build/docs/failures-page.ts writes the page', () => {
    expect(fs.readFileSync(FAILURES_PAGE, 'utf8')).toBe(failuresPage());
    expect(FAILURE_CODES.filter((code) => !failuresPage().includes(`| \`${code}\` |`))).toEqual([]);
  });

  it('describes what happened, with the given values', () => {
    const about = failure('upstream.refused', { address: 'a.test:443' }, 'ECONNREFUSED');
    expect(about).toMatchObject({ code: 'upstream.refused', side: 'upstream', cause: 'ECONNREFUSED' });
    expect(about.message).toContain('a.test:443');
  });
});
