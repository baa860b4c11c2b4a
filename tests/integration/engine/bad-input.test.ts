import { once } from 'node:events';
import net from 'node:net';
import tls from 'node:tls';
import { describe, expect, it } from 'vitest';
import { curl } from '../../support/curl.ts';
import { testEngine } from '../../support/engine.ts';
import { http2Origin } from '../../support/http2-origin.ts';
import { httpsOrigin } from '../../support/https-origin.ts';
import { rawOrigin, sendRaw } from '../../support/raw-origin.ts';

describe('what a client sends wrong', () => {
  it.each([
    ['a malformed request line', 'GET / HTTP/1.1 extra\r\n\r\n', '400', 'client.bad-request'],
    ['a bare LF', 'GET http://a.test/ HTTP/1.1\nHost: a.test\n\n', '400', 'client.bad-request'],
    ['a space before the colon', 'GET http://a.test/ HTTP/1.1\r\nHost : a.test\r\n\r\n', '400', 'client.bad-request'],
    ['a folded line', 'GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\nX: a\r\n b\r\n\r\n', '400', 'client.bad-request'],
    [
      'two lengths',
      'POST http://a.test/ HTTP/1.1\r\nHost: a.test\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx',
      '400',
      'client.bad-request',
    ],
    [
      'length and coding',
      'POST http://a.test/ HTTP/1.1\r\nHost: a.test\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n' +
        '\r\n',
      '400',
      'client.bad-request',
    ],
    [
      'a signed length',
      'POST http://a.test/ HTTP/1.1\r\nHost: a.test\r\nContent-Length: +1\r\n\r\nx',
      '400',
      'client.bad-request',
    ],
    ['no host to go to', 'GET / HTTP/1.1\r\nHost: a.test\r\n\r\n', '400', 'client.bad-request'],
    ['a CONNECT to nonsense', 'CONNECT nonsense HTTP/1.1\r\nHost: x\r\n\r\n', '400', 'tunnel.bad-authority'],
  ])('%s is answered with %#', async (_name, bytes, status, code) => {
    const through = await testEngine();
    expect(await sendRaw(through.port, bytes)).toContain(`HTTP/1.1 ${status} `);
    expect((await through.seen.ended1()).failure?.code).toBe(code);
  });

  it.each([
    ['an address', 'GET http://ann:s3cret@a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n'],
    ['an address of another scheme', 'GET ftp://ann:s3cret@a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n'],
    ['a request line without a version', 'GET http://ann:s3cret@a.test/\r\n\r\n'],
    ['a Host', 'GET http://a.test/ HTTP/1.1\r\nHost: ann:s3cret@a.test\r\n\r\n'],
    ['a CONNECT', 'CONNECT ann:s3cret@a.test:443 HTTP/1.1\r\nHost: a.test\r\n\r\n'],
    ['a field without a colon', 'GET http://a.test/ HTTP/1.1\r\nProxy-Authorization Basic s3cret\r\n\r\n'],
    ['a field with a colon in its value', 'GET http://a.test/ HTTP/1.1\r\nProxy-Authorization ann:s3cret\r\n\r\n'],
    ['a folded field', 'GET http://a.test/ HTTP/1.1\r\nProxy-Authorization:\r\n Basic s3cret\r\n\r\n'],
    ['a folded field with a colon', 'GET http://a.test/ HTTP/1.1\r\nProxy-Authorization:\r\n Basic s3cret:x\r\n\r\n'],
  ])('%s that is refused leaves its login out of the record', async (_name, bytes) => {
    const through = await testEngine();
    expect(await sendRaw(through.port, bytes)).toContain('HTTP/1.1 400 ');
    const { failure } = await through.seen.ended1();
    expect(failure?.side).toBe('client');
    expect(JSON.stringify(through.seen.all)).not.toContain('s3cret');
  });

  it('a header block over the limit is a 431', async () => {
    const through = await testEngine({}, { headBytes: 8192 });
    const response = await sendRaw(
      through.port,
      `GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\nX: ${'x'.repeat(9000)}\r\n\r\n`,
    );
    expect(response).toContain('HTTP/1.1 431 ');
    expect((await through.seen.ended1()).failure?.code).toBe('client.head-too-large');
  });

  it.each([['neither HTTP nor TLS', Buffer.from([0, 1, 2, 3]), 'client.not-http']])(
    '%s is closed without a response',
    async (_name, bytes, code) => {
      const through = await testEngine();
      expect(await sendRaw(through.port, bytes)).toBe('');
      const exchange = await through.seen.ended1();
      expect(exchange.kind).toBe('connection');
      expect(exchange.failure?.code).toBe(code);
    },
  );

  it('a CONNECT to the proxy itself does not loop', async () => {
    const through = await testEngine();
    const response = await sendRaw(through.port, `CONNECT localhost:${through.port} HTTP/1.1\r\n\r\n`);
    expect(response).toContain('HTTP/1.1 400 ');
    expect((await through.seen.ended1()).failure?.code).toBe('tunnel.to-itself');
  });

  it('a client that rejects our certificate has its own row', async () => {
    const origin = await httpsOrigin();
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const refused = await curl(through, '--cacert', origin.caPath, origin.url);
    expect(refused.exitCode).toBe(60);
    const exchange = await through.seen.ended1();
    expect(exchange.kind).toBe('tunnel');
    expect(exchange.failure?.code).toBe('tls.client-rejected-certificate');
  });

  it('a slow head is cut off', async () => {
    const through = await testEngine({}, { requestHeadTime: 50 });
    expect(await sendRaw(through.port, 'GET http://a.test/ HT')).toBe('');
    expect((await through.seen.ended1()).failure?.code).toBe('client.idle-timeout');
  });

  it('keeps running after all of it', async () => {
    const origin = await httpsOrigin();
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    await sendRaw(through.port, 'nonsense\r\n\r\n');
    const socket = tls.connect({ port: through.port, host: '127.0.0.1' });
    socket.on('error', () => {});
    socket.destroy();
    expect((await curl(through, origin.url)).stdout).toBe('hello');
  });
});

