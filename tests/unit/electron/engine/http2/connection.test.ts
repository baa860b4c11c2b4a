import { duplexPair } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { Http2Connection } from '../../../../../electron/engine/http2/connection.ts';
import { ConnectionFault } from '../../../../../electron/engine/http2/error-codes.ts';
import { END_HEADERS, END_STREAM, FRAME, frame } from '../../../../support/http2-frames.ts';
import {
  BOTH,
  data,
  GET,
  Http2Peer,
  joined,
  OK,
  OPTIONS,
  POST,
  quiet,
  reset,
  SETTINGS,
  StreamLog,
  setting,
} from '../../../../support/http2-peer.ts';

const PING = frame(FRAME.ping, 0, 0, '12345678');
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
};

describe('first words', () => {
  it('of a server: SETTINGS, and the window', async () => {
    const { peer } = await joined(true);
    expect(peer.frames[0]?.payload.toString('hex')).toBe('00040000ffff' + '000600010000' + '000300000064');
    expect(peer.granted(0)).toBe(131_072 - 65_535);
  });

  it('of a client: push is disabled', async () => {
    const { peer } = await joined(false);
    expect(peer.frames[0]?.payload.toString('hex')).toBe('00040000ffff' + '000600010000' + '000200000000');
  });

  it.each([
    ['another preface', Buffer.from('GET / HTTP/1.1\r\n')],
    ['a preface with one wrong byte at its end', Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\r')],
    ['another frame than SETTINGS', Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), PING])],
    ['a SETTINGS ACK', Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(FRAME.settings, 1, 0)])],
    ['DATA', Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), data(1, 'x')])],
  ])('%s is refused, however it is cut', async (_what, bytes) => {
    for (const size of [1, 7, 100]) {
      const [near, far] = duplexPair();
      let closed: Error | null | undefined;
      const handlers = {
        ...{ request: () => {}, refused: () => {}, settings: () => {}, goaway: () => {} },
        ...{ streamOver: () => {}, closed: (error: Error | null) => (closed = error) },
      };
      new Http2Connection(near, { ...OPTIONS, server: true }, handlers).start();
      const peer = new Http2Peer(far, true);
      for (let at = 0; at < bytes.length; at += size) far.write(bytes.subarray(at, at + size));
      await quiet(100);
      expect(peer.goaways).toEqual([[0, 1]]);
      expect(closed).toBeInstanceOf(ConnectionFault);
      near.destroy();
      far.destroy();
    }
  });
});

it('cuts a head that is larger than a frame, and puts END_STREAM on its first piece', async () => {
  const { peer, connection } = await joined(false);
  const fields = [...GET, 'x', 'y'.repeat(50_000)];
  connection.request(fields, true, new StreamLog(), null);
  await quiet();
  const pieces = peer.frames.filter(({ stream }) => stream === 1);
  expect(pieces.map(({ type }) => type)).toEqual([1, 9, 9].slice(0, pieces.length));
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.map(({ flags }) => flags)).toEqual([END_STREAM, ...Array(pieces.length - 2).fill(0), END_HEADERS]);
  const whole = { ...pieces[0], payload: Buffer.concat(pieces.map(({ payload }) => payload)) };
  expect(peer.fields(whole as never)).toEqual(fields);
});

it('uses a table of the size that the peer has', async () => {
  const { peer, connection } = await joined(false);
  await peer.send(setting(1, 0));
  connection.request([...GET, 'x', 'y'], true, new StreamLog(), null);
  connection.request([...GET, 'x', 'y'], true, new StreamLog(), null);
  await quiet();
  const [first, second] = peer.of(FRAME.headers);
  // A size update to 0 at its start; and nothing of the first is known to the second.
  expect(first?.payload[0]).toBe(0x20);
  expect(first?.payload.subarray(1)).toEqual(second?.payload);
});

it('offers extended CONNECT once, and takes it then', async () => {
  const { peer, connection, streams } = await joined(true);
  connection.takeProtocol();
  connection.takeProtocol();
  await peer.send(peer.headers(1, [':method', 'CONNECT', ':protocol', 'websocket', ...GET.slice(2)]));
  expect(peer.of(FRAME.settings).filter(({ payload }) => payload.toString('hex') === '000800000001')).toHaveLength(1);
  expect(streams.has(1)).toBe(true);
});

