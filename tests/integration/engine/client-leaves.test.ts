import net from 'node:net';
import tls from 'node:tls';
import { describe, expect, it } from 'vitest';
import { curl } from '../../support/curl.ts';
import { type TestEngine, testEngine } from '../../support/engine.ts';
import { httpsOrigin } from '../../support/https-origin.ts';

/** A tunnel of a client that says it is `agent`. */
async function tunnel({ port }: TestEngine, target: string, agent: string): Promise<net.Socket> {
  const socket = net.connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\nUser-Agent: ${agent}\r\n\r\n`);
  await new Promise((resolve) => socket.once('data', resolve));
  return socket;
}

describe('a client that closes its connection without a word', () => {
  it('before it has our certificate is not a failure', async () => {
    const engine = await testEngine();
    const socket = await tunnel(engine, new URL((await httpsOrigin()).url).host, 'a browser');
    // The beginning of a client hello.
    socket.end(Buffer.from('160301020001', 'hex'));
    expect(await engine.seen.ended1()).toMatchObject({ state: 'aborted', failure: { code: 'tls.client-closed' } });
  });

  it('after it has our certificate is a failure only if it may distrust our certificates', async () => {
    const origin = await httpsOrigin();
    const engine = await testEngine({ upstreamCaFiles: [origin.caPath] });
    await curl(engine, '-A', 'a browser', origin.url);
    for (const [agent, state] of [
      ['a browser', 'aborted'],
      ['a stranger', 'failed'],
    ] as const) {
      const socket = await tunnel(engine, new URL(origin.url).host, agent);
      // Node leaves without an alert where it does not trust a certificate.
      tls.connect({ socket, servername: 'localhost' }).on('error', () => {});
      const row = await engine.seen.ended1((each) => each.kind === 'tunnel' && each.request.headers.includes(agent));
      expect(row).toMatchObject({ state, failure: { code: 'tls.client-closed' } });
    }
  });
});
