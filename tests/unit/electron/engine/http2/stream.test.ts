import { describe, expect, it } from 'vitest';
import { END_STREAM, FRAME, frame } from '../../../../support/http2-frames.ts';
import {
  BOTH,
  data,
  GET,
  type Joined,
  joined,
  OK,
  POST,
  quiet,
  reset,
  StreamLog,
  setting,
  windowUpdate,
} from '../../../../support/http2-peer.ts';

/** A request of ours, whose head has gone out. */
async function asked(options = {}, endStream = true, fields = GET) {
  const all = await joined(false, options);
  const log = new StreamLog();
  const stream = all.connection.request(fields, endStream, log, null);
  await quiet();
  return { ...all, all, log, stream };
}

const hold = (log: StreamLog): void => {
  log.onPiece = () => false;
};

describe('events are reported in order', () => {
  it('heads, body, trailers, and the end of each read', async () => {
    const { peer, log, connection } = await asked();
    await peer.send(peer.headers(1, [':status', '103', 'link', 'x']), peer.headers(1, OK));
    await peer.send(data(1, 'ab'), data(1, ''), data(1, 'cd'));
    await peer.send(peer.headers(1, ['x', 'y'], BOTH));
    expect(log.told).toEqual(['head', 'head', 'read over', 'data', 'data', 'read over', 'end', 'read over']);
    expect([log.heads[0], log.text, log.trailers]).toEqual([[':status', '103', 'link', 'x'], 'abcd', ['x', 'y']]);
    expect(connection.streams).toBe(0);
  });

  it('a head that ends it', async () => {
    const { peer, log, connection, over } = await asked();
    await peer.send(peer.headers(1, OK, BOTH));
    expect(log.told).toEqual(['head', 'end', 'read over']);
    expect([connection.streams, over]).toEqual([0, [1]]);
  });

  it('padding counts towards the window, and is not reported', async () => {
    const { peer, log } = await asked({ streamWindow: 1000 });
    const padded = frame(FRAME.data, 0x8, 1, Buffer.concat([Buffer.from([99]), Buffer.from('x'), Buffer.alloc(99)]));
    await peer.send(peer.headers(1, OK), ...Array.from({ length: 5 }, () => padded));
    expect(log.bytes).toBe(5);
    expect(peer.granted(1)).toBe(505);
  });
});

describe('content-length is enforced', () => {
  const cases: [string, string[], string[], (peer: Joined['peer']) => Buffer[], string | null][] = [
    ['as long', GET, ['content-length', '4'], () => [data(1, 'abcd', END_STREAM)], null],
    [
      'as long, and trailers',
      GET,
      ['content-length', '2'],
      (peer) => [data(1, 'ab'), peer.headers(1, ['x', 'y'], BOTH)],
      null,
    ],
    ['longer', GET, ['content-length', '3'], () => [data(1, 'abcd')], 'a body longer than its content-length'],
    [
      'shorter',
      GET,
      ['content-length', '5'],
      () => [data(1, 'abcd', END_STREAM)],
      'a body shorter than its content-length',
    ],
    [
      'shorter, and trailers',
      GET,
      ['content-length', '5'],
      (peer) => [peer.headers(1, ['x', 'y'], BOTH)],
      'a body shorter than its content-length',
    ],
    [
      'of a response to HEAD',
      [':method', 'HEAD', ...GET.slice(2)],
      ['content-length', '5'],
      () => [data(1, '', END_STREAM)],
      null,
    ],
    [
      'a body of a response to HEAD',
      [':method', 'HEAD', ...GET.slice(2)],
      ['content-length', '5'],
      () => [data(1, 'abcde')],
      'a body where none is allowed',
    ],
  ];
  it.each(cases)('%s', async (_what, request, fields, rest, fault) => {
    const { peer, log } = await asked({}, true, request);
    await peer.send(peer.headers(1, [...OK, ...fields]), ...rest(peer));
    expect(log.closed?.cause?.message ?? null).toBe(fault);
    expect(log.told.includes('end')).toBe(fault === null);
    expect(peer.resets).toEqual(fault === null ? [] : [[1, 1]]);
  });

  it.each(['204', '304'])('a %s may have a length without a body', async (status) => {
    const { peer, log } = await asked();
    await peer.send(peer.headers(1, [':status', status, 'content-length', '5']), data(1, '', END_STREAM));
    expect(log.told.at(-2)).toBe('end');
    const second = await asked();
    await second.peer.send(second.peer.headers(1, [':status', status]), data(1, 'x'));
    expect(second.log.closed?.cause?.message).toBe('a body where none is allowed');
  });

  it('excess bytes are returned to the connection window', async () => {
    const { peer, connection } = await asked({ connectionWindow: 131_072 });
    for (let count = 0; count < 40; count += 1) {
      const id = count === 0 ? 1 : connection.request(GET, true, new StreamLog(), null).id;
      await quiet(3);
      await peer.send(peer.headers(id, [...OK, 'content-length', '1']), data(id, Buffer.alloc(16_000)));
    }
    expect(peer.goaways).toEqual([]);
    expect(peer.granted(0)).toBeGreaterThan(131_072 - 65_535 + 400_000);
  });
});

