import { describe, expect, it } from 'vitest';
import { END_STREAM, FRAME } from '../../../../../support/http2-frames.ts';
import { data, type Joined, joined, quiet, reset, setting, windowUpdate } from '../../../../../support/http2-peer.ts';

const INITIAL_WINDOW = 4;
const FRAME_SIZE = 5;
const OK = [':status', '200'];

/** This many streams, whose responses have begun. */
async function withResponses(count: number, options = {}): Promise<Joined> {
  const all = await joined(true, options);
  const ids = Array.from({ length: count }, (_each, index) => index * 2 + 1);
  await all.peer.send(...ids.map((id) => all.peer.get(id)));
  for (const stream of all.streams.values()) stream.head(OK, false);
  return all;
}

const lengths = (all: Joined, stream?: number): number[] =>
  all.peer.of(FRAME.data, stream).map(({ payload }) => payload.length);

describe('windows', () => {
  it.each([0, 8])('sends a reset (%i) that ends a body after all of it, and no END_STREAM', async (code) => {
    const all = await joined(true);
    await all.peer.send(setting(INITIAL_WINDOW, 10), all.peer.get(1));
    all.streams.get(1)?.head(OK, false);
    all.streams.get(1)?.write(Buffer.from('0123456789abcdef'));
    all.streams.get(1)?.endByReset(code);
    await quiet();
    expect(all.peer.resets).toEqual([]);
    await all.peer.send(windowUpdate(1, 6));
    expect(all.peer.data(1)).toBe('0123456789abcdef');
    expect(all.peer.resets).toEqual([[1, code]]);
    expect(all.peer.frames.filter(({ type, flags }) => type === FRAME.data && flags & END_STREAM)).toEqual([]);
    expect(all.over).toEqual([1]);
  });

  it('sends what the window allows, and the rest with each WINDOW_UPDATE', async () => {
    const all = await joined(true);
    await all.peer.send(setting(INITIAL_WINDOW, 10), all.peer.get(1));
    all.streams.get(1)?.write(Buffer.from('0123456789abcdef'));
    all.streams.get(1)?.end([]);
    await quiet();
    expect(all.peer.data(1)).toBe('0123456789');
    await all.peer.send(windowUpdate(1, 1));
    expect(all.peer.data(1)).toBe('0123456789a');
    await all.peer.send(windowUpdate(1, 100));
    expect(all.peer.data(1)).toBe('0123456789abcdef');
    expect(all.peer.of(FRAME.data, 1).map(({ flags }) => flags)).toEqual([0, 0, END_STREAM]);
    expect(all.connection.streams).toBe(0);
  });

  it('holds at the connection window, which all streams share', async () => {
    const all = await withResponses(2);
    await all.peer.send(windowUpdate(1, 100_000), windowUpdate(3, 100_000));
    for (const stream of all.streams.values()) stream.write(Buffer.alloc(60_000));
    await quiet();
    expect(lengths(all).reduce((sum, each) => sum + each, 0)).toBe(65_535);
    await all.peer.send(windowUpdate(0, 10));
    expect(lengths(all).reduce((sum, each) => sum + each, 0)).toBe(65_545);
    await all.peer.send(windowUpdate(0, 100_000));
    expect([all.peer.data(1).length, all.peer.data(3).length]).toEqual([60_000, 60_000]);
  });

  it('a window that SETTINGS make negative has to be filled up first (RFC 9113, section 6.9.2)', async () => {
    const all = await joined(true);
    await all.peer.send(setting(INITIAL_WINDOW, 100), all.peer.get(1));
    const stream = all.streams.get(1);
    stream?.write(Buffer.alloc(300, 'x'));
    await quiet();
    expect(all.peer.data(1)).toHaveLength(100);
    await all.peer.send(setting(INITIAL_WINDOW, 30));
    expect(stream?.sendWindow).toBe(-70);
    await all.peer.send(windowUpdate(1, 70));
    expect([stream?.sendWindow, all.peer.data(1).length]).toEqual([0, 100]);
    await all.peer.send(windowUpdate(1, 5));
    expect(all.peer.data(1)).toHaveLength(105);
    await all.peer.send(setting(INITIAL_WINDOW, 60));
    expect(all.peer.data(1)).toHaveLength(135);
    await all.peer.send(setting(INITIAL_WINDOW, 0x7fff_0000));
    expect(all.peer.data(1)).toHaveLength(300);
  });

  it('an end, and trailers, need no window', async () => {
    const all = await joined(true);
    await all.peer.send(setting(INITIAL_WINDOW, 0), all.peer.get(1), all.peer.get(3));
    for (const stream of all.streams.values()) stream.head(OK, false);
    all.streams.get(1)?.end([]);
    all.streams.get(3)?.end(['x', 'y']);
    await quiet();
    expect(all.peer.of(FRAME.data, 1)).toMatchObject([{ flags: END_STREAM }]);
    expect(all.peer.of(FRAME.headers, 3)).toHaveLength(2);
    expect(all.connection.streams).toBe(0);
  });

  it('sends frames as large as the peer takes', async () => {
    const all = await withResponses(1);
    all.streams.get(1)?.write(Buffer.alloc(20_000));
    await quiet();
    await all.peer.send(setting(FRAME_SIZE, 20_000));
    all.streams.get(1)?.write(Buffer.alloc(20_000));
    await quiet();
    expect(lengths(all, 1)).toEqual([16_384, 3616, 20_000]);
  });
});

