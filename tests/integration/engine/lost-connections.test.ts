import { once } from 'node:events';
import http2 from 'node:http2';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cleartextOrigin } from '../../support/cleartext-origin.ts';
import { type TestEngine, testEngine } from '../../support/engine.ts';
import { http2Client, responseOf } from '../../support/http2-client.ts';
import { END_HEADERS, END_STREAM, FRAME } from '../../support/http2-frames.ts';
import { http2Origin } from '../../support/http2-origin.ts';
import { Http2Peer, SETTINGS } from '../../support/http2-peer.ts';
import { openSecureTunnel, openTunnel } from '../../support/tunnel.ts';

/** An origin that responds with a first piece, and keeps the streams. */
async function respondingOrigin(settings: http2.Settings = {}) {
  const streams = new Map<string, http2.ServerHttp2Stream>();
  const origin = await http2Origin(
    (stream, headers) => {
      streams.set(String(headers[':path']), stream);
      stream.respond({ ':status': 200 });
      stream.write('first');
    },
    { settings },
  );
  return { origin, streamOf: (path: string) => streams.get(path) as http2.ServerHttp2Stream };
}

/** A client that continues after a GOAWAY, as few libraries do, with one open request for each path. */
async function patientClient(through: TestEngine, port: number, paths: readonly string[]): Promise<Http2Peer> {
  const secure = await openSecureTunnel(through, port, ['h2']);
  onTestFinished(() => void secure.destroy());
  const client = new Http2Peer(secure, true);
  secure.write(Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), SETTINGS]));
  for (const [index, path] of paths.entries()) {
    const fields = [':method', 'GET', ':scheme', 'https', ':authority', `localhost:${port}`, ':path', path];
    secure.write(client.headers(index * 2 + 1, fields, END_HEADERS | END_STREAM));
    await receives(client, () => client.data(index * 2 + 1) === 'first');
  }
  return client;
}

async function receives({ socket }: Http2Peer, holds: () => boolean): Promise<void> {
  while (!holds()) await once(socket, 'data');
}

function endsWith(client: Http2Peer, stream: number, last: string): boolean {
  const ends = client.of(FRAME.data, stream).some(({ flags }) => (flags & END_STREAM) !== 0);
  return ends && client.data(stream) === `first${last}`;
}

describe('a GOAWAY with an error on an upstream connection that stays open', () => {
  const { NGHTTP2_ENHANCE_YOUR_CALM: CALM, NGHTTP2_REFUSED_STREAM: REFUSED } = http2.constants;

  it('reaches the client immediately, and unaffected streams continue', async () => {
    const { origin, streamOf } = await respondingOrigin();
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const client = await patientClient(through, origin.port, ['/1', '/3']);
    const ended = once(client.socket, 'end');
    const { session } = streamOf('/3');
    session?.goaway(CALM, 3, Buffer.from('too_many_pings'));
    await receives(client, () => client.goaways.length > 0);
    expect(client.of(FRAME.goaway)[0]?.payload.toString('latin1', 8)).toBe('too_many_pings');
    for (const path of ['/1', '/3']) streamOf(path).end(' and last');
    await receives(client, () => endsWith(client, 1, ' and last') && endsWith(client, 3, ' and last'));
    await ended;
    expect(client.goaways).toEqual([[3, CALM]]);
    for (const { state, failure } of through.seen.all) expect([state, failure]).toEqual(['complete', null]);
  });

  it('is sent once, also if the connection is lost later', async () => {
    const { origin, streamOf } = await respondingOrigin();
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const client = await patientClient(through, origin.port, ['/']);
    const ended = once(client.socket, 'end');
    const { session } = streamOf('/');
    session?.goaway(CALM, 1);
    await receives(client, () => client.goaways.length > 0);
    session?.destroy();
    await ended;
    expect(client.goaways).toEqual([[1, CALM]]);
  });

  it('arrives with the refusal of streams above its last id, if these are not retried', async () => {
    const { origin, streamOf } = await respondingOrigin();
    const through = await testEngine({ upstreamCaFiles: [origin.caPath], retry: false });
    const client = await patientClient(through, origin.port, ['/1', '/3']);
    // Node's server closes the streams above the id itself, after the GOAWAY.
    streamOf('/1').session?.goaway(CALM, 1);
    await receives(client, () => client.goaways.length > 0);
    expect(client.resets).toEqual([[3, REFUSED]]);
    streamOf('/1').end(' and last');
    await receives(client, () => endsWith(client, 1, ' and last'));
  });

  it('is not forwarded while another request of the client runs elsewhere', async () => {
    const { origin, streamOf } = await respondingOrigin({ maxConcurrentStreams: 1 });
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const client = await patientClient(through, origin.port, ['/1', '/3']);
    const { session } = streamOf('/1');
    expect(session).not.toBe(streamOf('/3').session);
    session?.goaway(CALM, 1);
    streamOf('/1').end(' and last');
    await receives(client, () => endsWith(client, 1, ' and last'));
    await through.upstreamCount(1);
    streamOf('/3').end(' and last');
    await receives(client, () => endsWith(client, 3, ' and last'));
    expect(client.goaways).toEqual([]);
  });
});

