import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BodyReader, bodyReader } from '../../../../../electron/engine/http/h1-body.ts';
import { FramingError } from '../../../../../electron/engine/http/h1-head.ts';
import type { Framing } from '../../../../../electron/engine/http/message.ts';
import { cuts, framingSoup, split } from '../../../../support/split-bytes.ts';

function readerFor(framing: Framing): BodyReader {
  const reader = bodyReader(framing, 'request');
  if (!reader) throw new Error(`${framing.kind} has a body`);
  return reader;
}

interface Read {
  outcome: 'done' | 'more' | 'refused';
  payload: string;
  taken: number;
  trailers: readonly string[];
}

/** Reads a body that comes in pieces, as a connection does. */
function read(framing: Framing, pieces: readonly Buffer[]): Read {
  const reader = readerFor(framing);
  const payload: Buffer[] = [];
  let taken = 0;
  try {
    for (const piece of pieces) {
      if (reader.done) break;
      taken += reader.consume(piece, 0);
      payload.push(...reader.payload);
    }
  } catch (error) {
    expect(error).toBeInstanceOf(FramingError);
    return { outcome: 'refused', payload: '', taken: 0, trailers: [] };
  }
  const outcome = reader.done ? 'done' : 'more';
  return { outcome, payload: Buffer.concat(payload).toString('latin1'), taken, trailers: reader.trailers };
}

const CHUNKED: Framing = { kind: 'chunked' };
const chunked = (text: string): Read => read(CHUNKED, [Buffer.from(text, 'latin1')]);

describe('a body with a length', () => {
  it('reads that many bytes and leaves the next message alone, in pieces of any size', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 300 }),
        fc.uint8Array({ maxLength: 50 }),
        cuts(),
        (body, next, at) => {
          const all = Buffer.concat([body, next]);
          const got = read({ kind: 'length', length: body.length }, split(all, at));
          expect(got).toMatchObject({
            outcome: 'done',
            payload: Buffer.from(body).toString('latin1'),
            taken: body.length,
          });
        },
      ),
    );
  });

  it('is not done before its last byte, and the end of the connection does not end it', () => {
    const reader = readerFor({ kind: 'length', length: 3 });
    reader.consume(Buffer.from('ab'), 0);
    expect([reader.done, reader.endsWithConnection]).toEqual([false, false]);
  });
});

it('a body until the connection ends takes all bytes, and is complete at the end', () => {
  const reader = readerFor({ kind: 'close' });
  expect(reader.consume(Buffer.from('xxabc'), 2)).toBe(5);
  expect([Buffer.concat(reader.payload).toString(), reader.done, reader.endsWithConnection]).toEqual([
    'abc',
    false,
    true,
  ]);
});

