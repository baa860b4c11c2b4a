import { once } from 'node:events';
import net from 'node:net';
import tls from 'node:tls';
import { describe, expect, it } from 'vitest';
import { curl } from '../../support/curl.ts';
import { testEngine } from '../../support/engine.ts';
import { httpsOrigin } from '../../support/https-origin.ts';
import { rawOrigin, sendRaw } from '../../support/raw-origin.ts';
import { openSecureTunnel, openTunnel } from '../../support/tunnel.ts';

describe('HTTP/1.1 inside a tunnel', () => {
  it('passes the very bytes, both ways', async () => {
    const response =
      'HTTP/1.1 200 Fine By Me\r\nX-ODD: 1\r\nx-odd: 2\r\nTransfer-Encoding: chunked\r\n\r\n5;ext=1\r\nhello\r\n' +
      '0\r\nX-Sum: 9\r\n\r\n';
    const origin = await rawOrigin((socket, received) => {
      if (received.endsWith('0\r\nT: 1\r\n\r\n')) socket.write(response);
    });
    const through = await testEngine();
    const socket = await openTunnel(through, `127.0.0.1:${origin.port}`);
    const request =
      'POST //a/../b%2f;c? HTTP/1.1\r\nhOsT: 127.0.0.1\r\nX-b: 2\r\nx-A: \r\nTransfer-Encoding: chunked\r\n' +
      'Connection: close\r\n\r\n3\r\nabc\r\n0\r\nT: 1\r\n\r\n';
    let back = '';
    socket.on('data', (chunk) => {
      back += chunk.toString('latin1');
    });
    socket.write(request);
    await once(socket, 'close');
    const exchange = await through.seen.ended1();
    expect(origin.received()).toBe(request);
    expect(back).toBe(response);
    expect(exchange.request.path).toBe('//a/../b%2f;c?');
    expect(exchange.request.headers.slice(0, 6)).toEqual(['hOsT', '127.0.0.1', 'X-b', '2', 'x-A', '']);
    expect(exchange.request.trailers).toEqual(['T', '1']);
    expect(exchange.response?.trailers).toEqual(['X-Sum', '9']);
    expect(through.seen.body(exchange, 'request')).toBe('abc');
    expect(through.seen.body(exchange, 'response')).toBe('hello');
  });

  it('passes 103 and 100 on, and shows them', async () => {
    const origin = await rawOrigin((socket, received) => {
      if (!received.endsWith('\r\n\r\n')) return;
      socket.write('HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n');
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
    const through = await testEngine();
    const result = await curl(through, '-i', `http://127.0.0.1:${origin.port}/`);
    expect(result.stdout).toContain('HTTP/1.1 103 Early Hints');
    const exchange = await through.seen.ended1();
    expect(exchange.response?.informational).toMatchObject([{ status: 103, headers: ['Link', '</a.css>'] }]);
    expect(exchange.response?.status).toBe(200);
  });

  it('ends 1xx responses that do not end, to a client that does not read them', async () => {
    const hint = `HTTP/1.1 103 Early Hints\r\nLink: <${'a'.repeat(1000)}>\r\n\r\n`.repeat(64);
    const origin = await rawOrigin((socket) => {
      const more = (): void => {
        while (socket.writable && socket.write(hint));
      };
      socket.on('drain', more);
      more();
    });
    const through = await testEngine();
    const client = await openTunnel(through, `127.0.0.1:${origin.port}`);
    client.pause();
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await through.seen.ended1()).toMatchObject({
      state: 'failed',
      failure: { code: 'upstream.too-many-interim', side: 'upstream' },
    });
    await through.upstreamCount(0);
    client.destroy();
  });

  it.each([
    ['HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n', ['-I']],
    ['204', 'HTTP/1.1 204 No Content\r\n\r\n', []],
    ['304', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n', []],
  ])('%s has no body, and the connection goes on', async (_name, response, args) => {
    const origin = await rawOrigin((socket, received) => {
      if (received.endsWith('\r\n\r\n')) socket.write(response);
    });
    const through = await testEngine();
    const url = `http://127.0.0.1:${origin.port}/`;
    expect((await curl(through, ...args, url, url)).exitCode).toBe(0);
    await through.seen.ended1((each) => each.id === 2);
    expect(through.seen.all.map((each) => each.response?.body.size)).toEqual([0, 0]);
    expect(origin.connections()).toBe(1);
  });

  it('a body until the connection ends is complete with it', async () => {
    const origin = await rawOrigin((socket, received) => {
      if (received.endsWith('\r\n\r\n')) socket.end('HTTP/1.1 200 OK\r\n\r\nall of it');
    });
    const through = await testEngine();
    expect((await curl(through, `http://127.0.0.1:${origin.port}/`)).stdout).toBe('all of it');
    expect((await through.seen.ended1()).state).toBe('complete');
  });

  it('pipelined requests are answered in their order', async () => {
    const origin = await rawOrigin((socket, received) => {
      const paths = [...received.matchAll(/GET (\S+) HTTP/g)];
      const path = paths.at(-1)?.[1] ?? '';
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${path.length}\r\n\r\n${path}`);
    });
    const through = await testEngine();
    const request = (path: string, more = ''): string =>
      `GET http://127.0.0.1:${origin.port}${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
    const all = await sendRaw(through.port, request('/1') + request('/2') + request('/3', 'Connection: close\r\n'));
    expect(all.match(/(?<=\r\n\r\n)\/\d/g)).toEqual(['/1', '/2', '/3']);
  });

  it('a CONNECT pipelined after requests is answered after them, on many connections in parallel', async () => {
    const origin = await rawOrigin((socket, received) => {
      if (received.endsWith('\r\n\r\n')) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\none');
    });
    const through = await testEngine();
    const authority = `127.0.0.1:${origin.port}`;
    const bytes =
      `GET http://${authority}/ HTTP/1.1\r\nHost: x\r\n\r\nCONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n` +
      '\r\n';
    const talk = async (): Promise<string> => {
      const socket = net.connect(through.port, '127.0.0.1');
      socket.write(bytes);
      let back = '';
      for await (const chunk of socket) {
        back += String(chunk);
        if (back.includes('established')) break;
      }
      return back;
    };
    const responses = await Promise.all(Array.from({ length: 32 }, talk));
    for (const each of responses) {
      expect(each).toMatch(/^HTTP\/1\.1 200 OK\r\nContent-Length: 3\r\n\r\noneHTTP\/1\.1 200 Connection established/);
    }
  });

  it('an upgrade passes bytes both ways', async () => {
    const origin = await rawOrigin((socket, received) => {
      if (received.endsWith('\r\n\r\n'))
        socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n');
      else socket.write(`echo ${received.split('\r\n\r\n')[1]}`);
    });
    const through = await testEngine();
    const socket = await openTunnel(through, `127.0.0.1:${origin.port}`);
    socket.write('GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n');
    await once(socket, 'readable');
    expect(String(socket.read())).toContain('101 Switching Protocols');
    socket.write('ping');
    await once(socket, 'readable');
    expect(String(socket.read())).toBe('echo ping');
    socket.destroy();
    const exchange = await through.seen.ended1();
    expect(exchange.kind).toBe('upgrade');
    expect(through.seen.body(exchange, 'request')).toBe('ping');
    expect(through.seen.body(exchange, 'response')).toBe('echo ping');
  });

  it('a client that goes away aborts the exchange upstream', async () => {
    const origin = await httpsOrigin((_request, response) => response.write('first'));
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const socket = await openSecureTunnel(through, Number(new URL(origin.url).port), ['http/1.1']);
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(socket, 'data');
    socket.destroy();
    const exchange = await through.seen.ended1();
    expect(exchange.state).toBe('aborted');
    expect(exchange.failure?.code).toBe('client.aborted');
  });
});

describe('connections and timings', () => {
  it('the second exchange reuses the connection, and has no handshake', async () => {
    const origin = await httpsOrigin();
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    expect((await curl(through, `${origin.url}/1`, `${origin.url}/2`)).stdout).toBe('hellohello');
    const second = await through.seen.ended1((each) => each.id === 2 || each.request.path === '/2');
    const [first] = through.seen.all;
    expect(first?.timings.connect).toBeGreaterThan(0);
    expect(first?.timings.ssl).toBeGreaterThan(0);
    expect(first?.upstream?.tls?.certificate?.altNames).toContain('DNS:localhost');
    expect(second.timings).toMatchObject({ dns: -1, connect: -1, ssl: -1 });
    expect(second.upstream).toMatchObject({ id: first?.upstream?.id, reused: true });
    expect(second.timings.overheadRequest).toBeGreaterThanOrEqual(0);
    expect(second.timings.wait).toBeGreaterThan(0);
  });

  it('an IP literal gets a certificate that names it', async () => {
    const origin = await httpsOrigin();
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const socket = await openTunnel(through, `127.0.0.1:${new URL(origin.url).port}`);
    const secure = tls.connect({ socket, servername: 'localhost', ca: through.caPem });
    await once(secure, 'secureConnect');
    expect(secure.getPeerCertificate().subjectaltname).toContain('IP Address:127.0.0.1');
    secure.destroy();
  });

  it('bytes other than TLS pass through a tunnel, even if the server speaks first', async () => {
    const origin = await rawOrigin((socket) => socket.write('pong'));
    const through = await testEngine();
    const socket = await openTunnel(through, `127.0.0.1:${origin.port}`);
    socket.write(Buffer.from([0, 1, 2]));
    await once(socket, 'readable');
    expect(String(socket.read())).toBe('pong');
    socket.destroy();
    const exchange = await through.seen.ended1();
    expect(exchange).toMatchObject({ kind: 'tunnel', state: 'complete', request: { body: { size: 3 } } });
    expect(exchange.response?.body.size).toBe(4);
  });

  it.each(['SSH-2.0-OpenSSH_9.2\r\n', 'NICK a\r\nUSER a 0 * :a\r\n', '*1\r\n$4\r\nPING\r\n', 'AMQP\0\0\x09\x01'])(
    'text that is no request passes through a tunnel at once: %j',
    async (hello) => {
      const origin = await rawOrigin((socket, received) => socket.write(`pong ${received}`, 'latin1'));
      const through = await testEngine({}, { tunnelSilence: 60_000 });
      const socket = await openTunnel(through, `127.0.0.1:${origin.port}`);
      socket.write(hello, 'latin1');
      await once(socket, 'readable');
      expect(socket.read().toString('latin1')).toBe(`pong ${hello}`);
      socket.destroy();
      expect(await through.seen.ended1()).toMatchObject({ kind: 'tunnel', state: 'complete', failure: null });
    },
  );

  it('a host on the pass-through list keeps its own certificate', async () => {
    const origin = await httpsOrigin();
    const through = await testEngine({ passthroughHosts: ['local*'] });
    const result = await curl(through, '--cacert', origin.caPath, origin.url);
    expect(result).toMatchObject({ exitCode: 0, stdout: 'hello' });
    expect((await through.seen.ended1()).kind).toBe('tunnel');
  });
});
