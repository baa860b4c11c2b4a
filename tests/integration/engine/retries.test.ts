import { once } from 'node:events';
import http2 from 'node:http2';
import net from 'node:net';
import type { TLSSocket } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { curl } from '../../support/curl.ts';
import { type TestEngine, testEngine } from '../../support/engine.ts';
import { freePort } from '../../support/free-port.ts';
import { http2Client, responseOf } from '../../support/http2-client.ts';
import { http2Origin } from '../../support/http2-origin.ts';
import { rawOrigin, sendRaw } from '../../support/raw-origin.ts';
import { refusals } from '../../support/refusals.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const MIB = 1024 * 1024;

const tries = (exchange: Exchange): unknown[] =>
  exchange.attempts.map((each) => [each.failure?.code ?? null, each.retryReason]);

/** Resolves when an exchange looks for a connection. */
function begun(through: TestEngine): Promise<void> {
  return new Promise((resolve) => {
    through.seen.changed = () => resolve();
  });
}

// design, "Retry" (a)
describe('while connecting, nothing sent yet', () => {
  it('waits for a starting server, also with a body', async () => {
    const port = await freePort();
    const through = await testEngine({ retryRefused: true });
    const refused = refusals(2);
    const asked = curl(through, '-d', 'x=1', `http://127.0.0.1:${port}/`);
    let received = '';
    const server = net.createServer((socket) => {
      socket.on('data', (chunk) => {
        received += chunk;
        if (received.endsWith('x=1')) socket.end(OK);
      });
    });
    // The next attempt follows after 100 ms.
    await refused;
    server.listen(port, '127.0.0.1');
    expect((await asked).stdout).toBe('ok');
    server.close();
    const exchange = await through.seen.ended1();
    expect(tries(exchange).at(-1)).toEqual([null, null]);
    expect(tries(exchange).length).toBeGreaterThan(1);
    for (const each of tries(exchange).slice(0, -1)) expect(each).toEqual(['upstream.refused', 'connecting-failed']);
    expect(received.match(/POST/g)).toHaveLength(1);
  });

  it('attempts begin one after the other, each later than the last', async () => {
    const through = await testEngine({ retryRefused: true });
    await curl(through, `http://127.0.0.1:${await freePort()}/`);
    const exchange = await through.seen.ended1();
    const starts = exchange.attempts.map((each) => each.startedAfter);
    expect(starts).toHaveLength(5);
    expect(starts).toEqual([...starts].sort((a, b) => a - b));
    const [, , third = 0, fourth = 0, fifth = 0] = starts;
    // Timers are never early by more than their rounding.
    expect([third, fourth - third, fifth - fourth].map((each) => Math.ceil(each) >= 99)).toEqual([true, true, true]);
  });

  it('a refusal is final, as without Roundtrip', async () => {
    const through = await testEngine();
    expect((await curl(through, `http://127.0.0.1:${await freePort()}/`)).exitCode).toBe(52);
    expect(tries(await through.seen.ended1())).toEqual([['upstream.refused', null]]);
  });

  it('a server that answered earlier is restarting: its refusals are retried', async () => {
    const port = await freePort();
    const through = await testEngine();
    const listen = async (): Promise<net.Server> => {
      const server = net.createServer((socket) => socket.once('data', () => socket.end(OK)));
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      return server;
    };
    const before = await listen();
    expect((await curl(through, `http://127.0.0.1:${port}/before`)).stdout).toBe('ok');
    before.close();
    await through.upstreamCount(0);
    const refused = refusals(2);
    const asked = curl(through, '-d', 'x=1', `http://127.0.0.1:${port}/after`);
    await refused;
    const after = await listen();
    onTestFinished(() => void after.close());
    expect((await asked).stdout).toBe('ok');
    const exchange = await through.seen.ended1((each) => each.request.path === '/after');
    expect(tries(exchange).slice(0, 2)).toEqual([
      ['upstream.refused', 'connecting-failed'],
      ['upstream.refused', 'connecting-failed'],
    ]);
    expect(tries(exchange).at(-1)).toEqual([null, null]);
  });

  it('a client that goes away ends the attempts', async () => {
    const port = await freePort();
    const through = await testEngine({ retryRefused: true });
    const socket = net.connect(through.port, '127.0.0.1');
    socket.write(`GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    await begun(through);
    socket.resetAndDestroy();
    const exchange = await through.seen.ended1();
    expect(exchange).toMatchObject({ state: 'aborted', failure: { code: 'client.aborted' } });
  });
});

// design, "Retry" (b)
describe('a reused connection that ends before any byte of the response', () => {
  /**
   * Responds to the first request of each connection, when `together` of them have arrived; on the second, it does what
   * the case requires.
   */
  function respondsOnce(whole: (received: string) => boolean, second: (socket: net.Socket) => void, together = 1) {
    const first: net.Socket[] = [];
    return rawOrigin((socket, received) => {
      const [, head = ''] = /^(GET \/first HTTP\/1\.1\r\n(?:.+\r\n)+\r\n)/.exec(received) ?? [];
      const rest = received.slice(head.length);
      if (head !== '' && rest === '') {
        first.push(socket);
        if (first.length === together) for (const each of first) each.write(OK);
      } else if (whole(rest)) {
        if (head === '') socket.write(OK);
        else second(socket);
      }
    });
  }

  async function afterAFirst(
    origin: { port: number },
    request: (target: string) => string | Buffer,
    times = 1,
  ): Promise<{ response: string; exchange: Exchange }> {
    const through = await testEngine();
    const url = `http://127.0.0.1:${origin.port}`;
    // At once: each gets its own connection.
    await Promise.all(Array.from({ length: times }, () => curl(through, `${url}/first`)));
    await through.seen.ended1((each) => each.id === times);
    const response = await sendRaw(through.port, request(`${url}/second`));
    return { response, exchange: await through.seen.ended1((each) => each.request.path === '/second') };
  }

  const put =
    (fields: string, body: string) =>
    (target: string): string =>
      `PUT ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n${fields}Connection: close\r\n\r\n${body}`;

  it.each([
    ['a GET', (target: string) => `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`, '\r\n\r\n'],
    ['a PUT', put('Content-Length: 3\r\n', 'abc'), 'abc'],
  ])('%s is sent again, the same bytes', async (_name, request, end) => {
    const origin = await respondsOnce(
      (received) => received.endsWith(end),
      (socket) => socket.destroy(),
    );
    const { response, exchange } = await afterAFirst(origin, request);
    expect(response).toContain('200 OK');
    expect(tries(exchange)).toEqual([
      ['upstream.empty-response', 'reused-connection-closed'],
      [null, null],
    ]);
    const sent = origin.received().match(/(?:GET|PUT) \/second(?:(?!PUT|GET)[\s\S])*/g);
    expect(sent).toHaveLength(2);
    expect(sent?.[0]).toBe(sent?.[1]);
    expect(sent?.[0]).toMatch(new RegExp(`${end}$`));
  });

  it('is followed by a fresh one, though others are idle', async () => {
    const origin = await respondsOnce(
      (received) => received.endsWith('\r\n\r\n'),
      (socket) => socket.destroy(),
      3,
    );
    const get = (target: string): string => `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
    const { response, exchange } = await afterAFirst(origin, get, 3);
    expect(response).toContain('200 OK');
    expect(exchange.attempts.map((each) => [each.connection?.reused, each.retryReason])).toEqual([
      [true, 'reused-connection-closed'],
      [false, null],
    ]);
  });

  it.each([
    ['of 1 MiB is kept for it', put, MIB, [true, false]],
    ['of one byte more goes on a fresh connection at once', put, MIB + 1, [false]],
  ])('a body %s', async (_name, request, size, reused) => {
    const origin = await respondsOnce(
      (received) => received.length > size && received.endsWith('z'),
      (socket) => socket.destroy(),
    );
    const body = `${'y'.repeat(size - 1)}z`;
    const { response, exchange } = await afterAFirst(origin, request(`Content-Length: ${size}\r\n`, body));
    expect(response).toContain('200 OK');
    expect(exchange.attempts.map((each) => each.connection?.reused)).toEqual(reused);
  });

  it.each([
    ['after a byte of it', 'H', 'upstream.head-cut-short'],
    ['after an interim response', 'HTTP/1.1 103 Early Hints\r\n\r\n', 'upstream.empty-response'],
    ['after its head', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab', 'upstream.body-cut-short'],
  ])('%s is not resent', async (_name, bytes, code) => {
    const origin = await respondsOnce(
      (received) => received.endsWith('\r\n\r\n'),
      (socket) => socket.end(bytes),
    );
    const get = (target: string): string => `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
    const { exchange } = await afterAFirst(origin, get);
    expect(tries(exchange)).toEqual([[code, null]]);
    expect(exchange.state).toBe('failed');
  });
});

// design, "Retry" (d): off by default
it('a fresh connection that ends before any byte is not tried again, whatever the method', async () => {
  const origin = await rawOrigin((socket) => socket.destroy());
  const through = await testEngine();
  expect((await curl(through, `http://127.0.0.1:${origin.port}/`)).exitCode).toBe(52);
  expect((await through.seen.ended1()).attempts).toHaveLength(1);
  expect(origin.connections()).toBe(1);
});

// design, "Retry" (c); RFC 9113, section 8.7
describe('an HTTP/2 stream that upstream did not work on', () => {
  /** Refuses the streams of these numbers, when their bodies have arrived, and responds to the others. */
  async function refusing(numbers: readonly number[], refuse: (stream: http2.ServerHttp2Stream) => void) {
    const sizes: number[] = [];
    const origin = await http2Origin((stream) => {
      let size = 0;
      stream.on('data', (chunk: Buffer) => {
        size += chunk.length;
      });
      stream.on('end', () => {
        sizes.push(size);
        if (numbers.includes(sizes.length)) {
          refuse(stream);
          return;
        }
        stream.respond({ ':status': 200 });
        stream.end('ok');
      });
    });
    return { origin, sizes };
  }
  const reset = (stream: http2.ServerHttp2Stream): void => stream.close(http2.constants.NGHTTP2_REFUSED_STREAM);

  it.each([
    ['refused', reset],
    // The first stream of a client is 1, the second 3.
    ['above the last of a GOAWAY', (stream: http2.ServerHttp2Stream) => stream.session?.goaway(0, 1)],
  ])('%s: is sent again, with its body', async (_name, refuse) => {
    const { origin, sizes } = await refusing([2], refuse);
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const client = await http2Client(through, origin.port);
    const post = (body: string): ReturnType<typeof responseOf> => {
      const stream = client.request({ ':path': `/${body.length}`, ':method': 'POST' });
      stream.end(body);
      return responseOf(stream);
    };
    expect((await post('')).body).toBe('ok');
    expect((await post('x'.repeat(5000))).body).toBe('ok');
    const exchange = await through.seen.ended1((each) => each.request.path === '/5000');
    expect(exchange.attempts.map((each) => each.retryReason)).toEqual(['refused-stream', null]);
    expect(sizes).toEqual([0, 5000, 5000]);
  });

  it.each([
    [1, 'GET'],
    [1, 'POST'],
    [2, 'GET'],
    [2, 'POST'],
  ])('after %i refusals in a row, the origin has received the %s once more often', async (refusals, method) => {
    const { origin, sizes } = await refusing([1, 2].slice(0, refusals), reset);
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const client = await http2Client(through, origin.port);
    const stream = client.request({ ':path': '/', ':method': method });
    stream.end();
    expect(await responseOf(stream)).toMatchObject({ body: 'ok', reset: 0 });
    expect((await through.seen.ended1()).attempts).toHaveLength(refusals + 1);
    expect(sizes).toHaveLength(refusals + 1);
  });

  it('refused three times, the client gets the error', async () => {
    const { origin, sizes } = await refusing([1, 2, 3], reset);
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const client = await http2Client(through, origin.port);
    const response = await responseOf(client.request({ ':path': '/' }));
    expect(response.reset).toBe(http2.constants.NGHTTP2_REFUSED_STREAM);
    expect(sizes).toHaveLength(3);
    expect((await through.seen.ended1()).failure?.code).toBe('upstream.stream-reset');
  });

  it('with a body over what is kept it is not', async () => {
    const { origin, sizes } = await refusing([1], reset);
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] }, { resendBytes: 4999 });
    const client = await http2Client(through, origin.port);
    const stream = client.request({ ':path': '/', ':method': 'POST' });
    stream.end('x'.repeat(5000));
    expect((await responseOf(stream)).reset).toBe(http2.constants.NGHTTP2_REFUSED_STREAM);
    expect((await through.seen.ended1()).attempts).toHaveLength(1);
    expect(sizes).toEqual([5000]);
  });

  it('an idle session that upstream ended silently is not used again', async () => {
    const sockets: TLSSocket[] = [];
    const origin = await http2Origin((stream) => stream.end('ok'));
    origin.server.on('secureConnection', (socket: TLSSocket) => sockets.push(socket));
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const client = await http2Client(through, origin.port);
    expect((await responseOf(client.request({ ':path': '/1' }))).body).toBe('ok');
    for (const socket of sockets) socket.end();
    await through.upstreamCount(0);
    expect((await responseOf(client.request({ ':path': '/2' }))).body).toBe('ok');
    expect(sockets).toHaveLength(2);
  });

  it('other streams of a session that is going away end well', async () => {
    const origin = await http2Origin((stream, headers) => {
      if (headers[':path'] === '/slow') setTimeout(() => stream.end('slow'), 100);
      else {
        stream.session?.goaway(0, stream.id);
        stream.end('fast');
      }
    });
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const client = await http2Client(through, origin.port);
    const slow = responseOf(client.request({ ':path': '/slow' }));
    expect((await responseOf(client.request({ ':path': '/' }))).body).toBe('fast');
    expect((await responseOf(client.request({ ':path': '/' }))).body).toBe('fast');
    expect((await slow).body).toBe('slow');
    await through.seen.ended1(() => through.seen.all.length === 3);
    expect(through.seen.all.map((each) => each.state)).toEqual(['complete', 'complete', 'complete']);
  });
});

