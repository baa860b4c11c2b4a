import { once } from 'node:events';
import type net from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FrameParser } from '../../../electron/engine/http2/frame-parser.ts';
import { curl } from '../../support/curl.ts';
import { type TestEngine, testEngine } from '../../support/engine.ts';
import { http2Client, responseOf } from '../../support/http2-client.ts';
import { END_HEADERS, END_STREAM, FRAME, frame, PREFACE, requestHead } from '../../support/http2-frames.ts';
import { type RawOrigin, rawOrigin, sendRaw } from '../../support/raw-origin.ts';
import { secureRawOrigin } from '../../support/secure-raw-origin.ts';
import { cuts, split } from '../../support/split-bytes.ts';
import { openSecureTunnel, openTunnel } from '../../support/tunnel.ts';
import { ODD_RESPONSES, type OddResponse } from './odd-responses.ts';

const SPLIT = 'HTTP/1.1 200 Smuggled\r\nContent-Length: 0\r\n\r\n';
const GET = 'GET / HTTP/1.1\r\nHost: a.test\r\n\r\n';
const named = ODD_RESPONSES.map((each): [string, OddResponse] => [each.name, each]);

/** Answers each request with these bytes, and keeps the connection open unless its end ends the body. */
function origin({ bytes, untilClosed }: OddResponse): Promise<RawOrigin> {
  return rawOrigin((socket, received) => {
    if (!received.endsWith('\r\n\r\n')) return;
    if (untilClosed) socket.end(bytes, 'latin1');
    else socket.write(bytes + SPLIT, 'latin1');
  });
}

async function all(socket: net.Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  await once(socket, 'close');
  return text;
}

/** The payload of the DATA frames before the first RST_STREAM. */
async function dataBeforeReset(socket: net.Socket): Promise<string> {
  let data = '';
  return new Promise((resolve, reject) => {
    const parser = new FrameParser({
      frame: (type) => {
        if (type === FRAME.reset) resolve(data);
      },
      dataHead: () => {},
      dataPiece: (bytes) => {
        data += bytes.toString('latin1');
      },
      dataEnd: (endStream) => endStream && reject(new Error('the stream ended properly')),
    });
    socket.on('data', (chunk: Buffer) => parser.feed(chunk));
    socket.on('close', () => reject(new Error('the connection closed')));
  });
}

async function expectFault(through: TestEngine, fault: string): Promise<void> {
  const exchange = await through.seen.ended1();
  expect(exchange).toMatchObject({
    state: 'complete',
    failure: { code: 'upstream.faulty-response', side: 'upstream' },
    response: { body: { complete: true } },
  });
  expect(exchange.failure?.message).toContain(`: ${fault}. `);
}

