import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocketServer } from 'ws';
import { fuzz, hasAutobahn } from '../support/autobahn.ts';
import { type TestEngine, testEngine } from '../support/engine.ts';
import { openTunnel } from '../support/tunnel.ts';

/**
 * Framing, pings, reserved bits, opcodes, fragmentation, UTF-8, closing, and a little compression. Left out, for they take
 * minutes: the messages of megabytes (9), and most of 12's and 13's runs of a thousand compressed messages each.
 */
const CASES = [
  ...['1.*', '2.*', '3.*', '4.*', '5.*', '6.*', '7.*', '10.*'],
  ...['12.1.1', '12.2.1', '13.1.1', '13.3.1', '13.7.1'],
];
const COUNT = 252;

async function echoServer(): Promise<number> {
  const server = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    perMessageDeflate: true,
    maxPayload: 64 * 1024 * 1024,
  });
  server.on('connection', (socket) => {
    socket.on('error', () => {});
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
  });
  onTestFinished(() => {
    server.close();
  });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A port whose connections are tunnels through the engine to another: for a client that knows no proxy. */
async function tunnelled(through: TestEngine, port: number): Promise<number> {
  const server = net.createServer({ allowHalfOpen: true, pauseOnConnect: true, noDelay: true }, async (client) => {
    const tunnel = await openTunnel(through, `127.0.0.1:${port}`);
    client.on('error', () => tunnel.destroy());
    tunnel.on('error', () => client.destroy());
    client.pipe(tunnel).pipe(client);
    client.resume();
  });
  onTestFinished(() => {
    server.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

describe.skipIf(!hasAutobahn)("Autobahn's cases", () => {
  it('end through Roundtrip as they end direct', { timeout: 120_000 }, async () => {
    const port = await echoServer();
    const through = await testEngine();
    const shim = await tunnelled(through, port);
    const ends = async (to: number): Promise<Record<string, string>> => {
      const verdicts = await fuzz(`ws://127.0.0.1:${to}`, CASES);
      return Object.fromEntries(
        Object.entries(verdicts).map(([id, { behavior, behaviorClose, remoteCloseCode }]) => [
          id,
          `${behavior}, ${behaviorClose}, ${remoteCloseCode}`,
        ]),
      );
    };
    const [viaEngine, direct] = await Promise.all([ends(shim), ends(port)]);
    expect(viaEngine).toEqual(direct);
    expect(Object.keys(direct)).toHaveLength(COUNT);
    expect(through.seen.all.filter((each) => each.response?.status === 101)).toHaveLength(COUNT);
  });
});