// RFC 9112, section 7.1
describe('a chunked body', () => {
  const token = fc.stringMatching(/^[a-z]{1,8}$/);
  const extension = fc.oneof(fc.constant(''), fc.stringMatching(/^[ \t]?;[\x20-\x7e\x80-\xff]{0,20}$/));
  const chunk = fc.record({
    data: fc.uint8Array({ minLength: 1, maxLength: 80 }),
    zeros: fc.integer({ min: 0, max: 4 }),
    upper: fc.boolean(),
    extension,
  });
  const trailers = fc
    .array(fc.tuple(token, token), { maxLength: 3 })
    .filter((fields) => fields.every(([name]) => name !== 'host' && name !== 'trailer'));

  it('gives its payload and trailers, and ends at its end, in pieces of any size', () => {
    fc.assert(
      fc.property(
        fc.array(chunk, { maxLength: 6 }),
        trailers,
        fc.uint8Array({ maxLength: 30 }),
        cuts(),
        (chunks, fields, next, at) => {
          const parts = chunks.map(({ data, zeros, upper, extension: more }) => {
            const digits = data.length.toString(16);
            const size = '0'.repeat(zeros) + (upper ? digits.toUpperCase() : digits);
            return Buffer.concat([Buffer.from(`${size}${more}\r\n`, 'latin1'), data, Buffer.from('\r\n')]);
          });
          const last = `0\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
          const body = Buffer.concat([...parts, Buffer.from(last)]);
          const got = read(CHUNKED, split(Buffer.concat([body, next]), at));
          expect(got).toEqual({
            outcome: 'done',
            payload: Buffer.concat(chunks.map(({ data }) => data)).toString('latin1'),
            taken: body.length,
            trailers: fields.flat(),
          });
        },
      ),
      { numRuns: 500 },
    );
  });

  it('the verdict on any input does not depend on how the bytes were split', () => {
    const words = [
      '0\r\n',
      '\r\n',
      '\r\n',
      '5\r\nabcde\r\n',
      '1',
      'a',
      ';x',
      ' ',
      '\r',
      '\n',
      '\0',
      'X: y\r\n',
      ':',
      'g',
      '-',
    ];
    fc.assert(
      fc.property(framingSoup(words), cuts(), (all, at) => {
        expect(read(CHUNKED, split(all, at))).toEqual(read(CHUNKED, [all]));
      }),
      { numRuns: 3000 },
    );
  });

  it('passes views of the input: nothing is copied', () => {
    const bytes = Buffer.from('3\r\nabc\r\n0\r\n\r\n');
    const reader = readerFor(CHUNKED);
    reader.consume(bytes, 0);
    expect(reader.payload[0]?.buffer).toBe(bytes.buffer);
  });

  it('counts up to 2^52 - 1, and refuses what a number would round', () => {
    expect(chunked('fffffffffffff\r\nab').outcome).toBe('more');
    expect(chunked('00000000000000\r\n\r\n').outcome).toBe('refused');
    expect(chunked('10000000000000000\r\n').outcome).toBe('refused');
    expect(chunked('ffffffffffffffff\r\n').outcome).toBe('refused');
  });

  it.each([
    '5\nabcde\r\n0\r\n\r\n',
    '5\r\nabcde\n0\r\n\r\n',
    '5\r\nabcdeXX0\r\n\r\n',
    '5\r\nabcde\rX',
    '5 \r\nabcde\r\n',
    ' 5\r\nabcde\r\n',
    '0x5\r\n',
    '+5\r\n',
    '-1\r\n',
    '\r\n',
    ';a\r\n',
    '5;a\rb\r\n',
    '5;a\0\r\n',
    '5,a\r\n',
    '0\r\nX : y\r\n\r\n',
    '0\r\nX\r\n\r\n',
    '0\r\nX: y\r\n z\r\n\r\n',
    '0\r\nX: y\n\r\n',
    '0\r\n\n',
    '0\r\nContent-Length: 5\r\n\r\n',
    '0\r\ntransfer-encoding: chunked\r\n\r\n',
    '0\r\nHost: a\r\n\r\n',
  ])('%j is refused', (text) => {
    expect(chunked(text).outcome).toBe('refused');
  });

  it.each(['5\rab', 'X', '5 5', '5\r\nabcdeX', '0\r\nX: y\rz', '5;a\0', '5\r\nabcde\r\r'])(
    '%j is refused before its line ends: upstream would have it by then',
    (text) => {
      expect(chunked(text).outcome).toBe('refused');
    },
  );

  it.each([
    ['5 \t\r\nabcde\r\n0 \r\n\r\n', 'white space behind a chunk size', []],
    ['0\r\nX: y\r\nHost: a\r\n\r\n', 'Host among the trailers', ['X', 'y']],
  ])('of a response may have a fault that changes nothing: %j', (text, fault, trailers) => {
    const reader = bodyReader(CHUNKED, 'response');
    expect(reader?.consume(Buffer.from(text), 0)).toBe(text.length);
    expect(reader).toMatchObject({ done: true, fault, trailers });
  });

  it.each(['5 5\r\nabcde\r\n', ' 5\r\nabcde\r\n', '0\r\nX: y\r\nHost: a\r\n b\r\n\r\n'])(
    'of a response may not be ambiguous: %j',
    (text) => {
      expect(() => bodyReader(CHUNKED, 'response')?.consume(Buffer.from(text), 0)).toThrow(FramingError);
    },
  );

  it('size lines and trailers without an end are refused', () => {
    expect(chunked(`1;${'a'.repeat(5000)}`).outcome).toBe('refused');
    expect(chunked(`0\r\n${'X: y\r\n'.repeat(12_000)}`).outcome).toBe('refused');
    expect(chunked(`0\r\nX: ${'y'.repeat(70_000)}`).outcome).toBe('refused');
  });
});
