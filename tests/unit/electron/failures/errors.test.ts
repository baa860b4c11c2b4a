import fs from 'node:fs';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { FAILURES_PAGE, failuresPage } from '../../../../build/docs/failures-page.ts';
import { describe as describeError, FAILURE_CODES, failure } from '../../../../electron/failures/errors.ts';

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

describe('the description of a thrown value', () => {
  const parsed = (text: string) => {
    try {
      JSON.parse(text);
    } catch (error) {
      return describeError(error);
    }
    return '';
  };

  it.each([
    ['{"password": hunter2}', 'it is not valid JSON'],
    ['hunter2', 'it is not valid JSON'],
    ['{"a": "b"}\nhunter2\n', expect.stringMatching(/^Unexpected non-whitespace character .* position 11/)],
    [
      '{"before": "something longer than the quote",\n "password": hunter2,\n "after": "the same"}',
      'it is not valid JSON',
    ],
    ['{"password": "hunter2', expect.stringContaining('Unterminated string in JSON at position')],
  ])('does not quote the JSON %j', (text, expected) => {
    expect(parsed(text)).toEqual(expected);
    expect(parsed(text)).not.toContain('hunter2');
  });

  it('does not quote a value that a schema refused', () => {
    const parse = () => v.parse(v.object({ port: v.number() }), { port: 'hunter2\nand more' });
    expect(parse).toThrow('hunter2');
    let thrown: unknown;
    try {
      parse();
    } catch (error) {
      thrown = error;
    }
    expect(describeError(thrown)).toBe('Invalid type: Expected number');
  });

  it('is the first line of any other message', () => {
    expect(describeError(new Error('no such file\nat all'))).toBe('no such file');
    expect(describeError('but received nothing')).toBe('but received nothing');
  });
});
