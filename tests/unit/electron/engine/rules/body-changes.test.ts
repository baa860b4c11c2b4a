import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { editBody } from '../../../../../electron/engine/rules/body-changes.ts';

const GZIP = ['content-encoding', 'gzip'];
const dog = { replaceBody: [{ find: 'cat', with: 'dog', regex: false, ignoreCase: false }] };

describe('several changes of one body', () => {
  it('apply in order, and one that does not fit changes nothing', async () => {
    const merge = { mergeJson: { a: 1 } };
    const { bytes, problems } = await editBody(gzipSync('a cat'), GZIP, [merge, dog, { bodyFile: '/no/such/file' }]);
    expect(gunzipSync(bytes ?? '').toString()).toBe('a dog');
    expect(problems).toEqual([
      'the body is unchanged: it is not JSON',
      null,
      expect.stringContaining('the body is unchanged: ENOENT'),
    ]);
  });

  it('apply completely or not', async () => {
    const { bytes, problems } = await editBody(Buffer.from('a cat'), [], [{ ...dog, mergeJson: { a: 1 } }]);
    expect({ bytes, problems }).toEqual({ bytes: null, problems: ['the body is unchanged: it is not JSON'] });
  });

  it('continue from another text if the body cannot be decoded', async () => {
    const { bytes, problems } = await editBody(Buffer.from('cat'), GZIP, [dog, { body: 'a cat' }, dog], []);
    expect(bytes?.toString()).toBe('a dog');
    expect(problems).toEqual([expect.stringContaining('incorrect header check'), null, null]);
  });

  it('all fail where the new body cannot be encoded', async () => {
    const changes = [{ mergeJson: {} }, dog];
    const { bytes, problems } = await editBody(Buffer.from('cat'), [], changes, ['content-encoding', 'rot13']);
    expect(bytes).toBe(null);
    expect(problems).toEqual([
      'the body is unchanged: it is not JSON',
      'the body is unchanged: its content coding is unknown',
    ]);
  });
});
