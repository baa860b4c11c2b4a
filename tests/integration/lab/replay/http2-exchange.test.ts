import { once } from 'node:events';
import http2, { constants, type ServerHttp2Stream } from 'node:http2';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Http2Exchange } from '../../../../electron/lab/replay/http2-exchange.ts';
import { ReplayHead } from '../../../../electron/lab/replay/replay-head.ts';
import { responseOf } from '../../../support/http2-client.ts';
import { listen } from '../../../support/listen.ts';

const HEAD = new ReplayHead(200, '', [], 3);
const EMPTY = new ReplayHead(304, '', [], null);

/** Serves each request with three bytes; returns a client, and the server's side of the requests. */
async function served() {
  const streams: ServerHttp2Stream[] = [];
  const ends: boolean[] = [];
  const server = http2.createServer().on('stream', (stream, headers) => {
    streams.push(stream);
    const exchange = new Http2Exchange(stream, headers);
    exchange.onClose((whole) => ends.push(whole));
    if (exchange.path === '/empty') void exchange.respond({ head: EMPTY, body: null, split: false });
    if (exchange.path === '/') void exchange.respond({ head: HEAD, body: [Buffer.from('abc')], split: false });
  });
  const client = http2.connect(`http://127.0.0.1:${await listen(server)}`);
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  return { client, streams, ends };
}

describe('a replayed exchange over HTTP/2', () => {
  it('finishes its last write before its stream is destroyed', async () => {
    const { client, streams } = await served();
    expect((await responseOf(client.request())).body).toBe('abc');
    const [stream] = streams;
    if (stream?.closed === false) await once(stream, 'close');
    // Node creates an error for a stream that is destroyed earlier, although nothing failed.
    expect(stream?.writableFinished).toBe(true);
  });

  it('is whole if its response was sent, and not if the client cancels or disconnects', async () => {
    const { client, ends } = await served();
    await responseOf(client.request());
    await vi.waitFor(() => expect(ends).toEqual([true]));
    await responseOf(client.request({ ':path': '/empty' }));
    await vi.waitFor(() => expect(ends.splice(1)).toEqual([true]));
    const posted = client.request({ ':method': 'POST' });
    posted.end('a body');
    await responseOf(posted);
    await vi.waitFor(() => expect(ends.splice(1)).toEqual([true]));
    const cancelled = client.request({ ':path': '/never' });
    cancelled.on('error', () => undefined).end(() => cancelled.close(constants.NGHTTP2_CANCEL));
    await vi.waitFor(() => expect(ends).toEqual([true, false]));
    client
      .request({ ':path': '/never' })
      .on('error', () => undefined)
      .end(() => client.destroy());
    await vi.waitFor(() => expect(ends).toEqual([true, false, false]));
  });
});
