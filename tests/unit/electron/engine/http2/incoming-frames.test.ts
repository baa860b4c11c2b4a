import { describe, expect, it } from 'vitest';
import { END_HEADERS, END_STREAM, FRAME, frame, uint32 } from '../../../../support/http2-frames.ts';
import {
  BOTH,
  data,
  GET,
  goaway,
  type Http2Peer,
  joined,
  OK,
  POST,
  reset,
  SETTINGS,
  StreamLog,
  setting,
  windowUpdate,
} from '../../../../support/http2-peer.ts';

const PING = frame(FRAME.ping, 0, 0, '12345678');
const priority = (stream: number, on: number): Buffer =>
  frame(FRAME.priority, 0, stream, Buffer.concat([uint32(on), Buffer.from([16])]));
const push = (stream: number): Buffer => frame(5, END_HEADERS, stream, Buffer.concat([uint32(2), Buffer.from([0x82])]));

type Sends = (peer: Http2Peer) => Buffer[];

/** Stream 1 is open both ways, 3 has ended, and 5 was reset by the peer. */
async function server(options = {}) {
  const all = await joined(true, options);
  const { peer, streams } = all;
  await peer.send(peer.headers(1, POST), peer.get(3), peer.get(5), reset(5, 8));
  streams.get(3)?.head(OK, true);
  return all;
}

describe('to a server, what ends the connection, by its code', () => {
  const cases: [string, Sends, number][] = [
    ['DATA on stream 0', () => [data(0, 'x')], 1],
    ['DATA on an idle stream', () => [data(7, 'x')], 1],
    ['DATA on a stream of even id', () => [data(2, 'x')], 1],
    ['HEADERS on stream 0', (peer) => [peer.get(0)], 1],
    ['HEADERS of even id', (peer) => [peer.get(8)], 1],
    ['HEADERS on a stream that has ended', (peer) => [peer.get(3)], 5],
    ['an id that was passed over', (peer) => [peer.get(9), peer.get(7)], 1],
    ['PRIORITY on stream 0', () => [priority(0, 1)], 1],
    ['PRIORITY of four bytes on an idle stream', () => [frame(FRAME.priority, 0, 7, 'four')], 6],
    ['PRIORITY on an idle stream that depends on itself', () => [priority(7, 7)], 1],
    ['RST_STREAM on stream 0', () => [reset(0, 0)], 1],
    ['RST_STREAM on an idle stream', () => [reset(7, 0)], 1],
    ['RST_STREAM of three bytes', () => [frame(FRAME.reset, 0, 1, 'abc')], 6],
    ['SETTINGS on a stream', () => [frame(FRAME.settings, 0, 1)], 1],
    ['SETTINGS of five bytes', () => [frame(FRAME.settings, 0, 0, 'fives')], 6],
    ['a SETTINGS ACK that says something', () => [frame(FRAME.settings, 1, 0, '123456')], 6],
    ['a window of 2^31', () => [setting(4, 0x8000_0000)], 3],
    ['PUSH_PROMISE', () => [push(1)], 1],
    ['PING on a stream', () => [frame(FRAME.ping, 0, 1, '12345678')], 1],
    ['PING of seven bytes', () => [frame(FRAME.ping, 0, 0, '1234567')], 6],
    ['GOAWAY on a stream', () => [frame(FRAME.goaway, 0, 1, '12345678')], 1],
    ['GOAWAY of seven bytes', () => [frame(FRAME.goaway, 0, 0, '1234567')], 6],
    ['WINDOW_UPDATE on an idle stream', () => [windowUpdate(7, 1)], 1],
    ['WINDOW_UPDATE of five bytes', () => [frame(FRAME.windowUpdate, 0, 1, '12345')], 6],
    ['CONTINUATION of nothing', () => [frame(FRAME.continuation, END_HEADERS, 1)], 1],
    ['CONTINUATION of another stream', (peer) => [peer.headers(7, GET, 0), frame(9, END_HEADERS, 1)], 1],
    ['a PING inside a header block', (peer) => [peer.headers(7, GET, 0), PING], 1],
    ['DATA inside a header block', (peer) => [peer.headers(7, GET, 0), data(1, 'x')], 1],
    ['a frame that nobody knows inside a header block', (peer) => [peer.headers(7, GET, 0), frame(99, 0, 0)], 1],
    ['HPACK that is none', () => [frame(FRAME.headers, END_HEADERS, 7, Buffer.from([0x80]))], 9],
    ['HPACK that is cut off', () => [frame(FRAME.headers, END_HEADERS, 7, Buffer.from([0x40, 5]))], 9],
    ['a frame over 16 KiB', () => [frame(99, 0, 0, Buffer.alloc(16_385))], 6],
    [
      'a header block over the limit',
      () => [0, 1, 2, 3, 4].map((each) => frame(each === 0 ? 1 : 9, 0, 7, Buffer.alloc(16_384))),
      11,
    ],
    ['more DATA than the connection takes', () => Array.from({ length: 9 }, () => data(1, Buffer.alloc(16_384))), 3],
  ];
  it.each(cases)('%s', async (_what, sends, code) => {
    const { peer, logs, connection } = await server({ streamWindow: 1_000_000 });
    // The connection window counts unread data.
    const log = logs.get(1) as StreamLog;
    log.onPiece = () => false;
    await peer.send(...sends(peer));
    expect(peer.goaways.map(([, each]) => each)).toEqual([code]);
    expect(peer.ended).toBe(true);
    expect(log.closed).toMatchObject({ by: 'fault', code });
    expect(connection.streams).toBe(0);
    expect(connection.usable).toBe(false);
  });
});