describe('an upstream HTTP/2 connection that is lost', () => {
  it("ends the client's connection after its GOAWAY, code and debug data", async () => {
    const { origin, streamOf } = await respondingOrigin();
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const client = await http2Client(through, origin.port);
    const stream = client.request({ ':path': '/' });
    stream.on('error', () => {});
    const left = new Promise<[number, Buffer]>((resolve) =>
      client.once('goaway', (code, _last, debug) => resolve([code, Buffer.from(debug ?? '')])),
    );
    const closed = new Promise((resolve) => client.once('close', resolve));
    await once(stream, 'data');
    const { session, id = 0 } = streamOf('/');
    session?.goaway(http2.constants.NGHTTP2_ENHANCE_YOUR_CALM, id, Buffer.from('too_many_pings'));
    // Its reply shows that the GOAWAY has been read.
    session?.ping(() => session.destroy());
    const [code, debug] = await left;
    expect([code, String(debug)]).toEqual([http2.constants.NGHTTP2_ENHANCE_YOUR_CALM, 'too_many_pings']);
    await closed;
    const exchange = await through.seen.ended1();
    expect(exchange).toMatchObject({ state: 'failed', failure: { code: 'upstream.body-cut-short' } });
    expect(exchange.response?.body).toMatchObject({ size: 5, complete: false });
  });

  it('resets only its own streams if others of the client continue', async () => {
    const { origin, streamOf } = await respondingOrigin({ maxConcurrentStreams: 1 });
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const client = await patientClient(through, origin.port, ['/lost', '/other']);
    expect(streamOf('/lost').session).not.toBe(streamOf('/other').session);
    streamOf('/lost').session?.socket.destroy();
    await receives(client, () => client.resets.length > 0);
    expect(client.resets).toEqual([[1, http2.constants.NGHTTP2_INTERNAL_ERROR]]);
    streamOf('/other').end(' and last');
    await receives(client, () => endsWith(client, 3, ' and last'));
    expect(client.goaways).toEqual([]);
  });

  it('that cannot be opened again ends the connection of a client that sends a request', async () => {
    const origin = await cleartextOrigin((stream) => {
      stream.respond({ ':status': 200 });
      stream.end('ok');
    });
    const through = await testEngine({ retry: false });
    const socket = await openTunnel(through, `localhost:${origin.port}`);
    const client = http2.connect(origin.url, { createConnection: () => socket });
    client.on('error', () => {});
    expect((await responseOf(client.request({ ':path': '/1' }))).body).toBe('ok');
    origin.stop();
    await through.upstreamCount(0);
    const closed = new Promise((resolve) => client.once('close', resolve));
    await responseOf(client.request({ ':path': '/2' }));
    await closed;
    const exchange = await through.seen.ended1(({ request }) => request.path === '/2');
    expect(exchange.failure?.code).toBe('upstream.refused');
  });
});
