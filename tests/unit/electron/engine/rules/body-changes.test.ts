import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { EDIT_LIMIT, editBody } from '../../../../../electron/engine/rules/body-changes.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

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

  it('leave the bytes as they came if nothing is found, unless the codings change', async () => {
    const body = gzipSync('a bird', { level: 1 });
    expect(await editBody(body, GZIP, [dog, dog])).toEqual({ bytes: null, problems: [null, null] });
    const { bytes } = await editBody(body, GZIP, [dog], []);
    expect(bytes?.toString()).toBe('a bird');
  });

  it('apply completely or not', async () => {
    const { bytes, problems } = await editBody(Buffer.from('a cat'), [], [{ ...dog, mergeJson: { a: 1 } }]);
    expect({ bytes, problems }).toEqual({ bytes: null, problems: ['the body is unchanged: it is not JSON'] });
  });

  it('of JSON keep the digits of every other number', async () => {
    const text = '{"id":12345678901234567890,"price":1.10,"n":[1.0,-0,1E3],"old":1}';
    const patchJson = [
      { op: 'test' as const, path: '/price', value: 1.1 },
      { op: 'copy' as const, from: '/id', path: '/n/0' },
    ];
    const { bytes } = await editBody(Buffer.from(text), [], [{ mergeJson: { old: null, price: { x: 1 } }, patchJson }]);
    expect(bytes).toBeNull();
    const edited = await editBody(Buffer.from(text), [], [{ mergeJson: { old: null }, patchJson }]);
    expect(edited.bytes?.toString()).toBe(
      '{"id":12345678901234567890,"price":1.10,"n":[12345678901234567890,1.0,-0,1E3]}',
    );
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

describe('a result that would be larger than a body that rules edit', () => {
  const everything = { find: '(?=(.*))', with: '$1', regex: true, ignoreCase: false };
  const euro = { find: 'x', with: '\u20ac', regex: false, ignoreCase: false };
  const copies = Array.from({ length: 60 }, (_, index) => ({ op: 'copy' as const, from: '', path: `/${index}` }));

  it.each([
    ['text', 'x'.repeat(10_000), { replaceBody: [everything] }],
    ['text with fewer characters than bytes', `${'a'.repeat(EDIT_LIMIT - 1)}x`, { replaceBody: [euro] }],
    ['a JSON document that contains copies of itself', '{"a":1}', { patchJson: copies }],
  ])('leaves the body as it is, and the next change applies: %s', async (_what, body, change) => {
    const { bytes, problems } = await editBody(Buffer.from(body), [], [change, { body: 'a dog' }]);
    expect(problems).toEqual(['the body is unchanged: the result would be larger than 10 MB', null]);
    expect(bytes?.toString()).toBe('a dog');
  });
});

describe('a file for a body', () => {
  const problemOf = async (bodyFile: string) => (await editBody(Buffer.from('cat'), [], [{ bodyFile }])).problems[0];

  it('may be as large as a body that rules edit', async () => {
    const file = path.join(temporaryFolder(), 'large.bin');
    fs.writeFileSync(file, 'dog');
    fs.truncateSync(file, EDIT_LIMIT);
    expect(await problemOf(file)).toBe(null);
    fs.truncateSync(file, EDIT_LIMIT + 1);
    expect(await problemOf(file)).toBe(`the body is unchanged: ${file} is larger than 10 MB`);
  });

  it.skipIf(process.platform === 'win32')('is neither a named pipe nor a device without an end', async () => {
    const pipe = path.join(temporaryFolder(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    for (const file of [pipe, '/dev/zero'])
      expect(await problemOf(file)).toBe(`the body is unchanged: ${file} is not a file`);
  });
});