// design, "Retry" (d)
describe('a connection opened for the request that closes without a word', () => {
  const respondsToSecond = async () => {
    let asked = 0;
    return await rawOrigin((socket) => {
      asked += 1;
      socket.end(asked === 1 ? '' : OK);
    });
  };

  it('is an error, as without a proxy; an idempotent request is retried if the setting allows it', async () => {
    const off = await testEngine();
    await curl(off, `http://127.0.0.1:${(await respondsToSecond()).port}/`);
    expect(tries(await off.seen.ended1())).toEqual([['upstream.empty-response', null]]);
    const on = await testEngine({ retryIdempotent: true });
    const origin = await respondsToSecond();
    expect((await curl(on, '-X', 'PUT', '-d', 'x=1', `http://127.0.0.1:${origin.port}/`)).stdout).toBe('ok');
    expect(tries(await on.seen.ended1())).toEqual([
      ['upstream.empty-response', 'fresh-connection-closed'],
      [null, null],
    ]);
    expect(origin.received().match(/x=1/g)).toHaveLength(2);
    await curl(on, '-d', 'x=1', `http://127.0.0.1:${(await respondsToSecond()).port}/`);
    expect(tries(await on.seen.ended1((each) => each.id === 2))).toEqual([['upstream.empty-response', null]]);
  });

  it('is retried once, not forever', async () => {
    const through = await testEngine({ retryIdempotent: true });
    const origin = await rawOrigin((socket) => socket.end());
    await curl(through, `http://127.0.0.1:${origin.port}/`);
    expect(tries(await through.seen.ended1())).toHaveLength(2);
    expect(origin.connections()).toBe(2);
  });

  it('is not retried over HTTP/2 either', async () => {
    let asked = 0;
    const origin = await http2Origin((stream) => {
      asked += 1;
      if (asked === 1) stream.session?.destroy();
      else {
        stream.respond({ ':status': 200 });
        stream.end('ok');
      }
    });
    const through = await testEngine({ retryIdempotent: true, upstreamCaFiles: [origin.caPath] });
    expect((await curl(through, '--http2', origin.url)).stdout).toBe('ok');
    const { attempts, timings } = await through.seen.ended1();
    expect(attempts.map((each) => each.retryReason)).toEqual(['fresh-connection-closed', null]);
    expect(timings.failedTries).toBeGreaterThan(0);
  });
});