it("more DATA than a stream accepts resets that stream, and the connection's window stays correct", async () => {
  const { peer, logs, connection } = await server({ streamWindow: 20_000 });
  const log = logs.get(1) as StreamLog;
  log.onPiece = () => false;
  await peer.send(data(1, 'x'), data(1, Buffer.alloc(15_000)), data(1, Buffer.alloc(4999)));
  expect(peer.resets).toEqual([]);
  await peer.send(data(1, 'y'));
  expect([peer.resets, log.closed?.code, connection.streams]).toEqual([[[1, 3]], 3, 0]);
  expect(peer.goaways).toEqual([]);
});

describe('to a server, what resets one stream, and only that', () => {
  const cases: [string, Sends, [number, number]][] = [
    ['PRIORITY of four bytes', () => [frame(FRAME.priority, 0, 1, 'four')], [1, 6]],
    ['PRIORITY that depends on itself', () => [priority(1, 1)], [1, 1]],
    [
      'PRIORITY of four bytes on a stream that has ended, told once',
      () => [frame(FRAME.priority, 0, 3, 'four'), frame(FRAME.priority, 0, 3, 'four')],
      [3, 6],
    ],
    [
      'HEADERS that depend on themselves',
      () => [frame(1, BOTH | 0x20, 7, Buffer.concat([uint32(7), Buffer.from([1, 0x82, 0x87, 0x84])]))],
      [7, 1],
    ],
    ['trailers without END_STREAM', (peer) => [peer.headers(1, ['x', 'y'])], [1, 1]],
    ['trailers with a pseudo-header field', (peer) => [peer.headers(1, [':path', '/'], BOTH)], [1, 1]],
    ['a request without :path', (peer) => [peer.headers(7, POST.slice(0, 6), BOTH)], [7, 1]],
    [
      'a request with a field of the connection',
      (peer) => [peer.headers(7, [...GET, 'connection', 'close'], BOTH)],
      [7, 1],
    ],
    ['a request with too many fields', (peer) => [peer.headers(7, [...GET, ...Array(200).fill('x')], BOTH)], [7, 11]],
    ['trailers with too many fields', (peer) => [peer.headers(1, Array(202).fill('x'), BOTH)], [1, 11]],
    ['extended CONNECT that was not offered', (peer) => [peer.headers(7, [':protocol', 'websocket', ...GET])], [7, 1]],
  ];
  it.each(cases)('%s', async (_what, sends, expected) => {
    const { peer, streams, connection } = await server();
    await peer.send(...sends(peer), PING);
    expect(peer.resets).toEqual([expected]);
    expect(peer.goaways).toEqual([]);
    expect(peer.of(FRAME.ping)).toMatchObject([{ flags: 1, payload: Buffer.from('12345678') }]);
    await peer.send(peer.get(101));
    expect(streams.has(101)).toBe(true);
    expect(connection.usable).toBe(true);
  });

  it.each([
    ['DATA', (_peer: Http2Peer) => [data(1, 'x', END_STREAM), data(1, 'y')], peer5],
    ['HEADERS', (peer: Http2Peer) => [data(1, 'x', END_STREAM), peer.headers(1, ['x', 'y'], BOTH)], peer5],
  ])('%s behind END_STREAM of a stream that is half closed', async (_what, sends, expected) => {
    const { peer, logs } = await server();
    await peer.send(...sends(peer));
    expect([peer.resets, peer.goaways]).toEqual([expected, []]);
    expect(logs.get(1)?.text).toBe('x');
  });

  it('DATA on a stream that has ended', async () => {
    const { peer } = await server();
    await peer.send(data(3, 'x'), data(3, 'y', END_STREAM), data(5, 'z'));
    expect(peer.resets).toEqual([
      [3, 5],
      [5, 5],
    ]);
    expect(peer.goaways).toEqual([]);
  });
});

