import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import tls from 'node:tls';
import { describe, expect, it } from 'vitest';
import { testEngine } from '../../support/engine.ts';
import { httpsOrigin } from '../../support/https-origin.ts';
import { listenInTest } from '../../support/listen-in-test.ts';
import { rawOrigin } from '../../support/raw-origin.ts';
import { openTunnel } from '../../support/tunnel.ts';

describe('a client that sends nothing in its tunnel', () => {
  it('is intercepted when it finally sends: it was slow, or the network is', async () => {
    const origin = await httpsOrigin();
    let connections = 0;
    origin.server.on('connection', () => {
      connections += 1;
    });
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] }, { tunnelSilence: 20 });
    const port = Number(new URL(origin.url).port);
    const socket = await openTunnel(through, `localhost:${port}`);
    await delay(100);
    const secure = tls.connect({ socket, servername: 'localhost', ca: through.caPem });
    await once(secure, 'secureConnect');
    secure.write('GET /late HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    secure.resume();
    await once(secure, 'close');
    expect(await through.seen.ended1()).toMatchObject({ kind: 'http', state: 'complete', request: { path: '/late' } });
    expect(through.seen.all).toHaveLength(1);
    // The one that was opened to see whether the server speaks first.
    expect(connections).toBe(1);
  });

  it('is passed through where the server speaks first', async () => {
    const port = await listenInTest(net.createServer((socket) => socket.end('220 a.test ESMTP\r\n')));
    const through = await testEngine({}, { tunnelSilence: 20 });
    const socket = await openTunnel(through, `127.0.0.1:${port}`);
    await once(socket, 'readable');
    expect(String(socket.read())).toBe('220 a.test ESMTP\r\n');
    socket.end('QUIT\r\n');
    expect(await through.seen.ended1()).toMatchObject({ kind: 'tunnel', request: { body: { size: 6 } } });
  });

  it('does no harm if its server resets meanwhile', async () => {
    const port = await listenInTest(net.createServer((socket) => socket.resetAndDestroy()));
    const through = await testEngine({}, { tunnelSilence: 200 });
    const socket = await openTunnel(through, `127.0.0.1:${port}`);
    socket.resume();
    await new Promise((resolve) => socket.once('close', resolve));
    const origin = await rawOrigin((each) => each.end('pong'));
    const other = await openTunnel(through, `127.0.0.1:${origin.port}`);
    other.write(Buffer.from([0]));
    await once(other, 'readable');
    expect(String(other.read())).toBe('pong');
  });
});
