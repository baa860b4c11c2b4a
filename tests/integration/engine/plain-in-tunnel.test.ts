import { once } from 'node:events';
import http2 from 'node:http2';
import net from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { countingRelay } from '../../support/counting-relay.ts';
import { curl } from '../../support/curl.ts';
import { type TestEngine, testEngine } from '../../support/engine.ts';
import { listenInTest } from '../../support/listen-in-test.ts';
import { HAS, tinyproxy } from '../../support/real-proxies.ts';
import { openTunnel } from '../../support/tunnel.ts';

interface Counted {
  port: number;
  connections(): number;
  closed(): number;
}

/** An origin that keeps its connections, and counts them. */
async function countingOrigin(): Promise<Counted> {
  let [connections, closed] = [0, 0];
  const server = net.createServer((socket) => {
    connections += 1;
    socket.on('error', () => {});
    socket.on('close', () => (closed += 1));
    socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
  });
  const port = await listenInTest(server);
  return { port, connections: () => connections, closed: () => closed };
}

async function get(socket: net.Socket, method = 'GET', host = 'x'): Promise<string> {
  socket.write(`${method} / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  await once(socket, 'readable');
  return String(socket.read());
}

async function tunnels(through: TestEngine, port: number, count: number): Promise<net.Socket[]> {
  const all = await Promise.all(Array.from({ length: count }, () => openTunnel(through, `127.0.0.1:${port}`)));
  onTestFinished(() => all.forEach((each) => void each.destroy()));
  return all;
}

it.each(['GET', 'POST'])('each tunnel’s first %s takes the connection that its CONNECT opened', async (method) => {
  const origin = await countingOrigin();
  const through = await testEngine();
  const all = await tunnels(through, origin.port, 20);
  const responses = await Promise.all(all.map((each) => get(each, method)));
  expect(responses.filter((each) => !each.endsWith('ok'))).toEqual([]);
  expect([origin.connections(), origin.closed()]).toEqual([20, 0]);
  for (const each of all) await get(each, method);
  expect([origin.connections(), origin.closed()]).toEqual([20, 0]);
});

it('a client that is silent at first uses that connection too', async () => {
  const origin = await countingOrigin();
  const through = await testEngine({}, { tunnelSilence: 10 });
  const [tunnel] = await tunnels(through, origin.port, 1);
  if (!tunnel) throw new Error('no tunnel');
  await expect.poll(origin.connections).toBe(1);
  // By now, the engine is checking whether the server speaks first.
  await new Promise((resume) => setTimeout(resume, 50));
  expect(await get(tunnel)).toContain('ok');
  expect([origin.connections(), origin.closed()]).toEqual([1, 0]);
});

it('its row shows how that connection was opened', async () => {
  const origin = await countingOrigin();
  const through = await testEngine();
  const [tunnel] = await tunnels(through, origin.port, 1);
  if (tunnel) await get(tunnel);
  const { timings, upstream } = await through.seen.ended1();
  expect(timings.connect).toBeGreaterThan(0);
  expect(upstream?.reused).toBe(false);
});

it('HTTP/2 with prior knowledge takes it too', async () => {
  let sessions = 0;
  const server = http2.createServer((_request, response) => response.end('ok'));
  server.on('connection', () => {
    sessions += 1;
  });
  const port = await listenInTest(server);
  const through = await testEngine();
  const result = await curl(through, '-p', '--http2-prior-knowledge', `http://127.0.0.1:${port}/`);
  expect([result.stdout, sessions]).toEqual(['ok', 1]);
});

it('a missing server fails the request with a code', async () => {
  const through = await testEngine();
  const [tunnel] = await tunnels(through, 9, 1);
  tunnel?.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(await through.seen.ended1()).toMatchObject({ kind: 'http', failure: { code: 'upstream.refused' } });
});

it.skipIf(!HAS.tinyproxy)('through a proxy, requests without TLS use the connection to it', async () => {
  const origin = await countingOrigin();
  const relay = await countingRelay(await tinyproxy(null));
  const url = `http://127.0.0.1:${relay.port}`;
  const through = await testEngine({ upstreamProxy: { enabled: true, url } });
  const [tunnel] = await tunnels(through, origin.port, 1);
  expect(tunnel && (await get(tunnel, 'GET', `127.0.0.1:${origin.port}`))).toContain('ok');
  expect(relay.connections).toBe(1);
});
