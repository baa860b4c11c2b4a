import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { curl } from '../../support/curl.ts';
import { testEngine } from '../../support/engine.ts';
import { freePort } from '../../support/free-port.ts';
import { httpsOrigin } from '../../support/https-origin.ts';
import { listenInTest } from '../../support/listen-in-test.ts';
import { rawOrigin } from '../../support/raw-origin.ts';
import { HAS, microsocks, squid, tinyproxy } from '../../support/real-proxies.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const LOGIN = 'ann:s3cret';
const through = (url: string) => ({ upstreamProxy: { enabled: true, url } });

interface Way {
  name: string;
  available: boolean;
  /** Its address, including the login. */
  start(): Promise<string>;
}

describe('a real upstream proxy', () => {
  it.skipIf(!HAS.tinyproxy)('takes effect on the next exchange, as does turning it off', async () => {
    const port = await tinyproxy(null);
    const origin = await httpsOrigin();
    const engine = await testEngine({ upstreamCaFiles: [origin.caPath] });
    await curl(engine, origin.url);
    engine.apply({ upstreamCaFiles: [origin.caPath], ...through(`http://127.0.0.1:${port}`) });
    await curl(engine, origin.url);
    engine.apply({ upstreamCaFiles: [origin.caPath] });
    await curl(engine, origin.url);
    await engine.seen.ended1((each) => each.id === 3);
    expect(engine.seen.all.map((each) => each.upstream?.via ?? null)).toEqual([null, `http://127.0.0.1:${port}`, null]);
  });
});

describe('a body too large to be sent again', () => {
  const SIZE = 3 * 1024 * 1024;
  const body = Buffer.alloc(SIZE, 'roundtrip ');

  for (const scheme of ['none', 'basic', 'digest', 'ntlm'] as const) {
    it.skipIf(!HAS.squid)(`reaches the origin once, whole, as the first request through squid, ${scheme}`, async () => {
      const received: { method: string; size: number }[] = [];
      const server = http.createServer((request, response) => {
        let size = 0;
        request.on('data', (chunk: Buffer) => (size += chunk.length));
        request.on('end', () => {
          received.push({ method: request.method ?? '', size });
          response.end(String(size));
        });
      });
      const port = await listenInTest(server);
      const url = `http://127.0.0.1:${port}/`;
      const file = path.join(temporaryFolder(), 'body');
      fs.writeFileSync(file, body);
      const login = scheme === 'none' ? '' : `${LOGIN}@`;
      const engine = await testEngine(through(`http://${login}127.0.0.1:${await squid({ scheme, login: LOGIN })}`));
      const upload = ['-X', 'POST', '-H', 'Expect:', '-T', file];
      for (const more of [[], ['-H', 'Transfer-Encoding: chunked'], []])
        expect((await curl(engine, ...upload, ...more, url)).stdout).toBe(String(SIZE));
      expect(received).toEqual(Array(3).fill({ method: 'POST', size: SIZE }));
      await engine.seen.ended1((each) => each.id === 3);
      expect(engine.seen.all.map((each) => each.failure)).toEqual([null, null, null]);
    });
  }
});