describe('what upstream does wrong', () => {
  it.each([
    ['closes without a response', (socket: net.Socket) => socket.end(), 'upstream.empty-response'],
    ['resets', (socket: net.Socket) => socket.resetAndDestroy(), 'upstream.reset'],
    ['answers garbage', (socket: net.Socket) => socket.end('garbage\r\n\r\n'), 'upstream.bad-response'],
    [
      'sends two lengths',
      (socket: net.Socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx'),
      'upstream.bad-response',
    ],
    [
      'cuts a body short',
      (socket: net.Socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc'),
      'upstream.body-cut-short',
    ],
    [
      'cuts chunks short',
      (socket: net.Socket) => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc'),
      'upstream.body-cut-short',
    ],
  ])('%s: the client sees it, with no invented response', async (_name, serve, code) => {
    const origin = await rawOrigin((socket, received) => {
      if (received.endsWith('\r\n\r\n')) serve(socket);
    });
    const through = await testEngine();
    const result = await curl(through, `http://127.0.0.1:${origin.port}/`);
    expect(result.exitCode).not.toBe(0);
    const exchange = await through.seen.ended1();
    expect(exchange.state).toBe('failed');
    expect(exchange.failure?.code).toBe(code);
    expect(exchange.response?.status ?? 0).not.toBe(502);
  });

  it('refuses: one attempt', async () => {
    const through = await testEngine();
    const result = await curl(through, 'http://127.0.0.1:1/');
    expect(result.exitCode).toBe(52);
    const exchange = await through.seen.ended1();
    expect(exchange.failure?.code).toBe('upstream.refused');
    expect(exchange.attempts.map((each) => each.failure?.code)).toEqual(['upstream.refused']);
  });

  it('hangs: the exchange ends with its client', async () => {
    const origin = await rawOrigin(() => {});
    const through = await testEngine();
    const result = await curl(through, '-m', '1', `http://127.0.0.1:${origin.port}/`);
    expect(result.exitCode).toBe(28);
    expect(origin.received()).toContain('GET / HTTP/1.1');
  });

  it('stays silent beyond the limit', async () => {
    const origin = await rawOrigin(() => {});
    const through = await testEngine({}, { responseSilence: 100 });
    expect((await curl(through, `http://127.0.0.1:${origin.port}/`)).exitCode).not.toBe(0);
    expect((await through.seen.ended1()).failure?.code).toBe('upstream.timeout');
  });

  it('shows a certificate that is not trusted, and fails the handshake', async () => {
    const origin = await httpsOrigin();
    const through = await testEngine();
    expect((await curl(through, origin.url)).exitCode).toBe(35);
    expect((await through.seen.ended1()).failure?.code).toBe('upstream.certificate-unknown-issuer');
  });

  it('closed an idle connection: the request is sent again, on a fresh one', async () => {
    let connections = 0;
    const origin = await rawOrigin((socket, received) => {
      const requests = received.split('\r\n\r\n').length - 1;
      if (requests === 1 && received.endsWith('\r\n\r\n'))
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      if (requests === 2) socket.destroy();
      connections += 1;
    });
    const through = await testEngine();
    const url = `http://127.0.0.1:${origin.port}/`;
    await curl(through, url);
    expect((await curl(through, url)).stdout).toBe('ok');
    const second = await through.seen.ended1((each) => each.id === 2);
    expect(second.attempts.map((each) => each.retryReason)).toEqual(['reused-connection-closed', null]);
    expect(connections).toBeGreaterThan(1);
    expect(origin.connections()).toBe(2);
  });
});

// Law 6: one bad exchange never breaks another.
const places = ['changed', 'request', 'response'] as const;
it.each(['--http1.1', '--http2'].flatMap((protocol) => places.map((place) => [protocol, place] as const)))(
  'an internal error ends only its own exchange, with a code, %s, %s',
  async (protocol, place) => {
    const origin = await http2Origin(
      (stream) => {
        stream.respond({ ':status': 200 });
        stream.resume().on('end', () => stream.end('a response'));
      },
      { http1: true },
    );
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const { changed, bodyPiece } = through.seen;
    const throwing = (): never => {
      throw new Error('a recorder that broke');
    };
    if (place === 'changed') through.seen.changed = throwing;
    else through.seen.bodyPiece = (_, side) => (side === place ? throwing() : true);
    expect((await curl(through, protocol, '--data', 'a question', origin.url)).exitCode).not.toBe(0);
    Object.assign(through.seen, { changed, bodyPiece });
    const exchange = await through.seen.ended1();
    expect(exchange.failure).toMatchObject({ code: 'engine.internal', side: 'roundtrip' });
    expect(exchange.failure?.message).toContain('a recorder that broke');
    expect((await curl(through, protocol, '-w', '%{http_code}', '-o', '/dev/null', origin.url)).stdout).toBe('200');
  },
);

describe('a busy port', () => {
  it('is named', async () => {
    const taken = net.createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const through = await testEngine();
    const { Engine } = await import('../../../electron/engine/engine.ts');
    const again = Engine.start({
      host: '127.0.0.1',
      port: through.port,
      settings: (await import('../../../shared/model/settings.ts')).DEFAULT_SETTINGS,
      certificates: await (await import('../../support/test-ca.ts'))
        .testCa()
        .then(({ ca }) => ({ ...ca, leafFolder: null })),
      observer: through.seen,
      refusedAuthorities: [],
    });
    await expect(again).rejects.toMatchObject({ failure: { code: 'engine.port-in-use' } });
    taken.close();
  });
});
