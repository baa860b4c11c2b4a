import { describe, expect, it } from 'vitest';
import { curl } from '../../support/curl.ts';
import { testEngine } from '../../support/engine.ts';
import { http2Client, responseOf } from '../../support/http2-client.ts';
import { http2Origin } from '../../support/http2-origin.ts';
import { secureRawOrigin } from '../../support/secure-raw-origin.ts';

const BODY = 'Content-Length: 2\r\n\r\nok';

describe('a response from HTTP/1.1 to an HTTP/2 client', () => {
  it.each([
    [
      'the same field twice',
      `HTTP/1.1 200 OK\r\nETag: "1"\r\nETag: "2"\r\nContent-Type: a/b\r\nContent-Type: c/d\r\n${BODY}`,
    ],
    [
      'fields of the connection',
      `HTTP/1.1 200 OK\r\nConnection: keep-alive, x-hop\r\nKeep-Alive: 5\r\nX-Hop: 1\r\n${BODY}`,
    ],
    ['upper case and an empty value', `HTTP/1.1 200 OK\r\nX-UPPER:\r\n${BODY}`],
    [
      'chunks and trailers',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 1\r\nConnection: x\r\n\r\n',
    ],
    [
      'an interim response before it',
      `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nConnection: x\r\n\r\nHTTP/1.1 200 OK\r\n${BODY}`,
    ],
  ])('passes: %s', async (_name, response) => {
    const origin = await secureRawOrigin((socket, received) => {
      if (received.endsWith('\r\n\r\n')) socket.write(response);
    });
    const through = await testEngine({ upstreamCaFiles: [origin.caPath], http2Upstream: false });
    const client = await http2Client(through, origin.port);
    expect(await responseOf(client.request({ ':path': '/' }))).toMatchObject({ body: 'ok', reset: 0 });
    expect((await through.seen.ended1()).state).toBe('complete');
  });

  it.each([
    ['a status that HTTP/2 cannot carry', `HTTP/1.1 999 Odd\r\n${BODY}`],
    ['an informational status that it cannot', `HTTP/1.1 150 Odd\r\n\r\nHTTP/1.1 200 OK\r\n${BODY}`],
  ])('%s: the engine continues, whatever the outcome', async (_name, response) => {
    const origin = await secureRawOrigin((socket, received) => {
      if (received.endsWith('\r\n\r\n'))
        socket.write(received.includes('/odd') ? response : `HTTP/1.1 200 OK\r\n${BODY}`);
    });
    const through = await testEngine({ upstreamCaFiles: [origin.caPath], http2Upstream: false });
    const client = await http2Client(through, origin.port);
    await responseOf(client.request({ ':path': '/odd' }));
    expect(await responseOf(client.request({ ':path': '/' }))).toMatchObject({ body: 'ok', reset: 0 });
  });
});

describe('a request from HTTP/1.1 to an HTTP/2 origin', () => {
  it.each([
    [
      'the same field twice',
      ['-H', 'Content-Type: a/b', '-H', 'content-type: c/d', '-H', 'Authorization: a', '-H', 'authorization: b'],
    ],
    [
      'fields of the connection',
      ['-H', 'Connection: x-hop, HTTP2-Settings', '-H', 'HTTP2-Settings: AA', '-H', 'Keep-Alive: 1'],
    ],
    ['te', ['-H', 'TE: gzip, trailers']],
    ['an unknown method', ['-X', 'M-SEARCH']],
  ])('passes: %s', async (_name, args) => {
    const origin = await http2Origin((stream) => {
      stream.respond({ ':status': 200 });
      stream.end('ok');
    });
    const through = await testEngine({ upstreamCaFiles: [origin.caPath], http2Client: false });
    expect(await curl(through, '--http1.1', ...args, origin.url)).toMatchObject({ exitCode: 0, stdout: 'ok' });
    expect((await through.seen.ended1()).state).toBe('complete');
  });
});
