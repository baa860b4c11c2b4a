import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import * as zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { DECODE_LIMIT } from '../../../../../electron/session/read/body-ranges.ts';
import { saveBody } from '../../../../../electron/session/read/save-body.ts';
import { SessionReader } from '../../../../../electron/session/read/session-reader.ts';
import { exampleExchange } from '../../../../support/example-exchange.ts';
import { closing, record, startRecorder } from '../../../../support/recording.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const MIB = 1024 * 1024;
/** Over what the view decodes. Lines of different length: a gap or a repeat would show. */
const LARGE = Buffer.from(
  Array.from({ length: 1000 }, (_, line) => `${'x'.repeat(line)} line ${line}\n`)
    .join('')
    .repeat(150),
);
const SMALL = LARGE.subarray(0, MIB);
const GZIP = ['Content-Encoding', 'gzip'];

/** Each of `bodies` is the response of an exchange. */
async function recorded(bodies: readonly Uint8Array[], headers: string[]) {
  const path = join(temporaryFolder(), 'a.roundtrip');
  const recorder = await startRecorder(path);
  for (const body of bodies) {
    const response = { headers, body: { size: 0, stored: 0, complete: true } };
    record(recorder, exampleExchange({ id: recorder.nextExchangeId(), response }), { response: body });
  }
  await recorder.close();
  return closing(new SessionReader(path));
}

const DECODED = { id: 1, side: 'response', form: 'decoded' } as const;

async function save(reader: SessionReader, form: 'decoded' | 'raw' = 'decoded') {
  const file = join(temporaryFolder(), 'saved');
  const { bytes, note } = await saveBody(reader, { ...DECODED, form }, file);
  const written = fs.readFileSync(file);
  expect(bytes).toBe(written.length);
  return { written, note };
}

const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('saving a body', () => {
  test.each([
    ['gzip', zlib.gzipSync(LARGE)],
    ['br', zlib.brotliCompressSync(LARGE, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } })],
    ['zstd', zlib.zstdCompressSync(LARGE)],
    ['deflate', zlib.deflateSync(LARGE)],
  ])('writes all of it where it is larger than the view decodes: %s', async (coding, coded) => {
    expect(LARGE.length).toBeGreaterThan(DECODE_LIMIT);
    using reader = await recorded([coded], ['Content-Encoding', coding]);
    const { written, note } = await save(reader.it);
    expect({ length: written.length, hash: hash(written), note }).toEqual({
      ...{ length: LARGE.length, hash: hash(LARGE), note: null },
    });
    const shown = await reader.it.readBody({ ...DECODED, offset: 0, length: 1 });
    expect(shown).toMatchObject({ size: DECODE_LIMIT, complete: false, problem: null });
  });

  test('writes the bytes as received, on request', async () => {
    const coded = zlib.gzipSync(SMALL);
    using reader = await recorded([coded], GZIP);
    expect(await save(reader.it, 'raw')).toEqual({ written: coded, note: null });
  });

  test('writes what can be decoded of a damaged body, and reports it', async () => {
    const coded = zlib.gzipSync(SMALL);
    using reader = await recorded([coded.subarray(0, coded.length / 2)], GZIP);
    const { written, note } = await save(reader.it);
    expect(written.length).toBeGreaterThan(0);
    expect(SMALL.subarray(0, written.length).equals(written)).toBe(true);
    expect(note).toBe('The body ends before its gzip data does. Saved up to that point.');
  });

  test('writes a body in an unknown coding unchanged, and reports it', async () => {
    using reader = await recorded([SMALL], ['Content-Encoding', 'lzma']);
    const { written, note } = await save(reader.it);
    expect(written.equals(SMALL)).toBe(true);
    expect(note).toBe('The coding "lzma" is not supported. Saved without decoding.');
  });

  test('leaves nothing behind if it fails', async () => {
    using reader = await recorded([SMALL], []);
    const folder = temporaryFolder();
    const running = saveBody(reader.it, DECODED, join(folder, 'no', 'file'));
    await expect(running).rejects.toMatchObject({ code: 'body.write-failed', failure: { cause: 'ENOENT' } });
    const missing = saveBody(reader.it, { ...DECODED, id: 9 }, join(folder, 'file'));
    await expect(missing).rejects.toMatchObject({ code: 'session.not-found' });
    expect(fs.readdirSync(folder)).toEqual([]);
  });
});