const peer5: [number, number][] = [[1, 5]];

describe('what is allowed', () => {
  const cases: [string, Sends][] = [
    ['PRIORITY, on any stream', () => [priority(1, 3), priority(3, 1), priority(9, 1), priority(8, 0)]],
    ['RST_STREAM and WINDOW_UPDATE on one that has ended', () => [reset(3, 0), windowUpdate(3, 1), windowUpdate(5, 0)]],
    ['frames of a type that nobody knows', () => [frame(99, 0xff, 0, 'x'), frame(250, 0, 7, 'y'), frame(11, 0, 1)]],
    ['flags that nobody knows', (peer) => [frame(FRAME.settings, 0xfe, 0), peer.headers(7, GET, BOTH | 0xc2)]],
    ['settings that nobody knows', () => [setting(0x4d44, 1)]],
    ['a PING answered that nobody sent', () => [frame(FRAME.ping, 1, 0, '12345678')]],
    ['a SETTINGS ACK too many', () => [frame(FRAME.settings, 1, 0)]],
    ['the reserved bit of a stream id', () => [frame(FRAME.windowUpdate, 0, 0x8000_0001, uint32(5))]],
    [
      'HEADERS in pieces, an empty one last',
      (peer) => [peer.headers(7, GET, END_STREAM), frame(9, 0, 7), frame(9, END_HEADERS, 7)],
    ],
    ['ids passed over', (peer) => [peer.get(101)]],
  ];
  it.each(cases)('%s', async (_what, sends) => {
    const { peer, connection } = await server();
    await peer.send(...sends(peer), PING);
    expect([peer.resets, peer.goaways]).toEqual([[], []]);
    expect(peer.of(FRAME.ping)).toHaveLength(1);
    expect(connection.usable).toBe(true);
  });

  it('SETTINGS are acknowledged, each', async () => {
    const { peer } = await server();
    await peer.send(SETTINGS, setting(3, 1), SETTINGS);
    expect(peer.of(FRAME.settings).map(({ flags }) => flags)).toEqual([0, 1, 1, 1, 1]);
  });
});

it('refuses streams over the limit, which may be tried again, and takes more when there is room', async () => {
  const { peer, streams, connection } = await joined(true, { streams: 2 });
  await peer.send(...[1, 3, 5, 7].map((id) => peer.get(id)));
  expect([peer.resets, connection.streams]).toEqual([
    [
      [5, 7],
      [7, 7],
    ],
    2,
  ]);
  streams.get(1)?.head(OK, true);
  await peer.send(peer.get(9));
  expect([...streams.keys()]).toEqual([1, 3, 9]);
  expect(peer.resets).toHaveLength(2);
});

it('explains why it refuses a request', async () => {
  const { peer, refused } = await joined(true);
  await peer.send(peer.headers(1, [...GET, 'X', 'y'], BOTH), peer.headers(3, [...GET, ...Array(200).fill('x')], BOTH));
  expect(refused).toEqual(['the field name "X"', null]);
});

describe('to a client, what ends the connection, by its code', () => {
  const cases: [string, Sends, number][] = [
    ['PUSH_PROMISE', () => [push(1)], 1],
    ['HEADERS on a stream that nobody opened', (peer) => [peer.headers(3, OK)], 1],
    ['HEADERS on a stream of even id', (peer) => [peer.headers(2, OK)], 1],
    ['DATA on a stream that nobody opened', () => [data(3, 'x')], 1],
    ['DATA before a head', () => [data(1, 'x')], 1],
    ['RST_STREAM on a stream that nobody opened', () => [reset(3, 0)], 1],
    ['WINDOW_UPDATE on a stream that nobody opened', () => [windowUpdate(3, 1)], 1],
    ['HEADERS on a stream that has ended', (peer) => [peer.headers(1, OK, BOTH), peer.headers(1, OK)], 5],
  ];
  it.each(cases)('%s', async (_what, sends, code) => {
    const { peer, connection } = await joined(false);
    const log = new StreamLog();
    connection.request(GET, true, log, null);
    await peer.send(...sends(peer));
    expect(peer.goaways).toEqual([[0, code]]);
    expect(connection.usable).toBe(false);
    expect(connection.streams).toBe(0);
  });
});

