import { Duplex } from 'node:stream';
import { expect, it } from 'vitest';
import {
  FrameOutput,
  type FrameSource,
  WRITE_BYTES,
} from '../../../../../../electron/engine/http2/sending/frame-output.ts';
import { quiet } from '../../../../../support/http2-peer.ts';

/** A socket that accepts writes on request. */
class Slow extends Duplex {
  readonly writes: string[] = [];
  #done: (() => void) | null = null;

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.writes.push(chunk.toString('latin1'));
    this.#done = done;
  }

  taken(): void {
    const done = this.#done;
    this.#done = null;
    done?.();
  }
}

const NOTHING: FrameSource = { fill: () => false, written: () => {} };
const never = (error: unknown): void => {
  throw error;
};

it('writes everything that one turn produced in one call', async () => {
  const socket = new Slow();
  const output = new FrameOutput(socket, NOTHING, never);
  output.push(Buffer.from('one '));
  output.push(Buffer.from('two '));
  expect(socket.writes).toEqual([]);
  await quiet(2);
  expect(socket.writes).toEqual(['one two ']);
  output.push(Buffer.from('three'));
  output.flush();
  socket.taken();
  await quiet(2);
  expect(socket.writes).toEqual(['one two ', 'three']);
});

it('lets pending input be read before its first write, on request', async () => {
  const socket = new Slow();
  const output = new FrameOutput(socket, NOTHING, never, true);
  output.push(Buffer.from('one '));
  await quiet(1);
  expect(socket.writes).toEqual([]);
  output.push(Buffer.from('two '));
  await quiet(2);
  expect(socket.writes).toEqual(['one two ']);
  socket.taken();
  output.push(Buffer.from('three'));
  await quiet(1);
  expect(socket.writes).toEqual(['one two ', 'three']);
});

it('asks its source again in another turn if only the size of a write limited it', async () => {
  const socket = new Slow();
  let left = 3;
  const order: string[] = [];
  const fill = (output: FrameOutput): boolean => {
    order.push('fill');
    if (left > 0) output.push(Buffer.alloc(10, 'x'));
    left -= 1;
    return left > 0;
  };
  const output = new FrameOutput(socket, { fill, written: () => void order.push('written') }, never);
  output.schedule();
  for (let count = 0; count < 10; count += 1) {
    await quiet(1);
    socket.taken();
  }
  expect(socket.writes).toEqual(['xxxxxxxxxx', 'xxxxxxxxxx', 'xxxxxxxxxx']);
  expect(order).toEqual(['fill', 'written', 'fill', 'written', 'fill', 'written']);
});

it('stops at a full socket, counts what is pushed meanwhile, and continues when it drains', async () => {
  const socket = new Slow();
  const asked: boolean[] = [];
  const source = { fill: (of: FrameOutput) => asked.push(of.blocked) > 100, written: () => {} };
  const output = new FrameOutput(socket, source, never);
  output.push(Buffer.alloc(WRITE_BYTES));
  await quiet(2);
  expect([output.blocked, output.unread]).toEqual([true, 0]);
  output.push(Buffer.from('control'));
  await quiet(2);
  expect([output.blocked, output.unread]).toEqual([true, 7]);
  socket.taken();
  socket.taken();
  await quiet(2);
  expect([output.blocked, output.unread]).toEqual([false, 0]);
  expect(socket.writes[1]).toBe('control');
  expect(asked).toEqual([false, true, false]);
});

it('writes nothing after the end of its socket, or to a closed one', async () => {
  for (const how of ['end', 'destroy'] as const) {
    const socket = new Slow();
    const errors: Error[] = [];
    socket.on('error', (error) => errors.push(error));
    const output = new FrameOutput(socket, NOTHING, never);
    socket[how]();
    output.push(Buffer.from('late'));
    await quiet(3);
    expect(errors).toEqual([]);
    expect(socket.writes).toEqual([]);
  }
});

it('reports what its source threw, and writes again', async () => {
  const socket = new Slow();
  const thrown: unknown[] = [];
  let throws = true;
  const fill = (): boolean => {
    if (throws) throw new Error('of the source');
    return false;
  };
  const output = new FrameOutput(socket, { fill, written: () => {} }, (error) => thrown.push(error));
  output.push(Buffer.from('a'));
  await quiet(2);
  expect(thrown).toEqual([new Error('of the source')]);
  throws = false;
  output.push(Buffer.from('b'));
  await quiet(2);
  expect(socket.writes).toEqual(['ab']);
});

it('tells those whose frames a write had when it left', async () => {
  const output = new FrameOutput(new Slow(), NOTHING, never);
  const left: [name: string, at: number][] = [];
  const sender = (name: string) => ({ left: (at: number) => void left.push([name, at]) });
  output.push(Buffer.from('one '));
  output.pushedFor(sender('one'));
  output.push(Buffer.from('nobody '));
  const before = performance.now();
  await quiet(2);
  output.push(Buffer.from('two '));
  output.pushedFor(sender('two'));
  expect(left.map(([name]) => name)).toEqual(['one']);
  expect(left[0]?.[1]).toBeGreaterThanOrEqual(before);
  expect(left[0]?.[1]).toBeLessThanOrEqual(performance.now());
  await quiet(2);
  expect(left.map(([name]) => name)).toEqual(['one', 'two']);
});

it('does not report frames that it dropped', async () => {
  const output = new FrameOutput(new Slow(), NOTHING, never);
  const left: number[] = [];
  output.push(Buffer.from('one '));
  output.pushedFor({ left: (at) => void left.push(at) });
  output.discard();
  output.push(Buffer.from('two '));
  await quiet(2);
  expect(left).toEqual([]);
});
