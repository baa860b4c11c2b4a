import { once } from 'node:events';
import net from 'node:net';
import tls from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { testEngine } from '../../support/engine.ts';
import { httpsOrigin } from '../../support/https-origin.ts';
import { rawOrigin } from '../../support/raw-origin.ts';
import { secureRawOrigin } from '../../support/secure-raw-origin.ts';
import { openTunnel } from '../../support/tunnel.ts';

/** How the handshake of a client over `socket` failed: the code of Node's error. */
async function refusal(socket: net.Socket, ca: string | undefined, alpn: string[]): Promise<string> {
  const secure = tls.connect({ socket, servername: 'localhost', ca, ALPNProtocols: alpn });
  onTestFinished(() => void secure.destroy());
  return await new Promise((resolve) => {
    secure.once('secureConnect', () => resolve('accepted'));
    secure.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    secure.once('close', () => resolve('closed'));
  });
}

/** The same client, direct and through Roundtrip. */
async function both(port: number, alpn: string[] = ['http/1.1'], caPath?: string): Promise<[string, string]> {
  const through = await testEngine(caPath === undefined ? {} : { upstreamCaFiles: [caPath] });
  const direct = net.connect(port, '127.0.0.1');
  await once(direct, 'connect');
  const tunnel = await openTunnel(through, `localhost:${port}`);
  const outcomes = [await refusal(direct, undefined, alpn), await refusal(tunnel, through.caPem, alpn)] as const;
  expect(await through.seen.ended1()).toMatchObject({ state: 'failed', failure: { code: 'upstream.tls-handshake' } });
  await through.clientCount(0);
  return [...outcomes];
}

describe('a server that refuses the TLS handshake with an alert: the client gets the same one', () => {
  it('because it speaks no protocol that the client offers', async () => {
    const origin = await secureRawOrigin(() => {}, 'h2');
    const [direct, proxied] = await both(origin.port, ['http/1.1'], origin.caPath);
    expect([direct, proxied]).toEqual([direct, direct]);
    expect(direct).toMatch(/NO_APPLICATION_PROTOCOL/);
  });

  it.each([
    ['HANDSHAKE_FAILURE', 40],
    ['ILLEGAL_PARAMETER', 47],
    ['DECODE_ERROR', 50],
    ['PROTOCOL_VERSION', 70],
    ['INSUFFICIENT_SECURITY', 71],
    ['INTERNAL_ERROR', 80],
    ['INAPPROPRIATE_FALLBACK', 86],
    ['MISSING_EXTENSION', 109],
    ['UNRECOGNIZED_NAME', 112],
    ['NO_APPLICATION_PROTOCOL', 120],
  ])('%s', async (name, alert) => {
    const origin = await rawOrigin((socket) => void socket.end(Buffer.from([0x15, 3, 3, 0, 2, 2, alert])));
    const [direct, proxied] = await both(origin.port);
    expect(direct).toContain(name);
    expect(proxied).toBe(direct);
  });
});

it("a handshake that fails here, on the certificate, closes the client's connection without an alert", async () => {
  const { url } = await httpsOrigin();
  const through = await testEngine();
  const tunnel = await openTunnel(through, `localhost:${new URL(url).port}`);
  expect(await refusal(tunnel, through.caPem, ['http/1.1'])).toBe('ECONNRESET');
  expect((await through.seen.ended1()).failure?.code).toMatch(/^upstream\.certificate-/);
});
