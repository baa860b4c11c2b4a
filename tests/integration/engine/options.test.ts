import { once } from 'node:events';
import net from 'node:net';
import { describe, expect, it } from 'vitest';
import { curl } from '../../support/curl.ts';
import { testEngine } from '../../support/engine.ts';
import { hasProgram } from '../../support/has-program.ts';
import { http2Origin } from '../../support/http2-origin.ts';
import { rawOrigin } from '../../support/raw-origin.ts';
import { secureRawOrigin } from '../../support/secure-raw-origin.ts';
import { socketOptions } from '../../support/socket-options.ts';
import { openTunnel } from '../../support/tunnel.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

describe('--no-keep-alive', () => {
  it('opens a connection for each exchange, and the client keeps its own', async () => {
    const origin = await rawOrigin((socket, received) => {
      if (received.endsWith('\r\n\r\n')) socket.write(OK);
    });
    const through = await testEngine({ keepAlive: false });
    const url = `http://127.0.0.1:${origin.port}/`;
    expect((await curl(through, url, url, url)).stdout).toBe('okokok');
    await through.seen.ended1((each) => each.id === 3);
    expect(origin.connections()).toBe(3);
    expect(through.seen.all.map((each) => each.upstream?.reused)).toEqual([false, false, false]);
    expect(new Set(through.seen.all.map((each) => each.client.id)).size).toBe(1);
    expect(through.engine.connections().upstream).toBe(0);
  });

  it('the connection opened during the handshake serves the first exchange', async () => {
    const origin = await secureRawOrigin((socket, received) => {
      if (received.endsWith('\r\n\r\n')) socket.write(OK);
    });
    const through = await testEngine({ keepAlive: false, upstreamCaFiles: [origin.caPath] });
    const url = `https://localhost:${origin.port}/`;
    expect((await curl(through, url, url)).stdout).toBe('okok');
    await through.seen.ended1((each) => each.id === 2 || through.seen.all.length === 2);
    expect(origin.connections()).toBe(2);
  });

  it('holds for HTTP/2 too', async () => {
    let sessions = 0;
    const origin = await http2Origin((stream) => {
      stream.respond({ ':status': 200 });
      stream.end('ok');
    });
    origin.server.on('session', () => {
      sessions += 1;
    });
    const through = await testEngine({ keepAlive: false, upstreamCaFiles: [origin.caPath] });
    expect((await curl(through, '--http2', origin.url, origin.url)).stdout).toBe('okok');
    await through.seen.ended1(() => through.seen.all.length === 2);
    expect(sessions).toBe(2);
  });

  it('uses no idle connection when it is turned on', async () => {
    const origin = await rawOrigin((socket, received) => {
      if (received.endsWith('\r\n\r\n')) socket.write(OK);
    });
    const through = await testEngine();
    const url = `http://127.0.0.1:${origin.port}/`;
    await curl(through, url);
    through.apply({ keepAlive: false });
    await curl(through, url);
    const second = await through.seen.ended1((each) => each.id === 2);
    expect(second.upstream?.reused).toBe(false);
    expect(origin.connections()).toBe(2);
  });
});

describe('--no-retry', () => {
  it('connects once', async () => {
    const through = await testEngine({ retry: false });
    expect((await curl(through, 'http://127.0.0.1:1/')).exitCode).toBe(52);
    const exchange = await through.seen.ended1();
    expect(exchange.attempts.map((each) => each.failure?.code)).toEqual(['upstream.refused']);
  });

  it('does not resend what a reused connection lost', async () => {
    const origin = await rawOrigin((socket, received) => {
      const requests = received.split('\r\n\r\n').length - 1;
      if (requests === 1) socket.write(OK);
      else socket.destroy();
    });
    const through = await testEngine({ retry: false });
    const client = net.connect(through.port, '127.0.0.1');
    const get = `GET http://127.0.0.1:${origin.port}/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
    client.write(get);
    await once(client, 'data');
    client.write(get);
    await once(client, 'close');
    const second = await through.seen.ended1((each) => each.id === 2);
    expect(second.attempts).toHaveLength(1);
    expect(second.upstream?.reused).toBe(true);
  });
});

describe.skipIf(process.platform !== 'linux' || !hasProgram('python3'))('--nagle (asks the system by python3)', () => {
  it.each([
    ['off by default: no write waits for an acknowledgement', false, true],
    ['on where it was asked for', true, false],
  ])('%s', async (_name, nagle, noDelay) => {
    const origin = await secureRawOrigin(() => {});
    const plain = await rawOrigin(() => {});
    const through = await testEngine({ nagle, upstreamCaFiles: [origin.caPath] });
    const inTunnel = curl(through, `https://localhost:${origin.port}/`);
    const tunnel = await openTunnel(through, `127.0.0.1:${plain.port}`);
    tunnel.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await plain.receives('GET / ');
    await origin.receives('GET / ');
    const all = await socketOptions();
    const of = (side: 'localPort' | 'remotePort', port: number): boolean[] =>
      all.filter((each) => each[side] === port).map((each) => each.noDelay);
    // Both ends of each connection are in this process: the engine's are those that it accepted, and those that it
    // opened.
    expect(of('localPort', through.port)).toEqual([noDelay, noDelay]);
    expect(of('remotePort', origin.port)).toEqual([noDelay]);
    expect(of('remotePort', plain.port)).toEqual([noDelay]);
    tunnel.destroy();
    await once(tunnel, 'close');
    await through.engine.close({ graceMs: 0 });
    await inTunnel;
  });
});
