import { once } from 'node:events';
import fs from 'node:fs';
import http2 from 'node:http2';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HpackEncoder } from '../../../electron/engine/http2/hpack/encoder.ts';
import { curl } from '../../support/curl.ts';
import { testEngine } from '../../support/engine.ts';
import { http2Client, responseOf } from '../../support/http2-client.ts';
import { END_HEADERS, END_STREAM, FRAME, frame, uint32 } from '../../support/http2-frames.ts';
import { http2Origin } from '../../support/http2-origin.ts';
import { secureRawOrigin } from '../../support/secure-raw-origin.ts';

const BOTH = END_HEADERS | END_STREAM;

/** An HTTP/2 server that responds to the first request of each connection with one head, then with `behind`. */
function originWith(fields: readonly string[], flags: number, behind: Buffer = Buffer.alloc(0)) {
  const greeted = new WeakSet();
  return secureRawOrigin((socket, received) => {
    if (greeted.has(socket) || !hasHead(received)) return;
    greeted.add(socket);
    const head = frame(FRAME.headers, flags, 1, new HpackEncoder().encode(fields, null));
    socket.write(Buffer.concat([frame(FRAME.settings, 0, 0), frame(FRAME.settings, 1, 0), head, behind]));
  }, 'h2');
}

/** Whether the first request's head has arrived: frames follow the preface. */
function hasHead(received: string): boolean {
  const bytes = Buffer.from(received, 'latin1');
  for (let at = 24; at + 9 <= bytes.length; at += 9 + bytes.readUIntBE(at, 3)) if (bytes[at + 3] === 1) return true;
  return false;
}

const STATUSES = [600, 617, 799, 999];

// RFC 9110, section 15: a client treats an unknown status as the x00 of its class, and one above 599 as 5xx
describe('statuses that HTTP does not define pass over HTTP/2', () => {
  it.each(STATUSES)('%i from an HTTP/2 origin', async (status) => {
    const raw = await originWith([':status', String(status)], BOTH);
    const through = await testEngine({ upstreamCaFiles: [raw.caPath] });
    const result = await curl(through, '--http2', '-w', '%{http_code}', `https://localhost:${raw.port}/`);
    expect(result).toMatchObject({ exitCode: 0, stdout: String(status) });
    const exchange = await through.seen.ended1();
    expect(exchange).toMatchObject({ state: 'complete', failure: null, response: { status } });
    expect([exchange.client.protocol, exchange.upstream?.protocol]).toEqual(['h2', 'h2']);
  });

  it.each(STATUSES)('%i from an HTTP/1.1 origin', async (status) => {
    const origin = await secureRawOrigin((socket, received) => {
      if (received.endsWith('\r\n\r\n')) socket.write(`HTTP/1.1 ${status} Odd\r\nContent-Length: 2\r\n\r\nok`);
    });
    const through = await testEngine({ upstreamCaFiles: [origin.caPath], http2Upstream: false });
    const result = await curl(through, '--http2', '-w', '%{http_code}', `https://localhost:${origin.port}/`);
    expect(result).toMatchObject({ exitCode: 0, stdout: `ok${status}` });
    expect(await through.seen.ended1()).toMatchObject({ state: 'complete', failure: null, response: { status } });
  });
});

/** Everything that a Node client sees of one request, in order. */
async function observed(client: http2.ClientHttp2Session): Promise<string[]> {
  const seen: string[] = [];
  const stream = client.request(
    { ':path': '/', ':method': 'POST', expect: '100-continue', 'content-length': '5' },
    { endStream: false },
  );
  stream.on('continue', () => seen.push('continue'));
  stream.on('response', (headers) => seen.push(`response ${headers[':status']}`));
  stream.on('error', (error: NodeJS.ErrnoException) => seen.push(`error ${error.code}`));
  stream.on('end', () => seen.push('end'));
  stream.resume();
  await new Promise((resolve) => stream.on('close', resolve));
  return [...seen, `code ${stream.rstCode}`];
}

