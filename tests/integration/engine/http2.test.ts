import { once } from 'node:events';
import http2 from 'node:http2';
import { describe, expect, it } from 'vitest';
import { curl } from '../../support/curl.ts';
import { type TestEngine, testEngine } from '../../support/engine.ts';
import { http2Origin } from '../../support/http2-origin.ts';
import { openSecureTunnel } from '../../support/tunnel.ts';

async function session(through: TestEngine, port: number): Promise<http2.ClientHttp2Session> {
  const secure = await openSecureTunnel(through, port, ['h2']);
  const client = http2.connect(`https://localhost:${port}`, { createConnection: () => secure });
  client.on('error', () => {});
  return client;
}

describe('HTTP/2', () => {
  it.each([
    ['h2 to h2', {}, '--http2', 'h2', 'h2'],
    ['h1 to h1', {}, '--http1.1', 'http/1.1', 'http/1.1'],
    ['h2 to h1', { http2Upstream: false }, '--http2', 'h2', 'http/1.1'],
    ['h1 to h2', { http2Client: false }, '--http2', 'http/1.1', 'h2'],
  ] as const)('%s carries bodies both ways', async (_name, settings, flag, client, upstream) => {
    const origin = await http2Origin(
      (stream) => {
        let size = 0;
        stream.on('data', (chunk: Buffer) => {
          size += chunk.length;
        });
        stream.on('end', () => {
          stream.respond({ ':status': 201, 'x-size': String(size) });
          stream.end('POST over HTTP/2');
        });
      },
      { http1: true },
    );
    const through = await testEngine({ upstreamCaFiles: [origin.caPath], ...settings });
    const result = await curl(through, flag, '-d', 'x'.repeat(50_000), origin.url);
    expect(result.stdout).toContain('POST over HTTP/');
    const exchange = await through.seen.ended1();
    expect([exchange.client.protocol, exchange.upstream?.protocol]).toEqual([client, upstream]);
    expect(exchange.request.body).toMatchObject({ size: 50_000, complete: true });
    expect(exchange.state).toBe('complete');
  });

  it('passes pseudo-header and header order, trailers and 103', async () => {
    let got: string[] = [];
    const origin = await http2Origin((stream, _headers, raw) => {
      got = raw;
      stream.additionalHeaders({ ':status': 103, link: '</a.css>' });
      stream.respond({ ':status': 200 }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      stream.end('body');
    });
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const client = await session(through, origin.port);
    const stream = client.request({ ':path': '/x', ':method': 'GET', 'x-b': '1', 'x-a': '2' });
    const hints = once(stream, 'headers');
    const trailers = once(stream, 'trailers');
    stream.resume();
    expect((await hints)[0]).toMatchObject({ ':status': 103, link: '</a.css>' });
    expect((await trailers)[0]).toMatchObject({ 'grpc-status': '0' });
    const exchange = await through.seen.ended1();
    client.destroy();
    expect(got).toEqual([...exchange.request.headers]);
    expect(got.indexOf('x-b')).toBeLessThan(got.indexOf('x-a'));
    expect(exchange.response?.trailers).toEqual(['grpc-status', '0']);
    expect(exchange.response?.informational).toHaveLength(1);
  });

  it('passes a reset on with its code', async () => {
    const origin = await http2Origin((stream) => stream.close(http2.constants.NGHTTP2_ENHANCE_YOUR_CALM));
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const client = await session(through, origin.port);
    const stream = client.request({ ':path': '/' });
    stream.on('error', () => {});
    await new Promise((resolve) => stream.on('close', resolve));
    expect(stream.rstCode).toBe(http2.constants.NGHTTP2_ENHANCE_YOUR_CALM);
    expect((await through.seen.ended1()).failure?.code).toBe('upstream.stream-reset');
    client.destroy();
  });

  it('retries a refused stream, at most twice', async () => {
    let tries = 0;
    const origin = await http2Origin((stream) => {
      tries += 1;
      if (tries < 3) stream.close(http2.constants.NGHTTP2_REFUSED_STREAM);
      else stream.respond({ ':status': 200 }, { endStream: true });
    });
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    expect((await curl(through, '--http2', '-w', '%{http_code}', origin.url)).stdout).toBe('200');
    const exchange = await through.seen.ended1();
    expect(exchange.attempts.map((each) => each.retryReason)).toEqual(['refused-stream', 'refused-stream', null]);
  });

  it('a client that cancels cancels upstream', async () => {
    let closed: Promise<unknown> | null = null;
    const origin = await http2Origin((stream) => {
      closed = new Promise((resolve) => stream.on('close', resolve));
      stream.respond({ ':status': 200 });
      stream.write('first');
    });
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const client = await session(through, origin.port);
    const stream = client.request({ ':path': '/' });
    stream.on('error', () => {});
    await once(stream, 'data');
    stream.close(http2.constants.NGHTTP2_CANCEL);
    expect((await through.seen.ended1()).state).toBe('aborted');
    await closed;
    client.destroy();
  });

  it('loses no body whose bytes are read while requests are being written', async () => {
    const origin = await http2Origin((stream, headers) => {
      stream.respond({ ':status': 200 });
      stream.end(`for ${headers[':path']}`);
    });
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const client = await session(through, origin.port);
    const padding = 'x'.repeat(2000);
    const bodyOf = async (path: string) => {
      const stream = client.request({ ':path': path, cookie: padding + path }).setEncoding('utf8');
      return (await stream.toArray()).join('');
    };
    const oneAfterAnother = async (lane: number) => {
      for (let turn = 0; turn < 40; turn += 1) expect(await bodyOf(`/${lane}/${turn}`)).toBe(`for /${lane}/${turn}`);
    };
    await Promise.all(Array.from({ length: 90 }, (_each, lane) => oneAfterAnother(lane)));
    client.destroy();
  });

  it('a client that ends its connection leaves nothing behind', async () => {
    const origin = await http2Origin((stream, headers) => {
      stream.respond({ ':status': 200 });
      if (headers[':path'] === '/open') stream.write('first');
      else stream.end('ok');
    });
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    expect((await curl(through, '--http2', origin.url)).stdout).toBe('ok');
    await through.clientCount(0);
    const client = await session(through, origin.port);
    const stream = client.request({ ':path': '/open' });
    stream.on('error', () => {});
    await once(stream, 'data');
    client.destroy();
    expect((await through.seen.ended1((each) => each.request.path === '/open')).state).toBe('aborted');
    await through.clientCount(0);
  });

  it('carries 300 concurrent streams on one upstream session', async () => {
    let sessions = 0;
    const origin = await http2Origin((stream, headers) => {
      stream.respond({ ':status': 200 });
      setTimeout(() => stream.end(String(headers[':path'])), 5);
    });
    origin.server.on('session', () => {
      sessions += 1;
    });
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const client = await session(through, origin.port);
    const bodies = await Promise.all(
      Array.from({ length: 300 }, async (_each, index) => {
        const stream = client.request({ ':path': `/${index}` });
        let body = '';
        stream.setEncoding('utf8').on('data', (text: string) => {
          body += text;
        });
        await once(stream, 'end');
        return body;
      }),
    );
    expect(bodies).toEqual(Array.from({ length: 300 }, (_each, index) => `/${index}`));
    expect(sessions).toBe(1);
    client.destroy();
  });
});