describe('a consumer that holds', () => {
  it('keeps the window closed, and loses nothing', async () => {
    const { peer, log, stream, connection } = await asked({ streamWindow: 1000 });
    hold(log);
    await peer.send(peer.headers(1, OK), ...Array.from({ length: 10 }, (_each, at) => data(1, String(at).repeat(100))));
    expect([log.text.length, peer.granted(1), stream.held]).toEqual([100, 0, true]);
    await peer.send(data(1, '', END_STREAM));
    expect(log.told.filter((each) => each === 'end')).toEqual([]);
    expect(connection.streams).toBe(0);
    stream.resume();
    expect(log.text).toHaveLength(200);
    log.onPiece = () => true;
    stream.resume();
    expect(log.text).toBe(Array.from({ length: 10 }, (_each, at) => String(at).repeat(100)).join(''));
    expect(log.told.slice(-2)).toEqual(['end', 'read over']);
  });

  it('opens the window as it consumes', async () => {
    const { peer, log, stream } = await asked({ streamWindow: 1000 });
    hold(log);
    await peer.send(peer.headers(1, OK), ...Array.from({ length: 10 }, () => data(1, 'x'.repeat(100))));
    for (let count = 0; count < 8; count += 1) stream.resume();
    await quiet();
    expect(peer.granted(1)).toBe(500);
    await peer.send(data(1, 'y'.repeat(500)));
    expect(peer.resets).toEqual([]);
    await peer.send(data(1, 'z'));
    expect(peer.resets).toEqual([[1, 3]]);
  });

  it('retains no chunk that mostly belongs to others', async () => {
    const all = await joined(true, { streamWindow: 1_000_000, connectionWindow: 10_000_000 });
    await all.peer.send(all.peer.headers(1, POST), all.peer.headers(3, POST));
    const log = all.logs.get(1) as StreamLog;
    const kept: Buffer[] = [];
    hold(log);
    await all.peer.send(data(1, 'x'));
    for (let count = 0; count < 20; count += 1)
      await all.peer.send(data(1, Buffer.alloc(600)), data(3, Buffer.alloc(16_000)));
    log.onPiece = () => true;
    const onData = log.onData.bind(log);
    log.onData = (bytes) => {
      kept.push(bytes);
      return onData(bytes);
    };
    all.streams.get(1)?.resume();
    expect(kept).toHaveLength(20);
    for (const bytes of kept) expect(bytes.buffer.byteLength).toBeLessThan(16_000);
  });

  it('a consumer attached later gets everything', async () => {
    const all = await joined(true);
    all.onRequest = () => {};
    await all.peer.send(all.peer.headers(1, POST), data(1, 'abc'), data(1, 'def', END_STREAM));
    const log = new StreamLog();
    all.streams.get(1)?.listen(log);
    expect([log.told, log.text]).toEqual([['data', 'data', 'end'], 'abcdef']);
  });

  it('a consumer attached after the end gets the end', async () => {
    const all = await joined(true);
    all.onRequest = () => {};
    await all.peer.send(all.peer.headers(1, POST), data(1, 'abc'), reset(1, 8));
    const log = new StreamLog();
    all.streams.get(1)?.listen(log);
    expect([log.told, log.closed]).toEqual([['closed'], { by: 'peer', code: 8, cause: null }]);
  });

  it.each([
    ['while it comes', false],
    ['when all of it is here', true],
  ])('releases the connection window if it gives up, %s', async (_when, whole) => {
    const { peer, log, stream } = await asked({ connectionWindow: 131_072 });
    hold(log);
    await peer.send(peer.headers(1, OK), ...Array.from({ length: 4 }, () => data(1, Buffer.alloc(16_000))));
    if (whole) await peer.send(data(1, '', END_STREAM));
    stream.reset(8);
    stream.resume();
    expect(log.told.filter((each) => each === 'data')).toHaveLength(1);
    expect(log.told).not.toContain('end');
    const before = peer.granted(0);
    // The connection's is given back from its half on, 65,536: with 64,000 that were dropped this is over it.
    await peer.send(data(1, Buffer.alloc(2000)));
    expect(peer.granted(0) - before).toBe(66_000);
  });
});

