import { PassThrough, Writable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GatheredWriter } from '../../../../../electron/engine/http/gathered-writer.ts';

/** A stream that keeps what each call to the system would carry: `writev` is one call, like a socket's. */
function calls(): { stream: Writable; written: Buffer[] } {
  const written: Buffer[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      written.push(chunk);
      done();
    },
    writev: (chunks, done) => {
      written.push(Buffer.concat(chunks.map(({ chunk }) => chunk)));
      done();
    },
  });
  return { stream, written };
}

describe('a gathered writer', () => {
  it('writes nothing before it is flushed, and then all of it in one call', () => {
    const { stream, written } = calls();
    const writer = new GatheredWriter(stream);
    for (const piece of ['head', '5\r\n', 'abcde', '\r\n']) writer.write(Buffer.from(piece));
    expect(written).toEqual([]);
    writer.flush();
    expect(written.map(String)).toEqual(['head5\r\nabcde\r\n']);
    writer.flush();
    expect(written).toHaveLength(1);
  });

  it('joins neighbours of one buffer without a copy', () => {
    const { stream, written } = calls();
    const writer = new GatheredWriter(stream);
    const read = Buffer.from('a head and its body');
    writer.write(read.subarray(2, 6));
    writer.write(read.subarray(6));
    writer.flush();
    expect(written).toHaveLength(1);
    expect(written[0]?.buffer).toBe(read.buffer);
    expect(String(written[0])).toBe('head and its body');
  });

  it('writes the bytes in their order, whatever buffers they are of', () => {
    const cut = fc.tuple(fc.nat(1), fc.nat(19), fc.nat(19));
    fc.assert(
      fc.property(fc.array(fc.oneof(cut, fc.constant('flush' as const))), (steps) => {
        const buffers = [Buffer.from('abcdefghijklmnopqrst'), Buffer.from('ABCDEFGHIJKLMNOPQRST')];
        const { stream, written } = calls();
        const writer = new GatheredWriter(stream);
        let expected = '';
        for (const step of steps) {
          if (step === 'flush') {
            writer.flush();
            continue;
          }
          const [which, one, two] = step;
          const piece = buffers[which]?.subarray(Math.min(one, two), Math.max(one, two) + 1) ?? Buffer.alloc(0);
          writer.write(piece);
          expected += piece;
        }
        writer.flush();
        expect(String(Buffer.concat(written))).toBe(expected);
      }),
    );
  });

  it('says when the other side is slow', () => {
    const slow = new PassThrough({ highWaterMark: 4 });
    const writer = new GatheredWriter(slow);
    expect(writer.write(Buffer.from('more than four'))).toBe(true);
    expect(writer.flush()).toBe(false);
    expect(writer.write(Buffer.from('x'))).toBe(false);
    slow.resume();
  });
});
