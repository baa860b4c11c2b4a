import { randomBytes } from 'node:crypto';
import * as zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decodeBody } from '../../../../../electron/session/read/decode-body.ts';

const PLAIN = Buffer.from(
  Array.from({ length: 20_000 }, (_, line) => `line ${line} of a text that compresses\n`).join(''),
);
const MIB = 1024 * 1024;

function* inPieces(bytes: Uint8Array, length = 1000): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

async function decode(bytes: Uint8Array, codings: string[], { limit = 10 * MIB, piece = 1000 } = {}) {
  const { pieces, ...rest } = await decodeBody(inPieces(bytes, piece), codings, limit);
  const whole = Buffer.concat(pieces);
  expect(rest.size).toBe(whole.length);
  return { ...rest, whole };
}

const CODED: [coding: string, coded: Buffer][] = [
  ['gzip', zlib.gzipSync(PLAIN)],
  ['x-gzip', zlib.gzipSync(PLAIN)],
  ['deflate', zlib.deflateSync(PLAIN)],
  ['deflate', zlib.deflateRawSync(PLAIN)],
  ['br', zlib.brotliCompressSync(PLAIN)],
  ['zstd', zlib.zstdCompressSync(PLAIN)],
];

/** Hardly compresses, which makes a long body. */
const LONG = randomBytes(300_000).toString('hex');

test.each([
  ['short', 20_000],
  ['long', LONG.length],
])('a %s body comes out whole, and stops at the limit, in one piece or many', async (_, length) => {
  const text = Buffer.from(LONG.slice(0, length));
  for (const piece of [999, 10 * MIB]) {
    expect((await decode(zlib.gzipSync(text), ['gzip'], { piece })).whole.equals(text)).toBe(true);
    const limited = await decode(zlib.gzipSync(text), ['gzip'], { piece, limit: 5000 });
    expect(limited).toMatchObject({ size: 5000, complete: false, problem: null });
  }
});

describe.each(CODED)('%s', (coding, coded) => {
  test.each([50, 1000, 10 * MIB])('comes out whole, from pieces of %i bytes', async (piece) => {
    const decoded = await decode(coded, [coding], { piece });
    expect(decoded.whole.equals(PLAIN)).toBe(true);
    expect(decoded).toMatchObject({ complete: true, problem: null });
  });

  test('truncated: decoded as far as possible, with a note', async () => {
    const decoded = await decode(coded.subarray(0, coded.length / 2), [coding]);
    expect(decoded.size).toBeGreaterThan(PLAIN.length / 10);
    expect(decoded.whole.equals(PLAIN.subarray(0, decoded.size))).toBe(true);
    expect(decoded).toMatchObject({ complete: false, problem: `The body ends before its ${coding} data does.` });
  });

  test('garbage: a sentence, not an exception', async () => {
    const decoded = await decode(Buffer.from('This was never compressed at all.'), [coding]);
    expect(decoded.complete).toBe(false);
    expect(decoded.problem).toMatch(/is not valid|ends before/);
  });

  test('an empty body is an empty body', async () => {
    expect(await decode(Buffer.alloc(0), [coding])).toMatchObject({ size: 0, complete: true, problem: null });
  });
});

test('gzip of several members is read to the end', async () => {
  const members = Buffer.concat([zlib.gzipSync('one '), zlib.gzipSync('two '), zlib.gzipSync('three')]);
  const decoded = await decode(members, ['gzip'], { piece: 7 });
  expect(decoded.whole.toString()).toBe('one two three');
  expect(decoded.complete).toBe(true);
});

test('stacked codings are undone from the outside in', async () => {
  const coded = zlib.gzipSync(zlib.brotliCompressSync(zlib.deflateSync(PLAIN)));
  const decoded = await decode(coded, ['gzip', 'br', 'deflate']);
  expect(decoded.whole.equals(PLAIN)).toBe(true);
});

test('stacked codings, the outer one truncated: decodes what it can and reports the first problem', async () => {
  const coded = zlib.gzipSync(zlib.brotliCompressSync(PLAIN));
  const decoded = await decode(coded.subarray(0, coded.length - 20), ['gzip', 'br']);
  expect(decoded.size).toBeGreaterThan(0);
  expect(decoded.whole.equals(PLAIN.subarray(0, decoded.size))).toBe(true);
  expect(decoded.problem).toBe('The body ends before its gzip data does.');
});

test('no coding: the bytes as they are, up to the limit', async () => {
  expect(await decode(PLAIN, [])).toMatchObject({ size: PLAIN.length, complete: true });
  const limited = await decode(PLAIN, [], { limit: 1500 });
  expect(limited).toMatchObject({ size: 1500, complete: false, problem: null });
});

test.each(['gzip', 'br'])('a %s bomb stops at the limit', async (coding) => {
  const bomb =
    coding === 'br' ? zlib.brotliCompressSync(Buffer.alloc(50 * MIB)) : zlib.gzipSync(Buffer.alloc(50 * MIB));
  expect(bomb.length).toBeLessThan(100_000);
  expect(await decode(bomb, [coding], { limit: MIB })).toMatchObject({ size: MIB, complete: false, problem: null });
});

test("a limit equal to the body's size does not truncate it", async () => {
  expect(await decode(zlib.gzipSync(PLAIN), ['gzip'], { limit: PLAIN.length })).toMatchObject({ complete: true });
});

test('unknown and endless codings are named', async () => {
  expect(await decode(PLAIN, ['gzip', 'compress'])).toMatchObject({
    complete: false,
    size: 0,
    problem: 'The coding "compress" is not supported.',
  });
  expect(
    (
      await decode(
        PLAIN,
        Array.from({ length: 6 }, () => 'gzip'),
      )
    ).problem,
  ).toContain('6 nested codings');
});