describe('graceful closing', () => {
  it('open streams continue, new ones are ignored, and its GOAWAY never names a higher stream', async () => {
    const { peer, connection, streams, closed } = await joined(true);
    await peer.send(peer.headers(1, POST));
    connection.close();
    connection.close();
    await peer.send(peer.get(3), data(1, 'x', END_STREAM));
    expect([peer.goaways, [...streams.keys()], peer.ended]).toEqual([[[1, 0]], [1], false]);
    await peer.send(frame(FRAME.settings, 0, 1));
    expect(peer.goaways).toEqual([
      [1, 0],
      [1, 1],
    ]);
    expect(closed).toBeUndefined();
  });

  it('after its last stream', async () => {
    const all = await joined(true);
    await all.peer.send(all.peer.get(1));
    all.connection.close();
    all.streams.get(1)?.head(OK, false);
    all.streams.get(1)?.write(Buffer.from('last words'));
    all.streams.get(1)?.end([]);
    await quiet();
    expect([all.peer.data(1), all.peer.ended, all.closed]).toEqual(['last words', true, null]);
  });

  it('after a time without streams', async () => {
    const all = await joined(true, { idleTime: 60 });
    await all.peer.send(all.peer.get(1));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(all.peer.goaways).toEqual([]);
    all.streams.get(1)?.head(OK, true);
    await until(() => all.peer.ended);
    expect([all.peer.goaways, all.closed]).toEqual([[[1, 0]], null]);
  });

  it('even if its peer keeps its own side open', async () => {
    const all = await joined(true, { idleTime: 60, streamSilence: 100 });
    await until(() => all.peer.ended);
    await until(() => all.socket.destroyed);
    const unread = await joined(true, { streamSilence: 100 });
    unread.peer.socket.pause();
    unread.connection.close();
    await until(() => unread.socket.destroyed);
  });
});

