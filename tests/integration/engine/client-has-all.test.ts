import { once } from 'node:events';
import net from 'node:net';
import { describe, expect, it } from 'vitest';
import { cleartextOrigin } from '../../support/cleartext-origin.ts';
import { curl } from '../../support/curl.ts';
import { testEngine } from '../../support/engine.ts';
import { http2Client } from '../../support/http2-client.ts';
import { http2Origin } from '../../support/http2-origin.ts';

/** An origin that sends a body of ten bytes and never ends it. */
const endless = (length: string | null) =>
  http2Origin((stream) => {
    stream.respond({ ':status': 200, ...(length === null ? {} : { 'content-length': length }) });
    stream.write('0123456789');
  });

describe('a client that leaves before the end of the stream', () => {
  it.each([
    ['with all bytes of the content-length: complete', '10', 'complete', true],
    ['with a byte missing: aborted', '11', 'aborted', false],
    ['where no length was said: aborted', null, 'aborted', false],
  ])('%s', async (_name, length, state, whole) => {
    const origin = await endless(length);
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const client = await http2Client(through, origin.port);
    const stream = client.request({ ':path': '/' });
    stream.on('error', () => {});
    await once(stream, 'data');
    client.destroy();
    const exchange = await through.seen.ended1();
    expect(exchange).toMatchObject({ state, failure: whole ? null : { code: 'client.aborted' } });
    expect(exchange.response?.body).toMatchObject({ size: 10, complete: whole });
  });

  it('curl, which closes its connection with the last byte: complete, each time', async () => {
    const origin = await endless('10');
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    for (let each = 1; each <= 30; each += 1) {
      expect((await curl(through, '--http2', origin.url)).stdout).toBe('0123456789');
      await through.seen.ended1(({ id }) => id === each);
    }
    expect(through.seen.all.filter(({ state }) => state !== 'complete')).toEqual([]);
  });

  it('over HTTP/1.1 with all bytes, from an HTTP/2 origin: complete', async () => {
    const origin = await endless('10');
    const through = await testEngine({ upstreamCaFiles: [origin.caPath], http2Client: false });
    expect((await curl(through, '--http1.1', origin.url)).stdout).toBe('0123456789');
    const exchange = await through.seen.ended1();
    expect(exchange).toMatchObject({ state: 'complete', failure: null });
    expect(exchange.client.protocol).toBe('http/1.1');
  });

  it.each(['FIN', 'RST'] as const)('over HTTP/1.1 with all bytes, by %s: complete', async (how) => {
    const origin = await cleartextOrigin(() => {}, { speaks: ['http1'] });
    const through = await testEngine();
    const socket = net.connect(through.port, '127.0.0.1');
    socket.write(`GET ${origin.url}/ HTTP/1.1\r\nHost: localhost:${origin.port}\r\n\r\n`);
    await once(socket, 'data');
    if (how === 'FIN') socket.end();
    else socket.resetAndDestroy();
    expect(await through.seen.ended1()).toMatchObject({ state: 'complete', failure: null });
    await through.clientCount(0);
  });
});