describe('the last frame says END_STREAM', () => {
  it('if the end is known by then, without a separate frame', async () => {
    const all = await withResponses(1);
    all.streams.get(1)?.write(Buffer.alloc(16_384));
    all.streams.get(1)?.write(Buffer.alloc(1));
    all.streams.get(1)?.end([]);
    await quiet();
    expect(all.peer.of(FRAME.data, 1).map(({ flags, payload }) => [payload.length, flags])).toEqual([
      [16_384, 0],
      [1, END_STREAM],
    ]);
  });

  it('as trailers, after the whole body', async () => {
    const all = await withResponses(1);
    all.streams.get(1)?.write(Buffer.alloc(20_000));
    all.streams.get(1)?.end(['grpc-status', '0']);
    await quiet();
    const of1 = all.peer.frames.filter(({ stream }) => stream === 1);
    expect(of1.map(({ type, flags }) => [type, flags & END_STREAM])).toEqual([
      [FRAME.headers, 0],
      [FRAME.data, 0],
      [FRAME.data, 0],
      [FRAME.headers, END_STREAM],
    ]);
    expect(of1.filter(({ type }) => type === FRAME.headers).map((each) => all.peer.fields(each))).toEqual([
      OK,
      ['grpc-status', '0'],
    ]);
  });
});

describe('streams take turns', () => {
  it('a frame of each', async () => {
    const all = await withResponses(3);
    for (const stream of all.streams.values()) stream.write(Buffer.alloc(40_000));
    await all.peer.send(windowUpdate(0, 1_000_000));
    expect(all.peer.of(FRAME.data).map(({ stream }) => stream)).toEqual([1, 3, 5, 1, 3, 5, 1, 3, 5]);
  });

  it('more streams than a write has room for are all served', async () => {
    const all = await withResponses(40);
    await all.peer.send(windowUpdate(0, 100_000_000));
    for (const stream of all.streams.values()) stream.write(Buffer.alloc(60_000));
    await quiet(40);
    const order = all.peer.of(FRAME.data).map(({ stream }) => stream);
    expect(new Set(order.slice(0, 40)).size).toBe(40);
    expect(new Set(order.slice(40, 80)).size).toBe(40);
  });

  it('a connection window that opens bit by bit goes to each of them', async () => {
    const all = await withResponses(5);
    for (const stream of all.streams.values()) stream.write(Buffer.alloc(60_000));
    await quiet();
    for (let count = 0; count < 10; count += 1) await all.peer.send(windowUpdate(0, 16_384));
    const each = [...all.streams.keys()].map((id) => all.peer.data(id).length);
    expect(Math.min(...each)).toBeGreaterThan(30_000);
  });

  it('one whose window is shut, or that was reset, holds up no other', async () => {
    const all = await joined(true);
    await all.peer.send(setting(INITIAL_WINDOW, 10), all.peer.get(1), all.peer.get(3), all.peer.get(5));
    for (const stream of all.streams.values()) stream.write(Buffer.alloc(100));
    await all.peer.send(windowUpdate(3, 1000), reset(5, 8));
    expect([1, 3].map((id) => all.peer.data(id).length)).toEqual([10, 100]);
    expect(all.connection.streams).toBe(2);
  });
});

it('a source is notified once when half of its bytes are out', async () => {
  const all = await withResponses(1);
  const stream = all.streams.get(1);
  const log = all.logs.get(1);
  expect(stream?.write(Buffer.alloc(100_000))).toBe(true);
  expect(stream?.write(Buffer.alloc(100_000))).toBe(false);
  await quiet();
  // 65,535 are out.
  expect(log?.drained).toBe(0);
  await all.peer.send(windowUpdate(0, 200_000), windowUpdate(1, 60_000));
  expect(log?.drained).toBe(0);
  await all.peer.send(windowUpdate(1, 20_000));
  expect(log?.drained).toBe(1);
  await all.peer.send(windowUpdate(1, 200_000));
  expect([log?.drained, all.peer.data(1).length]).toEqual([1, 200_000]);
});

it('sent bytes count as activity of their stream', async () => {
  const all = await withResponses(2);
  const [one, three] = [all.streams.get(1), all.streams.get(3)];
  const before = one?.activeAt ?? 0;
  one?.write(Buffer.from('x'));
  await quiet();
  expect(one?.activeAt).toBeGreaterThan(before);
  expect(three?.activeAt).toBe(before);
});

describe('invalid WINDOW_UPDATE', () => {
  it.each([
    ['of nothing, on the connection', [windowUpdate(0, 0)], 1],
    ['over 2^31 - 1 on the connection', [windowUpdate(0, 0x7fff_ffff)], 3],
  ])('%s ends it', async (_what, bytes, code) => {
    const all = await withResponses(1);
    await all.peer.send(...bytes);
    expect(all.peer.goaways).toEqual([[1, code]]);
  });

  it.each([
    ['of nothing, on a stream', windowUpdate(1, 0), 1],
    ['over 2^31 - 1 on a stream', windowUpdate(1, 0x7fff_ffff), 3],
  ])('%s resets that one', async (_what, bytes, code) => {
    const all = await withResponses(2);
    await all.peer.send(bytes, data(0, '').subarray(0, 0));
    expect(all.peer.resets).toEqual([[1, code]]);
    expect(all.connection.streams).toBe(1);
  });

  it('SETTINGS that make one overflow end the connection', async () => {
    const all = await withResponses(1);
    await all.peer.send(windowUpdate(1, 0x7fff_0000), setting(INITIAL_WINDOW, 0x7fff_ffff));
    expect(all.peer.goaways).toEqual([[1, 3]]);
  });
});