describe('resets', () => {
  it.each([0, 2, 5, 8])('a reset by the peer, code %i, is reported with its code', async (code) => {
    const { peer, log, connection } = await asked({}, false);
    await peer.send(peer.headers(1, [...OK, 'content-length', '9']), data(1, 'abc'), reset(1, code));
    expect(log.told.at(-1)).toBe('closed');
    expect([log.closed, connection.streams, peer.resets]).toEqual([{ by: 'peer', code, cause: null }, 0, []]);
  });

  it('NO_ERROR after a whole body is its end (as in node:http2)', async () => {
    for (const length of [[], ['content-length', '3']]) {
      const { peer, log, connection } = await asked();
      await peer.send(peer.headers(1, [...OK, ...length]), data(1, 'abc'), reset(1, 0));
      expect([log.told.slice(0, 3), log.closed, connection.streams]).toEqual([['head', 'data', 'end'], null, 0]);
    }
  });

  it('NO_ERROR before a head is an error', async () => {
    const { peer, log } = await asked();
    await peer.send(reset(1, 0));
    expect(log.told).toEqual(['closed']);
  });

  it('NO_ERROR after a whole response stops the request (RFC 9113, section 8.1)', async () => {
    const { peer, log, stream, connection } = await asked({}, false);
    await peer.send(setting(4, 0), peer.headers(1, OK, BOTH), reset(1, 0));
    expect(log.told).toEqual(['head', 'end', 'closed']);
    expect(stream.write(Buffer.from('x'))).toBe(true);
    expect(connection.streams).toBe(0);
  });

  it('a whole response that is held is reported first, and no more of the request is sent', async () => {
    const { peer, log, stream, connection, over } = await asked({}, false);
    hold(log);
    await peer.send(peer.headers(1, OK), data(1, 'ab'), data(1, 'cd', END_STREAM), reset(1, 0));
    expect([connection.streams, over, log.text]).toEqual([0, [1], 'ab']);
    stream.write(Buffer.from('more'));
    stream.end([]);
    await quiet();
    expect(peer.of(FRAME.data)).toEqual([]);
    log.onPiece = () => true;
    stream.resume();
    expect([log.text, log.told.slice(-3)]).toEqual(['abcd', ['data', 'end', 'closed']]);
    expect(over).toEqual([1]);
  });

  it('our reset sends its code once, and nothing is reported after it', async () => {
    const { peer, log, stream, over } = await asked({}, false);
    stream.reset(8);
    stream.reset(2);
    stream.end([]);
    await peer.send(peer.headers(1, OK), data(1, 'x', END_STREAM));
    expect([peer.resets, log.told, over]).toEqual([[[1, 8]], [], [1]]);
  });

  it('our NO_ERROR waits for what was written and ended', async () => {
    const all = await joined(true);
    await all.peer.send(setting(4, 5), all.peer.headers(1, POST));
    const stream = all.streams.get(1);
    stream?.head(OK, false);
    stream?.write(Buffer.from('0123456789'));
    stream?.end([]);
    stream?.reset(0);
    await quiet();
    expect([all.peer.data(1), all.peer.resets]).toEqual(['01234', []]);
    await all.peer.send(windowUpdate(1, 5));
    expect([all.peer.data(1), all.peer.resets]).toEqual(['0123456789', [[1, 0]]]);
    expect(all.peer.of(FRAME.data, 1).at(-1)?.flags).toBe(END_STREAM);
    expect(all.connection.streams).toBe(0);
  });

  it('any other code, and NO_ERROR without an end, do not wait', async () => {
    for (const [ended, code] of [
      [true, 8],
      [false, 0],
    ] as const) {
      const all = await joined(true);
      await all.peer.send(setting(4, 0), all.peer.headers(1, POST));
      const stream = all.streams.get(1);
      stream?.write(Buffer.from('x'));
      if (ended) stream?.end([]);
      stream?.reset(0);
      if (code !== 0) stream?.reset(code);
      await quiet();
      expect([all.peer.data(1), all.peer.resets, stream?.out.bytes]).toEqual(['', [[1, code]], 0]);
    }
  });

  it('frames of the peer after our reset are no fault, and reopen the connection window', async () => {
    const { peer, stream } = await asked({}, false);
    stream.reset(8);
    for (let count = 0; count < 20; count += 1) await peer.send(data(1, Buffer.alloc(10_000)));
    await peer.send(peer.headers(1, OK), windowUpdate(1, 0), reset(1, 0));
    expect([peer.goaways, peer.resets]).toEqual([[], [[1, 8]]]);
    expect(peer.granted(0)).toBeGreaterThan(131_072 - 65_535 + 100_000);
  });
});

describe('nothing is sent after the end', () => {
  it('a head, a piece, an end', async () => {
    const all = await joined(true);
    await all.peer.send(all.peer.get(1));
    const stream = all.streams.get(1);
    stream?.head(OK, true);
    stream?.head(OK, false);
    stream?.write(Buffer.from('x'));
    stream?.end(['a', 'b']);
    await quiet();
    expect(all.peer.frames.filter((each) => each.stream === 1)).toHaveLength(1);
  });

  it('a piece after an end that waits', async () => {
    const all = await joined(true);
    await all.peer.send(setting(4, 0), all.peer.get(1));
    const stream = all.streams.get(1);
    stream?.head(OK, false);
    stream?.write(Buffer.from('a'));
    stream?.end([]);
    stream?.write(Buffer.from('b'));
    stream?.end(['x', 'y']);
    await all.peer.send(windowUpdate(1, 10));
    expect(all.peer.data(1)).toBe('a');
    expect(all.peer.of(FRAME.headers, 1)).toHaveLength(1);
  });
});
