import { join } from 'node:path';
import * as zlib from 'node:zlib';
import { expect, test } from 'vitest';
import { BodyRanges, DECODE_LIMIT } from '../../../../../electron/session/read/body-ranges.ts';
import { SessionReader } from '../../../../../electron/session/read/session-reader.ts';
import { exampleExchange } from '../../../../support/example-exchange.ts';
import { closing, record, startRecorder } from '../../../../support/recording.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const PLAIN = Buffer.from('ünïcode, and then some more of it. '.repeat(30_000));

/** Each of `bodies` is the response of an exchange. */
async function recordedAll(bodies: readonly Uint8Array[], headers: string[], complete = true) {
  const path = join(temporaryFolder(), 'a.roundtrip');
  const recorder = await startRecorder(path);
  for (const body of bodies) {
    const response = { headers, body: { size: 0, stored: 0, complete } };
    record(recorder, exampleExchange({ id: recorder.nextExchangeId(), response }), { response: body });
  }
  await recorder.close();
  return closing(new SessionReader(path));
}

const recorded = (body: Uint8Array, headers: string[], complete = true) => recordedAll([body], headers, complete);

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

/** The reader's bodies: `begun` has the ids of those that were read, `most` tells how many at a time. */
function watched(reader: SessionReader) {
  const [open, begun] = [new Set<number>(), [] as number[]];
  let most = 0;
  function* bodyPieces(id: number, side: 'request' | 'response'): Iterable<Uint8Array> {
    begun.push(id);
    open.add(id);
    most = Math.max(most, open.size);
    try {
      yield* reader.bodyPieces(id, side);
    } finally {
      open.delete(id);
    }
  }
  const bodies = {
    sessionId: () => reader.sessionId(),
    get: (id: number) => reader.get(id),
    bodySize: (id: number, side: 'request' | 'response') => reader.bodySize(id, side),
    bodyPieces,
  };
  return { bodies, begun, most: () => most };
}

test('large bodies are decoded one at a time, and the two that were read last are kept', async () => {
  const coded = zlib.gzipSync(Buffer.alloc(DECODE_LIMIT));
  using reader = await recordedAll([coded, coded, coded], ['Content-Encoding', 'gzip']);
  const { bodies, begun, most } = watched(reader.it);
  const ranges = new BodyRanges(bodies);
  const read = (id: number) => ranges.read({ ...WHOLE, id, offset: DECODE_LIMIT - 5, length: 5 });
  const found = await Promise.all([1, 2, 3].map(read));
  expect(found.map(({ size }) => size)).toEqual([DECODE_LIMIT, DECODE_LIMIT, DECODE_LIMIT]);
  expect(most()).toBe(1);
  for (const id of [3, 2, 1]) await read(id);
  expect(begun).toEqual([1, 2, 3, 1]);
});
