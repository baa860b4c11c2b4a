import { once } from 'node:events';
import type http2 from 'node:http2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestEngine, type TestEngine } from '../support/engine.ts';
import { type Http2Responder, http2Origin } from '../support/http2-origin.ts';
import { connectHttp2 } from './http2/run.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startTestEngine();
});
afterAll(() => engine.engine.close({ graceMs: 0 }));

interface Setup {
  origin: Awaited<ReturnType<typeof http2Origin>>;
  session: http2.ClientHttp2Session;
}

/** Runs `observe` over a direct session and over one through Roundtrip, and expects the same of both. */
async function both<T>(
  respond: Http2Responder,
  observe: (setup: Setup) => Promise<T>,
  settings: http2.Settings = {},
): Promise<T> {
  const origin = await http2Origin(respond, { settings });
  engine.apply({ upstreamCaFiles: [origin.caPath] });
  const results: T[] = [];
  for (const through of [null, engine.port]) {
    const session = await connectHttp2(origin.port, through === null ? origin.caPem : engine.caPem, through);
    results.push(await observe({ origin, session }));
    session.destroy();
  }
  expect(results[1]).toEqual(results[0]);
  return results[0] as T;
}

/** A stream's body and how it ended. */
async function read(stream: http2.ClientHttp2Stream): Promise<{ size: number; code: number }> {
  let size = 0;
  stream.on('error', () => {});
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length;
  });
  await once(stream, 'close');
  return { size, code: stream.rstCode ?? 0 };
}

describe('an HTTP/2 connection, direct and through Roundtrip', () => {
  it('carries 1,000 streams at once, all open before one is answered', async () => {
    let waiting: http2.ServerHttp2Stream[] = [];
    const result = await both(
      (stream) => {
        waiting.push(stream);
        if (waiting.length < 1000) return;
        for (const each of waiting.splice(0)) {
          each.respond({ ':status': 200 });
          each.end('0123456789');
        }
      },
      async ({ session }) => {
        waiting = [];
        const streams = Array.from({ length: 1000 }, (_, index) => session.request({ ':path': `/${index}` }));
        const responses = await Promise.all(streams.map(read));
        return {
          responses: responses.length,
          size: responses.reduce((sum, each) => sum + each.size, 0),
          bad: responses.filter((each) => each.code !== 0).length,
        };
      },
      { maxConcurrentStreams: 1000 },
    );
    expect(result).toEqual({ responses: 1000, size: 10_000, bad: 0 });
  });

  it('holds the origin back for a reader that is slow, and loses nothing', async () => {
    const SIZE = 64 * 1024 * 1024;
    const piece = Buffer.alloc(1024 * 1024);
    const result = await both(
      (stream) => {
        stream.respond({ ':status': 200 });
        let sent = 0;
        const go = (): void => {
          while (sent < SIZE) {
            sent += piece.length;
            if (!stream.write(piece)) {
              stream.once('drain', go);
              return;
            }
          }
          stream.end();
        };
        go();
      },
      async ({ session }) => {
        const stream = session.request({ ':path': '/' });
        stream.on('error', () => {});
        const [first] = (await once(stream, 'data')) as [Buffer];
        stream.pause();
        // Another stream of the same connection is not held back by it.
        const beside = session.ping.bind(session);
        await new Promise<void>((resolve, reject) => beside((error) => (error ? reject(error) : resolve())));
        let size = first.length;
        stream.on('data', (chunk: Buffer) => {
          size += chunk.length;
        });
        stream.resume();
        await once(stream, 'close');
        return size;
      },
    );
    expect(result).toBe(SIZE);
  });

  it("lets open streams end after the origin's GOAWAY, and opens new ones on another connection", async () => {
    await both(
      (stream, headers) => {
        if (headers[':path'] === '/leave') stream.session?.goaway(0);
        stream.respond({ ':status': 200 });
        setImmediate(() => stream.end('done'));
      },
      async ({ session }) => read(session.request({ ':path': '/leave' })),
    );
    const after = await connectHttp2((await leaving()).port, engine.caPem, engine.port);
    const responses = [];
    for (let index = 0; index < 5; index += 1) responses.push(await read(after.request({ ':path': '/leave' })));
    expect(responses).toEqual(Array.from({ length: 5 }, () => ({ size: 4, code: 0 })));
    after.destroy();
  });

  it('accepts extended CONNECT if the origin does, bytes both ways (RFC 8441)', async () => {
    const result = await both(
      (stream, headers) => {
        if (headers[':protocol'] !== 'websocket') {
          stream.respond({ ':status': 200 }, { endStream: true });
          return;
        }
        stream.respond({ ':status': 200, 'x-path': String(headers[':path']) });
        stream.pipe(stream);
      },
      async ({ session }) => {
        while (!session.remoteSettings?.enableConnectProtocol) await once(session, 'remoteSettings');
        const stream = session.request(
          { ':method': 'CONNECT', ':protocol': 'websocket', ':path': '/chat', ':scheme': 'https' },
          { endStream: false },
        );
        const [headers] = (await once(stream, 'response')) as [http2.IncomingHttpHeaders];
        stream.write('ping');
        const [echo] = (await once(stream, 'data')) as [Buffer];
        stream.end('bye');
        const [last] = (await once(stream, 'data')) as [Buffer];
        await once(stream, 'close');
        return { status: headers[':status'], path: headers['x-path'], echo: String(echo), last: String(last) };
      },
      { enableConnectProtocol: true },
    );
    expect(result).toEqual({ status: 200, path: '/chat', echo: 'ping', last: 'bye' });
  });

  it('does not announce extended CONNECT if the origin does not', async () => {
    const offered = await both(
      (stream) => stream.respond({ ':status': 200 }, { endStream: true }),
      async ({ session }) => {
        await read(session.request({ ':path': '/' }));
        return session.remoteSettings?.enableConnectProtocol ?? false;
      },
    );
    expect(offered).toBe(false);
  });
});

async function leaving(): ReturnType<typeof http2Origin> {
  const origin = await http2Origin((stream) => {
    stream.session?.goaway(0);
    stream.respond({ ':status': 200 });
    stream.end('done');
  });
  engine.apply({ upstreamCaFiles: [origin.caPath] });
  return origin;
}
