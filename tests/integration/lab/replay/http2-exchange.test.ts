import { once } from 'node:events';
import http2, { type ServerHttp2Stream } from 'node:http2';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Http2Exchange } from '../../../../electron/lab/replay/http2-exchange.ts';
import { ReplayHead } from '../../../../electron/lab/replay/replay-head.ts';
import { responseOf } from '../../../support/http2-client.ts';
import { listen } from '../../../support/listen.ts';

const HEAD = new ReplayHead(200, '', [], 3);

/** Serves each request with three bytes; returns a client, and the server's side of the requests. */
async function served() {
  const streams: ServerHttp2Stream[] = [];
  const server = http2.createServer().on('stream', (stream, headers) => {
    streams.push(stream);
    void new Http2Exchange(stream, headers).respond({ head: HEAD, body: [Buffer.from('abc')], split: false });
  });
  const client = http2.connect(`http://127.0.0.1:${await listen(server)}`);
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  return { client, streams };
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
});
