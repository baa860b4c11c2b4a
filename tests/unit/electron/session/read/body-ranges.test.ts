import { join } from 'node:path';
import * as zlib from 'node:zlib';
import { expect, test } from 'vitest';
import { SessionReader } from '../../../../../electron/session/read/session-reader.ts';
import { exampleExchange } from '../../../../support/example-exchange.ts';
import { closing, record, startRecorder } from '../../../../support/recording.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const PLAIN = Buffer.from('ünïcode, and then some more of it. '.repeat(30_000));

async function recorded(body: Uint8Array, headers: string[], complete = true) {
  const path = join(temporaryFolder(), 'a.roundtrip');
  const recorder = await startRecorder(path);
  const exchange = exampleExchange({
    id: recorder.nextExchangeId(),
    response: { headers, body: { size: 0, stored: 0, complete } },
  });
  record(recorder, exchange, { response: body });
  await recorder.close();
  return closing(new SessionReader(path));
}

const WHOLE = { id: 1, side: 'response', form: 'decoded', offset: 0, length: 1024 * 1024 } as const;

test('decoded: ranges put together are the body', async () => {
  using reader = await recorded(zlib.gzipSync(PLAIN), ['Content-Encoding', 'gzip']);
  const parts: Buffer[] = [];
  for (let offset = 0; offset < PLAIN.length; offset += 100_003) {
    const range = await reader.it.readBody({ ...WHOLE, offset, length: 100_003 });
    expect(range).toMatchObject({ size: PLAIN.length, complete: true, codings: ['gzip'], problem: null });
    parts.push(Buffer.from(range.data, 'base64'));
  }
  expect(Buffer.concat(parts).equals(PLAIN)).toBe(true);
});

test('raw: the bytes as received, also from the middle', async () => {
  const coded = zlib.gzipSync(PLAIN);
  using reader = await recorded(coded, ['Content-Encoding', 'gzip']);
  const range = await reader.it.readBody({ ...WHOLE, form: 'raw', offset: 10, length: 50 });
  expect(range).toMatchObject({ size: coded.length, complete: true, codings: [], problem: null });
  expect(Buffer.from(range.data, 'base64').equals(coded.subarray(10, 60))).toBe(true);
});

test('a range past the end is empty', async () => {
  using reader = await recorded(PLAIN, []);
  expect(await reader.it.readBody({ ...WHOLE, offset: PLAIN.length + 5 })).toMatchObject({
    data: '',
    size: PLAIN.length,
  });
});

test('a truncated body is incomplete, and decoded as far as possible', async () => {
  const coded = zlib.gzipSync(PLAIN);
  using reader = await recorded(coded.subarray(0, coded.length / 2), ['Content-Encoding', 'gzip'], false);
  const range = await reader.it.readBody(WHOLE);
  expect(range).toMatchObject({ complete: false, problem: 'The body ends before its gzip data does.' });
  expect(PLAIN.subarray(0, range.size).equals(Buffer.from(range.data, 'base64'))).toBe(true);
  expect(range.size).toBeGreaterThan(0);
  expect(await reader.it.readBody({ ...WHOLE, form: 'raw' })).toMatchObject({ complete: false, problem: null });
});

test('no exchange, no response, no body', async () => {
  using reader = await recorded(Buffer.alloc(0), []);
  await expect(reader.it.readBody({ ...WHOLE, id: 9 })).rejects.toMatchObject({ code: 'session.not-found' });
  expect(await reader.it.readBody(WHOLE)).toMatchObject({ data: '', size: 0, complete: true });
  expect(await reader.it.readBody({ ...WHOLE, side: 'request' })).toMatchObject({ data: '', size: 0 });
});
