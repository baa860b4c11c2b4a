import { once } from 'node:events';
import net from 'node:net';
import { describe, expect, it } from 'vitest';
import { curl } from '../../support/curl.ts';
import { testEngine } from '../../support/engine.ts';
import { http2Client, responseOf } from '../../support/http2-client.ts';
import { http2Origin } from '../../support/http2-origin.ts';
import { rawOrigin } from '../../support/raw-origin.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const CLOSING = OK.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');

/** RFC 9113, section 7. */
const CANCEL = 8;

describe('how an HTTP/1.1 connection upstream ended', () => {
  it.each([
    ['the server that closed after its response', (socket: net.Socket) => socket.end(OK), 'upstream', 'closed'],
    ['the server that asked to close', (socket: net.Socket) => socket.end(CLOSING), 'upstream', 'connection-close'],
    [
      'the server that reset it',
      (socket: net.Socket) => socket.write(OK, () => setImmediate(() => socket.resetAndDestroy())),
      'upstream',
      'reset',
    ],
  ])('names %s', async (_name, serve, by, why) => {
    const through = await testEngine();
    const origin = await rawOrigin(serve);
    expect((await curl(through, `http://127.0.0.1:${origin.port}/`)).stdout).toBe('ok');
    expect(await through.seen.end1('upstream')).toMatchObject({ by, why, code: null, windowBlocked: 0 });
  });

  it('names the client that left in the middle', async () => {
    const through = await testEngine();
    const origin = await rawOrigin(() => {});
    const client = net.connect(through.port, '127.0.0.1');
    client.write(`GET http://127.0.0.1:${origin.port}/ HTTP/1.1\r\nHost: 127.0.0.1:${origin.port}\r\n\r\n`);
    await origin.receives('GET /');
    client.resetAndDestroy();
    expect(await through.seen.end1('upstream')).toMatchObject({ by: 'client', why: 'cancelled' });
    expect(await through.seen.end1('client')).toMatchObject({ by: 'client' });
  });

  it('names our idle time, with the moment of the end', async () => {
    const through = await testEngine({}, { idleSocketTime: 50 });
    const origin = await rawOrigin((socket) => socket.write(OK));
    await curl(through, `http://127.0.0.1:${origin.port}/`);
    const exchange = await through.seen.ended1();
    const end = await through.seen.end1('upstream');
    expect(end).toMatchObject({ by: 'us', why: 'idle' });
    expect(end.at).toBeGreaterThan(exchange.startedAt);
  });
});

describe('how an HTTP/2 connection ended', () => {
  it('has the code of the GOAWAY from upstream', async () => {
    const through = await testEngine({ insecureUpstream: true });
    const origin = await http2Origin((stream) => {
      stream.respond({ ':status': 200 });
      stream.end('ok', () => stream.session?.goaway(11));
    });
    const client = await http2Client(through, origin.port);
    expect((await responseOf(client.request({ ':path': '/' }))).body).toBe('ok');
    expect(await through.seen.end1('upstream')).toMatchObject({ by: 'upstream', why: 'goaway', code: 11 });
  });

  it('counts how long streams waited for the window of a client that did not read', async () => {
    const through = await testEngine({ insecureUpstream: true });
    const origin = await http2Origin((stream) => {
      stream.respond({ ':status': 200 });
      stream.end(Buffer.alloc(1024 * 1024));
    });
    const client = await http2Client(through, origin.port);
    const stream = client.request({ ':path': '/' });
    await once(stream, 'response');
    // Unread, the window of 64 KiB closes. It opens again as the body is read.
    await new Promise((resume) => stream.once('readable', resume));
    expect((await responseOf(stream)).body).toHaveLength(1024 * 1024);
    client.close();
    // The connection that carried the CONNECT ends too.
    const end = await through.seen.end1('client', 'goaway');
    expect(end).toMatchObject({ by: 'client', code: 0 });
    expect(end.windowBlocked).toBeGreaterThan(0);
    const stretches = end.closedWindows ?? [];
    expect(stretches.length).toBeGreaterThan(0);
    const lasted = stretches.reduce((sum, [from, to]) => sum + to - from, 0);
    // One stream: its stretches make up the whole time.
    expect(lasted).toBeCloseTo(end.windowBlocked, 1);
    expect(stretches.at(-1)?.[1]).toBeLessThanOrEqual(end.at);
  });

  it('counts the wait of a stream that the client gave up before its window opened', async () => {
    const through = await testEngine({ insecureUpstream: true });
    let isRead = () => {};
    const read = new Promise<void>((resolve) => {
      isRead = resolve;
    });
    const origin = await http2Origin((stream) => {
      stream.respond({ ':status': 200 });
      stream.end(Buffer.alloc(256 * 1024));
      // The reply to a PING follows the frames before it: the proxy has more of the body than fits the client's window.
      stream.once('finish', () => stream.session?.ping(() => isRead()));
    });
    const client = await http2Client(through, origin.port);
    const stream = client.request({ ':path': '/' });
    stream.on('error', () => undefined);
    await Promise.all([once(stream, 'response'), read]);
    stream.close(CANCEL);
    await once(stream, 'close');
    client.close();
    const end = await through.seen.end1('client', 'goaway');
    expect(end.closedWindows).toHaveLength(1);
    expect(end.windowBlocked).toBeGreaterThan(0);
  });

  it('has no stretches where no window was closed', async () => {
    const through = await testEngine({ insecureUpstream: true });
    const origin = await http2Origin((stream) => {
      stream.respond({ ':status': 200 });
      stream.end('short');
    });
    const client = await http2Client(through, origin.port);
    expect((await responseOf(client.request({ ':path': '/' }))).body).toBe('short');
    client.close();
    const end = await through.seen.end1('client', 'goaway');
    expect(end).toMatchObject({ windowBlocked: 0 });
    expect(end).not.toHaveProperty('closedWindows');
  });
});
