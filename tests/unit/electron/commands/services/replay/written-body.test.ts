import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { fileBody, formBody } from '../../../../../../electron/commands/services/replay/written-body.ts';
import { piecesOf } from '../../../../../../electron/worker/replay/body-parts.ts';
import type { PartedBody } from '../../../../../../electron/worker/replay/replay-content.ts';
import type { FormPart } from '../../../../../../shared/model/replay/composed-request.ts';
import { temporaryFolder } from '../../../../../support/temporary-folder.ts';

function textOf({ parts, size }: PartedBody): string {
  const bytes = Buffer.concat([...piecesOf(parts)]);
  expect(bytes.length).toBe(size);
  return bytes.toString('latin1');
}

const FIELD: FormPart = { kind: 'text', name: 'a"\nb', text: 'line\nline', type: null };

it('writes a form with its files, and names the boundary', async () => {
  const file = path.join(temporaryFolder(), 'cat.png');
  fs.writeFileSync(file, Buffer.from([0, 255, 13, 10]));
  const upload: FormPart = { kind: 'file', name: 'photo', path: file, fileName: 'c"at.png', type: 'image/png' };
  const { body, headers } = await formBody([FIELD, upload], [['X-One', '1']]);
  const [, boundary = ''] = /boundary=(.+)/.exec(headers[1]?.[1] ?? '') ?? [];
  expect(headers).toEqual([
    ['X-One', '1'],
    ['Content-Type', `multipart/form-data; boundary=${boundary}`],
  ]);
  expect(textOf(body)).toBe(
    [
      ...[`--${boundary}`, 'Content-Disposition: form-data; name="a%22%0D%0Ab"', '', 'line\nline', `--${boundary}`],
      ...['Content-Disposition: form-data; name="photo"; filename="c%22at.png"', 'Content-Type: image/png', ''],
      ...['\0\xff\r\n', `--${boundary}--`, ''],
    ].join('\r\n'),
  );
});

it('writes a field without a name', async () => {
  const { body } = await formBody([{ kind: 'text', name: '', text: 'v', type: null }], []);
  expect(textOf(body)).toContain('\r\nContent-Disposition: form-data\r\n\r\nv\r\n');
});

it.each([
  ['multipart/form-data', /^multipart\/form-data; boundary=----roundtrip[0-9a-f]{24}$/],
  ['multipart/form-data; boundary="x y"', /^multipart\/form-data; boundary="x y"$/],
])('keeps the type that is given: %s', async (type, expected) => {
  const { body, headers } = await formBody([FIELD], [['content-type', type]]);
  expect(headers).toEqual([['content-type', expect.stringMatching(expected)]]);
  if (type.includes('boundary')) expect(textOf(body)).toMatch(/^--x y\r\n/);
});

it('sends a large file in pieces, and no more than it had at first', async () => {
  const file = path.join(temporaryFolder(), 'large.bin');
  fs.writeFileSync(file, Buffer.alloc(200_000, 'x'));
  const body = await fileBody(file);
  fs.appendFileSync(file, 'y');
  expect(textOf(body)).toBe('x'.repeat(200_000));
  fs.truncateSync(file, 10);
  expect(() => textOf(body)).toThrow('became shorter');
  fs.rmSync(file);
  expect(() => textOf(body)).toThrow(file);
});

it.each([
  ['a file that is not there', 'none.bin', 'there is no such file'],
  ['a folder', '.', 'it is not a file'],
])('names the whole path of %s', async (_what, name, detail) => {
  const folder = temporaryFolder();
  const named = path.relative(process.cwd(), path.join(folder, name));
  await expect(fileBody(named)).rejects.toMatchObject({
    code: 'replay.file-unreadable',
    message: `The file ${path.join(folder, name)} can't be sent: ${detail}.`,
  });
});

it.skipIf(process.platform === 'win32')('does not wait for a named pipe', async () => {
  const pipe = path.join(temporaryFolder(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  await expect(fileBody(pipe)).rejects.toThrow('it is not a file');
});

it('finds files of the home folder, and refuses a body without a name', async () => {
  await expect(fileBody('~/no such file')).rejects.toThrow(path.join(os.homedir(), 'no such file'));
  await expect(fileBody(' ')).rejects.toMatchObject({ code: 'replay.bad-request' });
});
