import { once } from 'node:events';
import http2 from 'node:http2';
import net from 'node:net';
import { describe, expect, it } from 'vitest';
import { testEngine } from '../../support/engine.ts';
import { http2Client, responseOf } from '../../support/http2-client.ts';
import { http2Origin } from '../../support/http2-origin.ts';
import { rawOrigin, sendRaw } from '../../support/raw-origin.ts';
import { openTunnel } from '../../support/tunnel.ts';

const response = (body: string, more = ''): string =>
  `HTTP/1.1 200 OK\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`;

describe('a response that comes before its request is all in (RFC 9112, section 9.3)', () => {
  it('upstream gets the rest, and both connections continue', async () => {
    const origin = await rawOrigin((socket, received) => {
      if (received.endsWith('\r\n\r\n')) socket.write(response(received.includes('/second') ? 'again' : 'early'));
    });
    const through = await testEngine();
    const socket = net.connect(through.port, '127.0.0.1');
    const host = `127.0.0.1:${origin.port}`;
    const fields = `Host: ${host}\r\nContent-Length: 11\r\n\r\n`;
    socket.write(`POST http://${host}/first HTTP/1.1\r\n${fields}`);
    await once(socket, 'readable');
    expect(String(socket.read())).toContain('early');
    expect(through.seen.all).toEqual([]);
    socket.write('rest of it!');
    await origin.receives('rest of it!');
    expect(await through.seen.ended1((each) => each.request.path === '/first')).toMatchObject({
      state: 'complete',
      request: { body: { size: 11, complete: true } },
      response: { body: { size: 5, complete: true } },
    });
    expect(origin.received()).toBe(`POST /first HTTP/1.1\r\n${fields}rest of it!`);
    socket.write(`GET http://${host}/second HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    await once(socket, 'readable');
    expect(String(socket.read())).toContain('again');
    expect(origin.connections()).toBe(1);
    expect(through.engine.connections().upstream).toBe(1);
    socket.destroy();
  });

  it('a client that does not send the rest keeps its response, and upstream is released', async () => {
    const origin = await rawOrigin((socket, received) => {
      if (received.endsWith('\r\n\r\n')) socket.write(response('early'));
    });
    const through = await testEngine();
    const socket = await openTunnel(through, `127.0.0.1:${origin.port}`);
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n');
    await once(socket, 'readable');
    socket.destroy();
    const exchange = await through.seen.ended1();
    expect(exchange).toMatchObject({ state: 'complete', request: { body: { complete: false } } });
    await through.upstreamCount(0);
  });

  // RFC 9112, section 9.6: nothing after it is a request, even if it looks like one.
  it('if it closes the connection, the rest of the body is not read as a request', async () => {
    const origin = await rawOrigin((socket, received) => {
      if (received.endsWith('\r\n\r\n')) socket.end(response('early', 'Connection: close\r\n'));
    });
    const through = await testEngine();
    const socket = await openTunnel(through, `127.0.0.1:${origin.port}`);
    const first = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99\r\n\r\n';
    socket.write(first);
    await once(socket, 'readable');
    expect(String(socket.read())).toContain('early');
    socket.end('GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(socket, 'close');
    expect((await through.seen.ended1()).state).toBe('complete');
    expect(origin.received()).toBe(first);
    expect(through.seen.all).toHaveLength(1);
  });

  it('requests pipelined after one that closes the connection are not read', async () => {
    const origin = await rawOrigin((socket, received) => {
      if (received.endsWith('\r\n\r\n')) socket.end(response('ok'));
    });
    const through = await testEngine();
    const request = (path: string): string =>
      `GET http://127.0.0.1:${origin.port}${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
    const received = await sendRaw(through.port, request('/1') + request('/2'));
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
    expect(origin.received()).not.toContain('/2');
  });
});

// RFC 9113, section 8.1
describe('a response over HTTP/2 that comes before its request is all in', () => {
  async function early() {
    const taken: { size: number; closed: Promise<number> }[] = [];
    const origin = await http2Origin((stream) => {
      const each = { size: 0, closed: once(stream, 'close').then(() => stream.rstCode) };
      taken.push(each);
      stream.on('data', (chunk: Buffer) => {
        each.size += chunk.length;
      });
      stream.respond({ ':status': 200 });
      stream.end('early');
    });
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const client = await http2Client(through, origin.port);
    const stream = client.request({ ':path': '/', ':method': 'POST' }, { endStream: false });
    let body = '';
    stream.on('error', () => {});
    stream.setEncoding('latin1').on('data', (text: string) => {
      body += text;
    });
    stream.write('first');
    await once(stream, 'end');
    expect(body).toBe('early');
    return { through, client, stream, taken };
  }

  it('upstream gets the rest', async () => {
    const { through, client, stream, taken } = await early();
    stream.end(' and the rest');
    expect(await through.seen.ended1()).toMatchObject({
      state: 'complete',
      request: { body: { size: 18, complete: true } },
    });
    expect(await taken[0]?.closed).toBe(http2.constants.NGHTTP2_NO_ERROR);
    expect(taken[0]?.size).toBe(18);
    expect((await responseOf(client.request({ ':path': '/' }))).body).toBe('early');
  });

  it('a client that goes away with the rest has had its response', async () => {
    const { through, client, taken } = await early();
    client.destroy();
    expect(await through.seen.ended1()).toMatchObject({ state: 'complete', request: { body: { complete: false } } });
    expect(await taken[0]?.closed).toBe(http2.constants.NGHTTP2_CANCEL);
  });
});
