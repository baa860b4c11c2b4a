import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PieceQueue } from '../../../../../electron/engine/http2/piece-queue.ts';
import { SendQueue } from '../../../../../electron/engine/http2/sending/send-queue.ts';

it('returns what was put in, in order, for any sequence of puts and takes', () => {
  const step = fc.oneof(
    fc.record({ add: fc.integer({ min: 0, max: 1500 }) }),
    fc.record({ add: fc.integer({ min: 0, max: 3 }) }),
    fc.record({ take: fc.integer({ min: 1, max: 2000 }) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 600 }), (steps) => {
      const queue = new PieceQueue();
      let put = '';
      let taken = '';
      for (const each of steps) {
        if ('add' in each) {
          const bytes = Buffer.alloc(each.add).map((_byte, at) => (put.length + at) % 251);
          put += Buffer.from(bytes).toString('latin1');
          queue.add(Buffer.from(bytes));
        } else if (queue.bytes > 0) {
          const piece = queue.take(each.take);
          expect(piece.length).toBeGreaterThan(0);
          expect(piece.length).toBeLessThanOrEqual(each.take);
          taken += piece.toString('latin1');
        }
        expect(queue.bytes).toBe(put.length - taken.length);
      }
      while (queue.bytes > 0) taken += queue.take(Number.POSITIVE_INFINITY).toString('latin1');
      expect(taken).toBe(put);
    }),
    { numRuns: 200 },
  );
});

it('joins small pieces: one byte per piece costs little memory', () => {
  const queue = new PieceQueue();
  for (let count = 0; count < 100_000; count += 1) queue.add(Buffer.from([count % 256]));
  let pieces = 0;
  for (; queue.bytes > 0; pieces += 1) queue.take(Number.POSITIVE_INFINITY);
  expect(pieces).toBeLessThan(300);
});

it('joins no large ones', () => {
  const queue = new PieceQueue();
  const piece = Buffer.alloc(512);
  for (let count = 0; count < 200; count += 1) queue.add(piece);
  for (let count = 0; count < 200; count += 1) expect(queue.take(Number.POSITIVE_INFINITY)).toBe(piece);
});

it('releases places even if it never runs empty', () => {
  const queue = new PieceQueue();
  queue.add(Buffer.alloc(1024));
  const before = process.memoryUsage().arrayBuffers;
  for (let count = 0; count < 20_000; count += 1) {
    queue.add(Buffer.from(new ArrayBuffer(16_384)));
    queue.take(Number.POSITIVE_INFINITY);
  }
  expect(queue.bytes).toBe(16_384);
  // 320 MB went through.
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(200_000_000);
});

it('a send queue drops everything, trailers included', () => {
  const queue = new SendQueue();
  queue.add(Buffer.from('abc'));
  queue.trailers = ['a', 'b'];
  queue.drop();
  expect([queue.bytes, queue.trailers, queue.ended]).toEqual([0, null, false]);
  queue.add(Buffer.from('def'));
  expect(queue.take(2).toString()).toBe('de');
});
