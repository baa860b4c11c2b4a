import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FAILURE_CODES, type FailureCode, failure } from '../../../../electron/failures/errors.ts';

const PAGE = fs.readFileSync(path.resolve(import.meta.dirname, '../../../../docs/failures.md'), 'utf8');

describe('the failure catalogue', () => {
  it('is documented, code for code', () => {
    const documented = [...PAGE.matchAll(/^\| `([^`]+)`/gm)].map((row) => row[1]);
    expect(documented).toEqual([...FAILURE_CODES]);
  });

  it('is documented, sentence for sentence', () => {
    const documented = [...PAGE.matchAll(/^\| `[^`]+` \| \S+ \| (.*) \|$/gm)].map(([, sentence = '']) =>
      sentence.replace(/ \(or: [^)]*\)/, ''),
    );
    const placeholders = new Proxy({}, { get: (_about, name) => `{${String(name)}}` });
    const sentenceOf = failure as (code: FailureCode, about: object) => { message: string };
    const sentences = FAILURE_CODES.map((code) =>
      sentenceOf(code, placeholders).message.replaceAll('"{authority}"', '{authority}'),
    );
    expect(documented).toEqual(sentences);
  });

  it('says what happened, with the names at hand', () => {
    const about = failure('upstream.refused', { address: 'a.test:443' }, 'ECONNREFUSED');
    expect(about).toMatchObject({ code: 'upstream.refused', side: 'upstream', cause: 'ECONNREFUSED' });
    expect(about.message).toContain('a.test:443');
  });
});
