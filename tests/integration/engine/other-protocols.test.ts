import { once } from 'node:events';
import tls from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LeafCertificates } from '../../../electron/engine/tls/leaf-certificates.ts';
import { curl } from '../../support/curl.ts';
import { type TestEngine, testEngine } from '../../support/engine.ts';
import { httpsOrigin } from '../../support/https-origin.ts';
import { listenInTest } from '../../support/listen-in-test.ts';
import { testCa } from '../../support/test-ca.ts';
import { openSecureTunnel, openTunnel } from '../../support/tunnel.ts';

/** A server of another protocol over TLS: it greets its clients, if it does, and echoes. */
async function secureEcho(options: { greeting?: string; ALPNProtocols?: string[] } = {}) {
  const { ca, remove } = await testCa();
  onTestFinished(remove);
  const leaves = new LeafCertificates({ ...ca, folder: null });
  const { greeting = '', ...more } = options;
  let connections = 0;
  const server = tls.createServer(
    { SNICallback: (name, done) => done(null, leaves.contextFor(name)), allowHalfOpen: true, ...more },
    (socket) => {
      connections += 1;
      socket.on('error', () => {});
      if (greeting !== '') socket.write(greeting);
      socket.pipe(socket);
    },
  );
  return { port: await listenInTest(server), caPath: ca.certificatePath, connections: () => connections };
}

/** Without ALPN, as most clients of other protocols connect. */
async function tunnelTo(through: TestEngine, port: number): Promise<tls.TLSSocket> {
  return await openSecureTunnel(through, port, []);
}

async function read(socket: tls.TLSSocket, length: number): Promise<string> {
  let text = '';
  while (text.length < length) text += String((await once(socket, 'data'))[0]);
  return text;
}

describe('TLS that carries another protocol than HTTP', () => {
  it.each([
    ['binary, without a line end', '\x10\x10\x00\x04MQTT\x04\x02\x00\x3c\x00\x04test'],
    ['text', 'NICK ann\r\nUSER ann 0 * :Ann\r\n'],
    ['in two pieces, the first of which could begin a request', 'AUTH'],
  ])('passes, byte for byte, when the client speaks first: %s', async (_name, first) => {
    const origin = await secureEcho();
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    for (let each = 0; each < 2; each += 1) {
      const client = await tunnelTo(through, origin.port);
      client.write(first, 'latin1');
      client.write('\0and more\n');
      expect(await read(client, first.length + 10)).toBe(`${first}\0and more\n`);
      client.end();
      await once(client, 'close');
    }
    await through.seen.ended1(() => through.seen.all.filter((each) => each.state === 'complete').length === 2);
    const [row, second] = through.seen.all;
    const size = first.length + 10;
    expect(row).toMatchObject({
      kind: 'tunnel',
      failure: null,
      request: { body: { size } },
      response: { body: { size } },
    });
    expect(second).toMatchObject({ kind: 'tunnel', state: 'complete' });
    expect(row?.upstream?.tls?.certificate).toBeTruthy();
    // One each: the connection that was opened for the handshake.
    expect(origin.connections()).toBe(2);
  });

  it('passes when the client ends after bytes that could begin a request', async () => {
    const origin = await secureEcho();
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const client = await tunnelTo(through, origin.port);
    client.end('QUIT');
    expect(await read(client, 4)).toBe('QUIT');
    expect(await through.seen.ended1()).toMatchObject({ kind: 'tunnel', state: 'complete', failure: null });
  });

  it('passes when the server speaks first, whether it is new or was met before', async () => {
    const origin = await secureEcho({ greeting: '* OK ready\r\n' });
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    for (let each = 0; each < 3; each += 1) {
      const client = await tunnelTo(through, origin.port);
      expect(await read(client, 12)).toBe('* OK ready\r\n');
      client.write('a1 NOOP\r\n');
      expect(await read(client, 9)).toBe('a1 NOOP\r\n');
      client.destroy();
    }
    await through.seen.ended1(() => through.seen.all.filter((each) => each.state !== 'open').length === 3);
    expect(through.seen.all.map(({ kind, failure }) => [kind, failure])).toEqual(Array(3).fill(['tunnel', null]));
    expect(origin.connections()).toBe(3);
  });

  it('reports the failure to reach a server that has gone since', async () => {
    const origin = await secureEcho();
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const http = await tunnelTo(through, origin.port);
    // Trust in the server is gone, and with it the connection that was opened for the client.
    through.apply({ upstreamCaFiles: [] });
    await through.upstreamCount(0);
    http.write('\x01\x02\x03');
    await once(http, 'close');
    expect(await through.seen.ended1()).toMatchObject({
      kind: 'tunnel',
      state: 'failed',
      failure: { code: 'upstream.certificate-unknown-issuer' },
    });
  });

  it('is HTTP if a client without ALPN sends a request', async () => {
    const origin = await httpsOrigin();
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    expect((await curl(through, '--no-alpn', origin.url)).stdout).toBe('hello');
    expect(await through.seen.ended1()).toMatchObject({ kind: 'http', state: 'complete', response: { status: 200 } });
    const client = await tunnelTo(through, origin.port);
    for (const piece of ['G', 'ET /slow HTTP/1.1\r\nHo', 'st: localhost\r\n\r\n']) {
      client.write(piece);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await read(client, 10)).toContain('HTTP/1.1 200 OK');
    expect(await through.seen.ended1((each) => each.id === 2)).toMatchObject({ kind: 'http' });
    client.destroy();
  });

  it('is not intercepted if its client offers other protocols only', async () => {
    const origin = await secureEcho({ ALPNProtocols: ['postgresql'] });
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const socket = await openTunnel(through, `localhost:${origin.port}`);
    const client = tls.connect({
      socket,
      servername: 'localhost',
      rejectUnauthorized: false,
      ALPNProtocols: ['postgresql'],
    });
    await once(client, 'secureConnect');
    expect(client.alpnProtocol).toBe('postgresql');
    client.write('hello');
    expect(await read(client, 5)).toBe('hello');
    client.destroy();
    expect(await through.seen.ended1()).toMatchObject({ kind: 'tunnel', client: { tls: null } });
  });
});