// RFC 9110, section 10.1.1: the client holds its body, and the server may respond without it
describe('a final response to Expect: 100-continue over HTTP/2', () => {
  const RESET = frame(FRAME.reset, 0, 1, uint32(0));

  it('reaches a client that keeps its body to itself, and both streams end', async () => {
    const origin = await originWith([':status', '417'], BOTH, RESET);
    const direct = http2.connect(`https://localhost:${origin.port}`, { ca: fs.readFileSync(origin.caPath) });
    direct.on('error', () => {});
    onTestFinished(() => direct.destroy());
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const proxied = await http2Client(through, origin.port);
    const seen = await observed(proxied);
    expect(seen).toEqual(await observed(direct));
    expect(seen).toContain('response 417');
    const exchange = await through.seen.ended1();
    expect(exchange).toMatchObject({ state: 'complete', failure: null, response: { status: 417 } });
    expect(exchange.request.body).toMatchObject({ size: 0, complete: false });
  });

  it('reaches a client that then cancels: upstream is released', async () => {
    const closed: Promise<unknown>[] = [];
    const origin = await http2Origin((stream) => {
      closed.push(once(stream, 'close'));
      stream.respond({ ':status': 401 }, { endStream: true });
    });
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const client = await http2Client(through, origin.port);
    const stream = client.request({ ':path': '/', ':method': 'POST', expect: '100-continue' }, { endStream: false });
    stream.on('error', () => {});
    const [headers] = (await once(stream, 'response')) as [http2.IncomingHttpHeaders];
    expect(headers[':status']).toBe(401);
    stream.close(http2.constants.NGHTTP2_CANCEL);
    expect(await through.seen.ended1()).toMatchObject({ state: 'complete', failure: null });
    await Promise.all(closed);
    expect((await responseOf(client.request({ ':path': '/' }))).headers[':status']).toBe(401);
  });

  // 403: after 417, curl repeats the request without the field.
  it.each(['h2', 'http/1.1'])('curl ends with the response, from an origin that speaks %s', async (protocol) => {
    const responded = new WeakSet();
    const origin =
      protocol === 'h2'
        ? await originWith([':status', '403'], BOTH)
        : await secureRawOrigin((socket, received) => {
            if (responded.has(socket) || !received.includes('\r\n\r\n')) return;
            responded.add(socket);
            socket.write('HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n');
          });
    const through = await testEngine({ upstreamCaFiles: [origin.caPath], http2Upstream: protocol === 'h2' });
    const upload = ['--http2', '-H', 'Expect: 100-continue', '-d', 'x=1', '-w', '%{http_code}'];
    const url = `https://localhost:${origin.port}/`;
    const result = await curl(through, ...upload, url);
    expect(result).toMatchObject({ exitCode: 0, stdout: '403' });
    expect((await through.seen.ended1()).response?.status).toBe(403);
  });
});

// RFC 9113, section 8.7; design, "Retry" (c)
describe('an origin that refuses a stream', () => {
  it.each([
    [0, 1],
    [1, 2],
    [2, 3],
  ])('refused %i times is sent %i times', async (refusals, asked) => {
    let count = 0;
    const origin = await http2Origin((stream) => {
      count += 1;
      if (count <= refusals) stream.close(http2.constants.NGHTTP2_REFUSED_STREAM);
      else stream.respond({ ':status': 200 }, { endStream: true });
    });
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const client = await http2Client(through, origin.port);
    const stream = client.request({ ':path': '/', ':method': 'POST' });
    stream.end('body');
    expect((await responseOf(stream)).headers[':status']).toBe(200);
    expect(count).toBe(asked);
    const { attempts } = await through.seen.ended1();
    expect(attempts.map((each) => each.retryReason)).toEqual([...Array(refusals).fill('refused-stream'), null]);
  });

  it('refused every time is sent three times, and the client gets the last refusal', async () => {
    let count = 0;
    const origin = await http2Origin((stream) => {
      count += 1;
      stream.close(http2.constants.NGHTTP2_REFUSED_STREAM);
    });
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const client = await http2Client(through, origin.port);
    const stream = client.request({ ':path': '/', ':method': 'POST' });
    stream.end('body');
    expect((await responseOf(stream)).reset).toBe(http2.constants.NGHTTP2_REFUSED_STREAM);
    expect(count).toBe(3);
    expect((await through.seen.ended1()).failure?.code).toBe('upstream.stream-reset');
  });
});
