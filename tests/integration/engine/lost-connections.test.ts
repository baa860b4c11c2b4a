import { once } from 'node:events';
import http2 from 'node:http2';
import { describe, expect, it } from 'vitest';
import { cleartextOrigin } from '../../support/cleartext-origin.ts';
import { testEngine } from '../../support/engine.ts';
import { answerOf, http2Client } from '../../support/http2-client.ts';
import { http2Origin } from '../../support/http2-origin.ts';
import { openTunnel } from '../../support/tunnel.ts';

/** An origin that answers with a first piece, and keeps the streams. */
async function answering(settings: http2.Settings = {}) {
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

describe('an upstream HTTP/2 connection that is lost', () => {
  it("ends the client's connection behind its GOAWAY, code and debug data", async () => {
    const { origin, streamOf } = await answering();
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
    // Its answer says that the GOAWAY has been read.
    session?.ping(() => session.destroy());
    const [code, debug] = await left;
    expect([code, String(debug)]).toEqual([http2.constants.NGHTTP2_ENHANCE_YOUR_CALM, 'too_many_pings']);
    await closed;
    const exchange = await through.seen.ended1();
    expect(exchange).toMatchObject({ state: 'failed', failure: { code: 'upstream.body-cut-short' } });
    expect(exchange.response?.body).toMatchObject({ size: 5, complete: false });
  });

  it('resets its streams alone where others of the client go on', async () => {
    const { origin, streamOf } = await answering({ maxConcurrentStreams: 1 });
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const client = await http2Client(through, origin.port);
    const lost = client.request({ ':path': '/lost' });
    const lostAnswer = answerOf(lost);
    await once(lost, 'data');
    const other = client.request({ ':path': '/other' });
    const otherAnswer = answerOf(other);
    await once(other, 'data');
    expect(streamOf('/lost').session).not.toBe(streamOf('/other').session);
    streamOf('/lost').session?.socket.destroy();
    expect(await lostAnswer).toMatchObject({ body: 'first', reset: http2.constants.NGHTTP2_INTERNAL_ERROR });
    streamOf('/other').end(' and last');
    expect(await otherAnswer).toMatchObject({ body: 'first and last', reset: 0 });
    expect(client.closed).toBe(false);
  });

  it('that cannot be opened again ends the connection of a client that asks', async () => {
    const origin = await cleartextOrigin((stream) => {
      stream.respond({ ':status': 200 });
      stream.end('ok');
    });
    const through = await testEngine({ retry: false });
    const socket = await openTunnel(through, `localhost:${origin.port}`);
    const client = http2.connect(origin.url, { createConnection: () => socket });
    client.on('error', () => {});
    expect((await answerOf(client.request({ ':path': '/1' }))).body).toBe('ok');
    origin.stop();
    await through.upstreamCount(0);
    const closed = new Promise((resolve) => client.once('close', resolve));
    await answerOf(client.request({ ':path': '/2' }));
    await closed;
    const exchange = await through.seen.ended1(({ request }) => request.path === '/2');
    expect(exchange.failure?.code).toBe('upstream.refused');
  });
});
