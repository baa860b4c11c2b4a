import { once } from 'node:events';
import net from 'node:net';
import tls from 'node:tls';
import { describe, expect, it } from 'vitest';
import { curl } from '../../support/curl.ts';
import { type TestEngine, testEngine } from '../../support/engine.ts';
import { halfOpenServer } from '../../support/half-open-server.ts';
import { httpsOrigin } from '../../support/https-origin.ts';
import { openTunnel } from '../../support/tunnel.ts';

/** A tunnel of a client with the User-Agent `agent`. */
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
      // Node closes without an alert if it does not trust a certificate.
      tls.connect({ socket, servername: 'localhost' }).on('error', () => {});
      const row = await engine.seen.ended1((each) => each.kind === 'tunnel' && each.request.headers.includes(agent));
      expect(row).toMatchObject({ state, failure: { code: 'tls.client-closed' } });
    }
  });
});

describe('a client that leaves while its pipelined requests wait', () => {
  const TWO = ['GET /1 HTTP/1.1\r\nHost: x\r\n\r\n', 'GET /2 HTTP/1.1\r\nHost: x\r\n\r\n'];

  it.each(['at once', 'one after the other'])('takes its first request from the server (sent %s)', async (how) => {
    let asked: () => void = () => {};
    const first = new Promise<void>((resolve) => {
      asked = resolve;
    });
    let left: () => void = () => {};
    const serverSawIt = new Promise<void>((resolve) => {
      left = resolve;
    });
    const port = await halfOpenServer((server) => {
      server.on('data', asked);
      server.on('end', () => {
        server.destroy();
        left();
      });
    });
    const engine = await testEngine();
    const client = await openTunnel(engine, `127.0.0.1:${port}`);
    client.write(how === 'at once' ? TWO.join('') : (TWO[0] ?? ''));
    await first;
    if (how !== 'at once') client.write(TWO[1] ?? '');
    client.end();
    await serverSawIt;
    expect(await engine.seen.ended1()).toMatchObject({ state: 'aborted', failure: { code: 'client.aborted' } });
    await engine.clientCount(0);
  });

  it('gets each response of a server that still sends it', async () => {
    const port = await halfOpenServer((server) => {
      let path = '';
      server.on('data', (head) => {
        path = String(head).split(' ')[1] ?? '';
      });
      server.on('end', () => server.end(`HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n${path}`));
    });
    const engine = await testEngine();
    const client = await openTunnel(engine, `127.0.0.1:${port}`);
    let responses = '';
    client.on('data', (bytes) => {
      responses += bytes;
    });
    client.end(TWO.join(''));
    await once(client, 'close');
    expect(responses.match(/\r\n\/\d/g)).toEqual(['\r\n/1', '\r\n/2']);
  });
});