describe('a faulty response with one reading passes unchanged, and is the last on its connections', () => {
  it.each(named)('in a tunnel: %s', async (_name, response) => {
    const upstream = await origin(response);
    const through = await testEngine();
    const socket = await openTunnel(through, `127.0.0.1:${upstream.port}`);
    // The second request must not use the connection with the fault, nor get its bytes as a response.
    socket.write(GET + GET);
    expect(await all(socket)).toBe(response.bytes);
    await expectFault(through, response.fault);
    await through.upstreamCount(0);
    expect(upstream.received()).toBe(GET);
  });

  it.each(named)('to the proxy itself: %s', async (_name, response) => {
    const upstream = await origin(response);
    const through = await testEngine();
    const authority = `127.0.0.1:${upstream.port}`;
    const got = await sendRaw(through.port, `GET http://${authority}/ HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
    expect(got).toBe(response.bytes);
    await expectFault(through, response.fault);
    await through.upstreamCount(0);
  });

  it('however its bytes are cut', async () => {
    let response: OddResponse = ODD_RESPONSES[0] as OddResponse;
    let pieces: Buffer[] = [];
    const upstream = await rawOrigin((socket, received) => {
      if (!received.endsWith('\r\n\r\n')) return;
      for (const piece of pieces) socket.write(piece);
      if (response.untilClosed) socket.end();
    });
    const through = await testEngine();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...ODD_RESPONSES), cuts(), async (each, at) => {
        response = each;
        pieces = split(Buffer.from(each.bytes, 'latin1'), at);
        const socket = await openTunnel(through, `127.0.0.1:${upstream.port}`);
        socket.setNoDelay(true);
        socket.write(GET);
        expect(await all(socket)).toBe(each.bytes);
      }),
      { numRuns: 60 },
    );
    expect(new Set(through.seen.all.map(({ failure }) => failure?.code))).toEqual(
      new Set(['upstream.faulty-response']),
    );
  });
});

describe('a faulty response to an HTTP/2 client', () => {
  it.each(named)('has its fields as RFC 9112 reads them: %s', async (_name, response) => {
    const upstream = await secureRawOrigin((socket, received) => {
      if (!received.endsWith('\r\n\r\n')) return;
      if (response.untilClosed) socket.end(response.bytes, 'latin1');
      else socket.write(response.bytes + SPLIT, 'latin1');
    });
    const through = await testEngine({ upstreamCaFiles: [upstream.caPath], http2Upstream: false });
    const client = await http2Client(through, upstream.port);
    for (const path of ['/1', '/2']) {
      const got = await responseOf(client.request({ ':path': path }));
      expect(got).toMatchObject({ body: response.body, reset: 0, headers: response.headers });
      const { 'content-length': length } = got.headers;
      expect([undefined, String(response.body.length)]).toContain(length);
    }
    await expectFault(through, response.fault);
    // Each of the two had its own connection.
    expect(upstream.connections()).toBe(2);
  });
});

describe('what remains of a response with malformed chunks', () => {
  const HEAD = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
  const CHUNKS = [
    ['a size that is none', '3\r\nabc\r\n2\r\nde\r\n', 'xyz\r\n'],
    ['a chunk that is too long', '3\r\nabc\r\n2\r\nde', 'fg\r\n'],
    ['a bare LF behind a size', '3\r\nabc\r\n', '2\nde\r\n0\r\n\r\n'],
    ['a trailer that is none', '3\r\nabc\r\n0\r\n', 'X\r\n\r\n'],
  ] as const;

  it.each(CHUNKS)('over TLS all before it reaches the client, in one write: %s', async (_name, good, bad) => {
    const upstream = await secureRawOrigin((socket, received) => {
      if (received.endsWith('\r\n\r\n')) socket.write(HEAD + good + bad);
    });
    const through = await testEngine({ upstreamCaFiles: [upstream.caPath] });
    const socket = await openSecureTunnel(through, upstream.port, ['http/1.1']);
    socket.write(GET);
    expect(await all(socket)).toBe(HEAD + good);
    expect(await through.seen.ended1()).toMatchObject({ state: 'failed', failure: { code: 'upstream.bad-response' } });
  });

  it.each(CHUNKS)('over HTTP/2 the payload before it reaches the client: %s', async (_name, good, bad) => {
    const upstream = await secureRawOrigin((socket, received) => {
      if (received.endsWith('\r\n\r\n')) socket.write(HEAD + good + bad);
    });
    const through = await testEngine({ upstreamCaFiles: [upstream.caPath], http2Upstream: false });
    const socket = await openSecureTunnel(through, upstream.port, ['h2']);
    const head = frame(FRAME.headers, END_STREAM | END_HEADERS, 1, requestHead('GET', `localhost:${upstream.port}`));
    socket.write(Buffer.concat([PREFACE, head]));
    // Frame by frame: client libraries drop undelivered data when a reset arrives.
    expect(await dataBeforeReset(socket)).toBe(good.includes('de') ? 'abcde' : 'abc');
  });
});

describe('a connection that ends or is reset within a response', () => {
  const PARTS = [
    ['a head', 'HTTP/1.1 200 OK\r\nX: a\r\nContent-', 'upstream.head-cut-short'],
    ['a head that ends its lines in LF', 'HTTP/1.1 200 OK\nX: a\n', 'upstream.head-cut-short'],
    ['the first letters', 'HT', 'upstream.head-cut-short'],
    ['the second head', 'HTTP/1.1 103 E\r\n\r\nHTTP/1.1 2', 'upstream.head-cut-short'],
    ['a body', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc', 'upstream.body-cut-short'],
  ] as const;

  it.each(PARTS)('gets a code for the place: %s', async (_name, bytes, code) => {
    const upstream = await rawOrigin((socket) => socket.end(bytes));
    const through = await testEngine();
    await curl(through, `http://127.0.0.1:${upstream.port}/`);
    expect((await through.seen.ended1()).failure).toMatchObject({ code, cause: null });
  });

  it.each(PARTS)('is reported as a reset: %s', async (_name, bytes, code) => {
    // In one packet with an early response: the client has it when the engine has read it.
    const early = 'HTTP/1.1 103 E\r\n\r\n';
    let connection: net.Socket | null = null;
    const upstream = await rawOrigin((socket) => {
      connection = socket;
      socket.write(early + bytes);
    });
    const through = await testEngine();
    const socket = await openTunnel(through, `127.0.0.1:${upstream.port}`);
    socket.write(GET);
    await once(socket, 'data');
    (connection as net.Socket | null)?.resetAndDestroy();
    expect((await through.seen.ended1()).failure).toMatchObject({ code, cause: 'ECONNRESET' });
  });

  it('after an interim response is not reported as a truncated head', async () => {
    const upstream = await rawOrigin((socket) => socket.end('HTTP/1.1 103 E\r\n\r\n'));
    const through = await testEngine();
    await curl(through, `http://127.0.0.1:${upstream.port}/`);
    expect((await through.seen.ended1()).failure?.code).toBe('upstream.empty-response');
    expect(upstream.connections()).toBe(1);
  });
});

it.each([
  ['HTTP/0.9', 'hello world', '"hello world"'],
  ['SSH', 'SSH-2.0-OpenSSH_9.2\r\n', '"SSH-2.0-OpenSSH_"'],
  ['a TLS alert', '\x15\x03\x01\x00\x02\x02\x46', '15030100020246'],
])('a response in %s is reported before its end arrives', async (_name, bytes, shown) => {
  const upstream = await rawOrigin((socket) => socket.write(bytes, 'latin1'));
  const through = await testEngine();
  expect((await curl(through, `http://127.0.0.1:${upstream.port}/`)).exitCode).not.toBe(0);
  const { failure } = await through.seen.ended1();
  expect(failure?.code).toBe('upstream.bad-response');
  expect(failure?.message).toContain(`HTTP/0.9 or another protocol (first bytes: ${shown})`);
});