describe('the statuses with which a proxy refuses', () => {
  const WRONG: Way[] = [
    {
      name: 'tinyproxy',
      available: HAS.tinyproxy,
      start: async () => `http://ann:wrong@127.0.0.1:${await tinyproxy(LOGIN)}`,
    },
    {
      name: 'squid, Basic',
      available: HAS.squid,
      start: async () => `http://ann:wrong@127.0.0.1:${await squid({ scheme: 'basic', login: LOGIN })}`,
    },
    {
      name: 'squid, Digest',
      available: HAS.squid,
      start: async () => `http://ann:wrong@127.0.0.1:${await squid({ scheme: 'digest', login: LOGIN })}`,
    },
    {
      name: 'microsocks',
      available: HAS.microsocks,
      start: async () => `socks5h://ann:wrong@127.0.0.1:${await microsocks(LOGIN)}`,
    },
  ];
  for (const { name, available, start } of WRONG) {
    it.skipIf(!available)(`a wrong password is not sent twice: ${name}`, async () => {
      const proxy = await start();
      const counted = await loginCounter(Number(/\d+$/.exec(proxy)?.[0]));
      const engine = await testEngine(through(proxy.replace(/\d+$/, String(counted.port))));
      await Promise.all([1, 2, 3, 4].map((each) => curl(engine, `https://localhost:${each}/`)));
      await curl(engine, 'https://localhost:5/');
      expect(engine.seen.all.map((each) => each.failure?.code)).toEqual(Array(5).fill('proxy.wrong-password'));
      expect(counted.logins()).toBe(1);
      expect(JSON.stringify(engine.seen.all)).not.toContain('wrong@');
    });
  }

  it.skipIf(!HAS.squid).each(['basic', 'digest'] as const)(
    'a wrong password is sent once however many ask at once, tunnels and plain requests: %s',
    async (scheme) => {
      const counted = await loginCounter(await squid({ scheme, login: LOGIN }));
      const engine = await testEngine(through(`http://ann:wrong@127.0.0.1:${counted.port}`));
      const urls = Array.from(
        { length: 24 },
        (_, each) => `${each % 2 === 0 ? 'https' : 'http'}://localhost:${each + 1}/`,
      );
      await Promise.all(urls.map((url) => curl(engine, url)));
      await engine.seen.ended1(() => engine.seen.all.length === urls.length);
      expect(new Set(engine.seen.all.map((each) => each.failure?.code ?? each.state))).toEqual(
        new Set(['proxy.wrong-password']),
      );
      expect(counted.logins()).toBe(1);
    },
  );

  it('a proxy that closes after its challenge without saying so gets the password on another connection', async () => {
    const origin = await httpsOrigin();
    const challenge = 'HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm="a"\r\nContent-Length: 0\r\n\r\n';
    const proxy = await rawOrigin((socket, text) => {
      if (!text.includes('Proxy-Authorization')) {
        socket.end(challenge);
        return;
      }
      if (text.startsWith('GET')) socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nplain');
      if (!text.startsWith('CONNECT') || !text.endsWith('\r\n\r\n')) return;
      socket.removeAllListeners('data');
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(net.connect(Number(new URL(origin.url).port), '127.0.0.1')).pipe(socket);
    });
    const url = `http://${LOGIN}@127.0.0.1:${proxy.port}`;
    const engine = await testEngine({ ...through(url), upstreamCaFiles: [origin.caPath] });
    expect((await curl(engine, origin.url)).stdout).toBe('hello');
    const other = await testEngine(through(url));
    expect((await curl(other, 'http://localhost:1/')).stdout).toBe('plain');
    expect((await engine.seen.ended1()).attempts).toHaveLength(1);
  });

  it('a proxy that closes instead of refusing gets a password once for each request', async () => {
    const challenge = 'HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm="a"\r\nContent-Length: 0\r\n\r\n';
    const proxy = await rawOrigin((socket, text) => {
      if (text.includes('Proxy-Authorization')) socket.end();
      else socket.write(challenge);
    });
    const engine = await testEngine(through(`http://${LOGIN}@127.0.0.1:${proxy.port}`));
    await curl(engine, 'https://localhost:1/');
    expect((await engine.seen.ended1()).failure?.code).toBe('proxy.empty-answer');
    expect([...proxy.received().matchAll(/Proxy-Authorization/g)]).toHaveLength(1);
    await curl(engine, 'http://localhost:1/');
    expect((await engine.seen.ended1((each) => each.id === 2)).failure?.code).toBe('upstream.empty-response');
    expect([...proxy.received().matchAll(/Proxy-Authorization/g)]).toHaveLength(2);
  });

  it.skipIf(!HAS.squid)('407 with the schemes that it offers', async () => {
    const engine = await testEngine(through(`http://127.0.0.1:${await squid({ scheme: 'digest', login: LOGIN })}`));
    await curl(engine, 'https://localhost:1/');
    const { failure } = await engine.seen.ended1();
    expect(failure).toMatchObject({
      code: 'proxy.authentication-required',
      message: expect.stringContaining('digest'),
    });
  });

  it.skipIf(!HAS.squid)('its own error, and the page with it', async () => {
    const port = await squid({ rules: ['acl no port 81', 'http_access deny no'] });
    const engine = await testEngine(through(`http://127.0.0.1:${port}`));
    await curl(engine, `https://127.0.0.1:${await freePort()}/`);
    const unreachable = await engine.seen.ended1();
    expect(unreachable.failure?.code).toBe('proxy.unavailable');
    await curl(engine, 'https://127.0.0.1:81/');
    expect((await engine.seen.ended1((each) => each.id === 2)).failure?.code).toBe('proxy.forbidden');
  });

  it.skipIf(!HAS.microsocks)('a SOCKS refusal', async () => {
    const engine = await testEngine(through(`socks5h://127.0.0.1:${await microsocks(null)}`));
    await curl(engine, `https://127.0.0.1:${await freePort()}/`);
    expect((await engine.seen.ended1()).failure).toMatchObject({ code: 'proxy.socks-refused', side: 'upstream-proxy' });
  });

  it.each([
    ['502 Bad Gateway', 'proxy.bad-gateway'],
    ['504 Gateway Timeout', 'proxy.gateway-timeout'],
    ['418 Teapot', 'proxy.connect-rejected'],
  ])('%s', async (status, code) => {
    const proxy = await rawOrigin((socket) => {
      socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 3\r\n\r\nwhy`);
    });
    const engine = await testEngine(through(`http://127.0.0.1:${proxy.port}`));
    await curl(engine, 'https://localhost:1/');
    expect((await engine.seen.ended1()).failure?.code).toBe(code);
  });

  it('no proxy, no such host, no TLS', async () => {
    const engine = await testEngine(through('http://127.0.0.1:1'));
    await curl(engine, 'https://localhost:2/');
    expect((await engine.seen.ended1()).failure?.code).toBe('proxy.refused');
    engine.apply(through('http://nowhere.invalid:1'));
    await curl(engine, 'https://localhost:2/');
    expect((await engine.seen.ended1((each) => each.id === 2)).failure?.code).toBe('proxy.host-not-found');
    const plain = await rawOrigin((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    engine.apply(through(`https://127.0.0.1:${plain.port}`));
    await curl(engine, 'https://localhost:2/');
    expect((await engine.seen.ended1((each) => each.id === 3)).failure?.code).toBe('proxy.tls-handshake');
  });

  it('a SOCKS4a refusal, the name left to the proxy', async () => {
    // A script, for exact bytes on the line. `carries everything` has a real one.
    const proxy = await rawOrigin((socket) => socket.end(Buffer.from([0, 0x5b, 0, 0, 0, 0, 0, 0])));
    const engine = await testEngine(through(`socks4a://ann@127.0.0.1:${proxy.port}`));
    await curl(engine, 'https://a.test:258/');
    expect((await engine.seen.ended1()).failure?.code).toBe('proxy.socks-refused');
    expect(proxy.received()).toBe('\x04\x01\x01\x02\0\0\0\x01ann\0a.test\0');
  });

  it.each(['127.0.0.1', 'localhost', '127.0.0.2', '[::1]', '[::ffff:127.0.0.1]', 'one of this machine'])(
    'the proxy itself, at once: %s',
    async (name) => {
      const lan = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
      const own = lan.find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.1';
      const engine = await testEngine({}, {}, { host: '::' });
      for (const scheme of ['http', 'https', 'socks5h']) {
        engine.apply(through(`${scheme}://${name === 'one of this machine' ? own : name}:${engine.port}`));
        await curl(engine, 'https://localhost:2/');
        await curl(engine, 'http://localhost:2/');
      }
      await engine.seen.ended1(() => engine.seen.all.length === 6);
      expect(engine.seen.all.map((each) => each.failure?.code)).toEqual(Array(6).fill('proxy.loop'));
    },
  );

  it('a silent proxy, and half of a response', async () => {
    const silent = await rawOrigin(() => {});
    const engine = await testEngine(through(`http://127.0.0.1:${silent.port}`), { connectTime: 300 });
    await curl(engine, 'https://localhost:1/');
    expect((await engine.seen.ended1()).failure?.code).toBe('proxy.timeout');
    const half = await rawOrigin((socket) => socket.write('HTTP/1.1 200 OK\r\nX: '));
    for (const scheme of ['http', 'socks5h', 'https']) {
      engine.apply(through(`${scheme}://127.0.0.1:${scheme === 'http' ? half.port : silent.port}`));
      await curl(engine, 'https://localhost:1/');
    }
    await engine.seen.ended1((each) => each.id === 4);
    expect(engine.seen.all.map((each) => each.failure?.code)).toEqual(Array(4).fill('proxy.timeout'));
    await expect.poll(() => engine.engine.connections().upstream).toBe(0);
  });

  it('keeps the beginning of a page that never ends', async () => {
    const proxy = await rawOrigin((socket) => {
      socket.write('HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\n\r\n');
      socket.write('x'.repeat(100_000));
    });
    const engine = await testEngine(through(`http://127.0.0.1:${proxy.port}`));
    await curl(engine, 'https://localhost:1/');
    const { failure, route } = await engine.seen.ended1();
    expect(failure?.code).toBe('proxy.unavailable');
    expect(route?.answer?.body).toBe('x'.repeat(16 * 1024));
  });

  it.each([true, false])(
    'a proxy that closes before its response is asked again, one that responds is not (intercept: %s)',
    async (intercept) => {
      let asked = 0;
      const proxy = await rawOrigin((socket) => {
        asked += 1;
        socket.end(asked === 1 ? '' : 'HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n');
      });
      const engine = await testEngine({ ...through(`http://127.0.0.1:${proxy.port}`), intercept });
      await curl(engine, 'https://localhost:1/');
      const { attempts, timings } = await engine.seen.ended1();
      expect(attempts.map((each) => each.failure?.code)).toEqual(['proxy.empty-answer', 'proxy.bad-gateway']);
      expect(asked).toBe(2);
      // The time of the attempts is separate from waiting.
      expect(timings.failedTries).toBeGreaterThan(0);
      expect(timings.failedTries).toBeLessThanOrEqual(timings.blocked);
    },
  );
});

/** A relay before a proxy that counts the logins which pass. */
async function loginCounter(target: number): Promise<{ port: number; logins(): number }> {
  let logins = 0;
  const server = net.createServer((client) => {
    const upstream = net.connect(target, '127.0.0.1');
    client.on('data', (chunk) => {
      // RFC 1929's message begins with its version, 1.
      if (/Proxy-Authorization:/i.test(chunk.toString('latin1')) || chunk[0] === 1) logins += 1;
    });
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream]) socket.on('error', () => socket.destroy());
    client.on('close', () => upstream.destroy());
  });
  const port = await listenInTest(server);
  return { port, logins: () => logins };
}
