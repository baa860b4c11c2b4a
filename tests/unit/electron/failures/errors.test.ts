import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FAILURE_CODES, failure } from '../../../../electron/failures/errors.ts';

const PAGE = fs.readFileSync(path.resolve(import.meta.dirname, '../../../../docs/failures.md'), 'utf8');

describe('the failure catalogue', () => {
  it('is documented, code for code', () => {
    const documented = [...PAGE.matchAll(/^\| `([^`]+)`/gm)].map((row) => row[1]);
    expect(documented).toEqual([...FAILURE_CODES]);
  });

  it('says what happened, with the names at hand', () => {
    const about = failure('upstream.refused', { address: 'a.test:443' }, 'ECONNREFUSED');
    expect(about).toMatchObject({ code: 'upstream.refused', side: 'upstream', cause: 'ECONNREFUSED' });
    expect(about.message).toContain('a.test:443');
  });
});