it('reports a silent stream repeatedly, and no other', async () => {
  const all = await joined(true, { streamSilence: 100 });
  await all.peer.send(all.peer.headers(1, POST), all.peer.headers(3, POST));
  const silences = (id: number): number => all.logs.get(id)?.told.filter((each) => each === 'silence').length ?? 0;
  while (silences(1) < 2) {
    await all.peer.send(data(3, 'x'));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect([silences(1), silences(3)]).toEqual([2, 0]);
});

describe('the socket ends', () => {
  it.each(['end', 'destroy'] as const)(
    'by %s: every stream is notified, and no timer or stream is left',
    async (how) => {
      const all = await joined(true);
      await all.peer.send(all.peer.get(1), all.peer.headers(3, POST));
      all.peer.socket[how]();
      if (how === 'destroy') all.socket.destroy();
      await quiet();
      expect([...all.logs.values()].map(({ closed }) => closed?.by)).toEqual(['loss', 'loss']);
      expect([all.connection.streams, all.connection.usable, all.closed, all.over]).toEqual([0, false, null, [1, 3]]);
      const one = all.streams.get(1);
      one?.head(OK, false);
      one?.write(Buffer.from('x'));
      one?.reset(8);
      await quiet();
      expect(all.logs.get(1)?.told.filter((each) => each === 'closed')).toHaveLength(1);
    },
  );

  it('by an error, which the streams report', async () => {
    const all = await joined(false);
    const log = new StreamLog();
    all.connection.request(GET, true, log, null);
    const error = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    all.socket.destroy(error);
    await quiet();
    expect(log.closed).toEqual({ by: 'loss', code: 8, cause: error });
    expect(all.closed).toBe(error);
  });
});

it('a peer that sends and does not read gets a limited number of replies', async () => {
  const all = await joined(true);
  const head = [...OK, 'x', 'y'.repeat(60_000)];
  all.onRequest = (stream) => stream.head(head, true);
  all.peer.socket.pause();
  let sent = 0;
  for (; all.closed === undefined && sent < 1000; sent += 1) await all.peer.send(all.peer.get(sent * 2 + 1));
  expect(all.closed).toMatchObject({ code: 11 });
  expect(sent).toBeGreaterThan(200);
  await until(() => all.socket.destroyed);
});

describe('handlers with side effects', () => {
  const acts: [string, (all: Awaited<ReturnType<typeof joined>>, id: number) => void][] = [
    ['reset the stream', (all, id) => all.streams.get(id)?.reset(8)],
    ['close the connection', (all) => all.connection.close()],
    ['destroy the connection', (all) => all.connection.destroy()],
    [
      'respond at once',
      (all, id) => {
        all.streams.get(id)?.head(OK, false);
        all.streams.get(id)?.end([]);
      },
    ],
    [
      'throw',
      () => {
        throw new Error('a bug');
      },
    ],
  ];
  const moments = ['request', 'data', 'end', 'read over', 'closed'];
  const cases = acts.flatMap(([what, act]) => moments.map((moment) => [what, moment, act] as const));

  it.each(cases)('%s at: %s', async (what, moment, act) => {
    const all = await joined(true);
    const { peer, logs } = all;
    all.onRequest = (stream, log) => {
      stream.listen(log);
      if (stream.id === 1) log.also = (told) => told === moment && act(all, 1);
      if (stream.id === 1 && moment === 'request') act(all, 1);
    };
    // One chunk: the rest is still parsed.
    await peer.send(
      ...[peer.headers(1, POST), data(1, 'ab'), peer.headers(3, POST), data(1, 'cd'), data(3, 'x')],
      ...(moment === 'closed' ? [reset(1, 8)] : [peer.headers(1, ['x', 'y'], BOTH)]),
      ...[data(3, 'y', END_STREAM), PING],
    );
    const told = logs.get(1)?.told ?? [];
    expect(told.filter((each) => each === 'closed').length).toBeLessThanOrEqual(1);
    if (told.includes('closed')) expect(told.at(-1)).toBe('closed');
    if (what === 'destroy the connection') {
      expect([all.connection.streams, all.closed, all.socket.destroyed]).toEqual([0, null, true]);
      return;
    }
    if (what === 'throw' && moment === 'closed') {
      // Only the connection's own handlers are left to notify.
      expect(all.closed).toMatchObject({ code: 2, message: 'a bug' });
      return;
    }
    // After our GOAWAY no new stream is accepted.
    const late = what === 'close the connection' && (moment === 'request' || moment === 'data');
    expect(logs.get(3)?.text).toBe(late ? undefined : 'xy');
    expect([peer.of(FRAME.ping).length, all.closed]).toEqual([1, undefined]);
    if (what === 'throw') {
      expect(peer.resets).toEqual([[1, 2]]);
      if (moment !== 'request') expect(logs.get(1)?.closed).toMatchObject({ by: 'fault', code: 2 });
    }
    all.streams.get(1)?.reset(8);
    all.streams.get(3)?.reset(8);
    await quiet();
    expect(all.connection.streams).toBe(0);
  });

  it('throw at: drained', async () => {
    const all = await joined(true);
    await all.peer.send(all.peer.get(1), all.peer.get(3));
    const [one, three] = [all.streams.get(1), all.streams.get(3)];
    const log = all.logs.get(1) as StreamLog;
    log.also = (told) => {
      if (told === 'drained') throw new Error('a bug');
    };
    one?.write(Buffer.alloc(150_000));
    three?.write(Buffer.alloc(150_000));
    await all.peer.send(
      frame(8, 0, 0, Buffer.from([0, 9, 0, 0])),
      ...[1, 3].map((id) => frame(8, 0, id, Buffer.from([0, 9, 0, 0]))),
    );
    expect(all.peer.resets).toEqual([[1, 2]]);
    expect([all.peer.data(3).length, all.logs.get(3)?.drained]).toEqual([150_000, 1]);
  });
});

it('carries 300 streams at once', async () => {
  const { peer, connection } = await joined(false);
  for (let count = 0; count < 300; count += 1) connection.request(GET, true, new StreamLog(), null);
  await quiet();
  expect(peer.of(FRAME.headers)).toHaveLength(300);
  await peer.send(SETTINGS, ...Array.from({ length: 300 }, (_each, at) => peer.headers(at * 2 + 1, OK, BOTH)));
  expect(connection.streams).toBe(0);
});