describe('to a client, what resets one stream, and only that', () => {
  const cases: [string, Sends, number][] = [
    ['a response without :status', (peer) => [peer.headers(1, ['x', 'y'])], 1],
    ['an empty head', (peer) => [peer.headers(1, [])], 1],
    ['a 101', (peer) => [peer.headers(1, [':status', '101'])], 1],
    ['a 100 that ends', (peer) => [peer.headers(1, [':status', '100'], BOTH)], 1],
    ['a second head', (peer) => [peer.headers(1, OK), peer.headers(1, OK)], 1],
    ['too many fields', (peer) => [peer.headers(1, [...OK, ...Array(200).fill('x')])], 11],
    ['WINDOW_UPDATE of nothing', () => [windowUpdate(1, 0)], 1],
    ['1001 informational heads', (peer) => Array.from({ length: 1001 }, () => peer.headers(1, [':status', '102'])), 11],
  ];
  it.each(cases)('%s', async (_what, sends, code) => {
    const { peer, connection } = await joined(false);
    const [one, three] = [new StreamLog(), new StreamLog()];
    connection.request(GET, true, one, null);
    connection.request(GET, true, three, null);
    await peer.send(...sends(peer), peer.headers(3, OK, BOTH));
    expect([peer.resets, peer.goaways]).toEqual([[[1, code]], []]);
    expect(one.closed).toMatchObject({ by: 'fault', code });
    expect([three.told.includes('end'), connection.streams]).toEqual([true, 0]);
  });
});

describe('GOAWAY of the peer', () => {
  it('refuses streams that it has not accepted, and the others run to their end', async () => {
    const { peer, connection, goneAway, over } = await joined(false);
    const logs = [1, 3, 5].map(() => new StreamLog());
    for (const log of logs) connection.request(GET, true, log, null);
    await peer.send(goaway(3, 0));
    expect(logs.map(({ closed }) => closed?.code)).toEqual([undefined, undefined, 7]);
    expect([goneAway, connection.usable, connection.streams, peer.ended]).toEqual([[0], false, 2, false]);
    await peer.send(peer.headers(1, OK, BOTH), goaway(1, 0));
    expect(logs.map(({ closed }) => closed?.code)).toEqual([undefined, 7, 7]);
    expect([peer.ended, over.length]).toEqual([true, 3]);
  });

  it('a callback for the end of a stream cannot use the stream', async () => {
    const { peer, connection } = await joined(false);
    const log = new StreamLog();
    const usable: boolean[] = [];
    log.also = () => void usable.push(connection.usable);
    connection.request(GET, true, log, null);
    await peer.send(goaway(0, 0));
    expect([log.closed?.code, usable]).toEqual([7, [false]]);
  });

  it('is reported once, and again if a fault follows a graceful GOAWAY', async () => {
    const { peer, connection, goneAway } = await joined(false);
    connection.request(GET, true, new StreamLog(), null);
    await peer.send(...[0, 0, 2, 0, 2, 1, 11].map((code) => goaway(1, code)));
    expect(goneAway).toEqual([0, 2]);
  });

  it('ends a connection without streams', async () => {
    const { peer, connection } = await joined(true);
    await peer.send(goaway(0, 0));
    expect([peer.ended, connection.usable]).toEqual([true, false]);
  });
});

describe('floods end the connection', () => {
  const times = (count: number, each: (at: number) => Buffer): Buffer[] =>
    Array.from({ length: count }, (_of, at) => each(at));
  const cases: [string, Sends][] = [
    ['PING', () => times(120, () => PING)],
    ['SETTINGS', () => times(120, () => SETTINGS)],
    ['rapid reset', (peer) => times(120, (at) => Buffer.concat([peer.get(at * 2 + 7), reset(at * 2 + 7, 8)]))],
    ['requests that are none', (peer) => times(120, (at) => peer.headers(at * 2 + 7, ['x', 'y'], BOTH))],
    ['requests over the limit of streams', (peer) => times(320, (at) => peer.get(at * 2 + 7))],
    ['malformed PRIORITY', () => times(120_000, () => frame(FRAME.priority, 0, 3, 'four'))],
    ['empty DATA', () => times(120_000, () => data(1, ''))],
    ['empty DATA of a stream that was reset', () => [data(5, 'x'), ...times(120_000, () => data(5, '', END_STREAM))]],
  ];
  it.each(cases)('%s', async (_what, sends) => {
    const { peer } = await server();
    await peer.send(...sends(peer));
    expect(peer.goaways.map(([, code]) => code)).toEqual([11]);
    expect(peer.ended).toBe(true);
  });
});
