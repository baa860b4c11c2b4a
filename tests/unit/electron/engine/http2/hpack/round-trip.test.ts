import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HpackDecoder } from '../../../../../../electron/engine/http2/hpack/decoder.ts';
import { HpackEncoder } from '../../../../../../electron/engine/http2/hpack/encoder.ts';
import { HpackError } from '../../../../../../electron/engine/http2/hpack/hpack-error.ts';
import { STATIC_NAMES } from '../../../../../../electron/engine/http2/hpack/static-table.ts';

const bytes = fc.uint8Array({ maxLength: 40 }).map((each) => Buffer.from(each).toString('latin1'));
const text = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789-_/=;. ,"%'), maxLength: 120 });
/** Few, because they must repeat. */
const names = fc.oneof(
  fc.constantFrom(...STATIC_NAMES.slice(1)),
  fc.constantFrom('x-one', 'x-two', 'x-three', 'priority', 'sec-ch-ua', '', 'x'.repeat(300)),
  bytes,
);
const values = fc.oneof(
  fc.constantFrom('', 'GET', '200', '/', 'gzip, deflate', 'one', 'two', 'three', 'y'.repeat(500), 'z'.repeat(5000)),
  text,
  bytes,
);
const block = fc.record({
  fields: fc.array(fc.tuple(names, values), { maxLength: 12 }).map((pairs) => pairs.flat()),
  never: fc.option(fc.array(names, { maxLength: 10 })),
  sizes: fc.array(fc.constantFrom(0, 31, 32, 64, 100, 300, 1000, 4096, 65_536), { maxLength: 3 }),
});

it('any fields come out as they went in, over a connection with changing table sizes', () => {
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: 30 }), (blocks) => {
      const encoder = new HpackEncoder();
      const decoder = new HpackDecoder(4096);
      for (const { fields, never, sizes } of blocks) {
        for (const size of sizes) encoder.maxTableSize = size;
        const encoded = encoder.encode(fields, never);
        expect(decoder.decode(encoded, 0, encoded.length, 1_000_000, 1000)).toEqual(fields);
        expect(decoder.overflow).toBe(false);
        const secret = (_: string, at: number): boolean =>
          at % 2 === 0 &&
          (never?.includes(fields[at] as string) ||
            ['authorization', 'proxy-authorization'].includes(fields[at] as string) ||
            (fields[at] === 'cookie' && (fields[at + 1] as string).length < 20));
        expect(decoder.neverIndexed ?? []).toEqual(fields.filter(secret));
      }
    }),
    { seed: 7541, numRuns: 300 },
  );
});

it('any bytes are a block or an HpackError', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 5 }), (blocks) => {
      const decoder = new HpackDecoder(4096);
      try {
        for (const each of blocks) {
          const fields = decoder.decode(each, 0, each.length, 2000, 10);
          expect(fields.length % 2).toBe(0);
          expect(fields.length).toBeLessThanOrEqual(20);
          expect(fields.every((field) => typeof field === 'string')).toBe(true);
        }
      } catch (error) {
        if (!(error instanceof HpackError)) throw error;
      }
    }),
    { seed: 7541, numRuns: 3000 },
  );
});
