import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GatheredWriter } from '../../../../../electron/engine/http/gathered-writer.ts';
import { type Outgoing, Turn } from '../../../../../electron/engine/turn.ts';

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

/** A turn that ends on request. */
class HeldTurn extends Turn {
  readonly #taken: Outgoing[] = [];

  override takes(outgoing: Outgoing): boolean {
    this.#taken.push(outgoing);
    return true;
  }

  get taken(): number {
    return this.#taken.length;
  }

  end(): void {
    for (const each of this.#taken.splice(0)) each.goOut();
  }
}

/** A turn in which nothing waits. */
class NoTurn extends Turn {
  override takes(): boolean {
    return false;
  }
}

/** A writer whose turn lasts until the test ends it. */
function heldWriter() {
  const { stream, written } = calls();
  const turn = new HeldTurn();
  return { stream, written, turn, writer: new GatheredWriter(stream, turn) };
}

describe('a gathered writer', () => {
  it('writes nothing before it is flushed, and then all of it in one call', () => {
    const { stream, written } = calls();
    const writer = new GatheredWriter(stream, new NoTurn());
    for (const piece of ['head', '5\r\n', 'abcde', '\r\n']) writer.write(Buffer.from(piece));
    expect(written).toEqual([]);
    writer.flush();
    expect(written.map(String)).toEqual(['head5\r\nabcde\r\n']);
    writer.flush();
    expect(written).toHaveLength(1);
  });

  it('writes at the end of a turn that takes it, once, what was flushed in it', () => {
    const { written, turn, writer } = heldWriter();
    for (const piece of ['one', 'two']) {
      writer.write(Buffer.from(piece));
      expect(writer.flush()).toBe(true);
    }
    expect(written).toEqual([]);
    expect(turn.taken).toBe(1);
    turn.end();
    expect(written.map(String)).toEqual(['onetwo']);
    writer.write(Buffer.from('three'));
    writer.flush();
    turn.end();
    expect(written.map(String)).toEqual(['onetwo', 'three']);
  });

  it('does not delay many bytes or urgent ones, and keeps the order', () => {
    const { written, turn, writer } = heldWriter();
    writer.write(Buffer.from('head'));
    writer.flush();
    writer.write(Buffer.alloc(16 * 1024, 'x'));
    writer.flush();
    expect(written.map(String)).toEqual([`head${'x'.repeat(16 * 1024)}`]);
    writer.write(Buffer.from('tail'));
    writer.flush();
    writer.goOut();
    expect(String(written[1])).toBe('tail');
    turn.end();
    expect(written).toHaveLength(2);
  });

  it('keeps held bytes, and releases all of them', () => {
    const { written, turn, writer } = heldWriter();
    writer.write(Buffer.from('head'));
    writer.flush();
    writer.hold();
    expect(written.map(String)).toEqual(['head']);
    writer.write(Buffer.from('body'));
    expect(writer.flush()).toBe(false);
    turn.end();
    expect(written).toHaveLength(1);
    expect(writer.letGo()).toBe(true);
    expect(written.map(String)).toEqual(['head', 'body']);
  });

  it('ends its socket if writing to it throws', async () => {
    const { stream } = calls();
    const failed = once(stream, 'error');
    new GatheredWriter(stream, new HeldTurn()).internalError(new Error('a fault'));
    expect(String((await failed)[0])).toBe('Error: a fault');
    expect(stream.destroyed).toBe(true);
  });

  it('writes nothing to a socket that is gone by the end of the turn', () => {
    const { stream, written, turn, writer } = heldWriter();
    writer.write(Buffer.from('too late'));
    writer.flush();
    stream.destroy();
    turn.end();
    expect(written).toEqual([]);
  });

  it('joins neighbours of one buffer without a copy', () => {
    const { stream, written } = calls();
    const writer = new GatheredWriter(stream, new NoTurn());
    const read = Buffer.from('a head and its body');
    writer.write(read.subarray(2, 6));
    writer.write(read.subarray(6));
    writer.flush();
    expect(written).toHaveLength(1);
    expect(written[0]?.buffer).toBe(read.buffer);
    expect(String(written[0])).toBe('head and its body');
  });

  it.each([
    ['at once', () => new NoTurn()],
    ['at turns’ ends', () => new HeldTurn()],
  ])('writes the bytes in their order, whatever buffers they are of: %s', (_, newTurn) => {
    const cut = fc.tuple(fc.nat(1), fc.nat(19), fc.nat(19));
    fc.assert(
      fc.property(fc.array(fc.oneof(cut, fc.constantFrom('flush' as const, 'end' as const))), (steps) => {
        const buffers = [Buffer.from('abcdefghijklmnopqrst'), Buffer.from('ABCDEFGHIJKLMNOPQRST')];
        const { stream, written } = calls();
        const turn = newTurn();
        const writer = new GatheredWriter(stream, turn);
        let expected = '';
        for (const step of steps) {
          if (step === 'flush' || step === 'end') {
            if (step === 'flush') writer.flush();
            else if (turn instanceof HeldTurn) turn.end();
            continue;
          }
          const [which, one, two] = step;
          const piece = buffers[which]?.subarray(Math.min(one, two), Math.max(one, two) + 1) ?? Buffer.alloc(0);
          writer.write(piece);
          expected += piece;
        }
        writer.goOut();
        expect(String(Buffer.concat(written))).toBe(expected);
      }),
    );
  });

  it('notes when the first and last write of a message left, among other writes of the turn', () => {
    const { stream } = calls();
    const turn = new HeldTurn();
    const writer = new GatheredWriter(stream, turn);
    writer.begin();
    writer.write(Buffer.from('one'));
    writer.flush();
    expect(writer.firstAt).toBe(-1);
    let others = Number.NaN;
    const before = performance.now();
    turn.takes({
      goOut: () => {
        others = performance.now();
        while (performance.now() < others + 2);
      },
      internalError: () => undefined,
    });
    turn.end();
    expect(writer.firstAt).toBeGreaterThanOrEqual(before);
    expect(writer.firstAt).toBeLessThanOrEqual(others);
    const { firstAt } = writer;
    writer.write(Buffer.from('two'));
    writer.goOut();
    expect(writer.firstAt).toBe(firstAt);
    expect(writer.lastAt).toBeGreaterThan(firstAt);
    writer.begin();
    expect(writer.firstAt).toBe(-1);
  });

  it('reports when the other side is slow', () => {
    const slow = new PassThrough({ highWaterMark: 4 });
    const writer = new GatheredWriter(slow, new NoTurn());
    expect(writer.write(Buffer.from('more than four'))).toBe(true);
    expect(writer.flush()).toBe(false);
    expect(writer.write(Buffer.from('x'))).toBe(false);
    slow.resume();
  });
});
