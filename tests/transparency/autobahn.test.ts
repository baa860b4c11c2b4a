import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { fuzz, fuzzingServer, hasAutobahn, type Verdict } from '../support/autobahn.ts';
import { type TestEngine, testEngine } from '../support/engine.ts';
import { listen } from '../support/listen.ts';
import { openTunnel } from '../support/tunnel.ts';

/** Compressed messages, a thousand each: small ones, and one of fragments; the larger ones take minutes. */
function compressed(category: number, parts: number, sizes: readonly number[]): string[] {
  return Array.from({ length: parts }, (_, part) => sizes.map((size) => `${category}.${part + 1}.${size}`)).flat();
}

/**
 * Framing, pings, reserved bits, opcodes, fragmentation, UTF-8, closing, and compression with each set of parameters.
 */
const QUICK = ['1.*', '2.*', '3.*', '4.*', '5.*', '6.*', '7.*', '10.*'];
/** A whole message of 4 MiB of either kind, one in fragments, one in small pieces, and a thousand short ones. */
const LARGE = ['9.1.4', '9.2.4', '9.3.5', '9.5.4', '9.7.3'];
const SMALL = [...compressed(12, 5, [1]), ...compressed(13, 7, [1])];
/** All 337 cases with the rest of 9, 12 and 13 take minutes of both cores, for the same code of ours. */
const CASES = [...QUICK, ...LARGE, ...SMALL, '12.1.11', '13.1.11'];
const COUNT = 266;
const CLIENT_CASES = [...QUICK, ...SMALL];
const CLIENT_COUNT = 259;

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
  return await listen(server);
}

function endsOf(verdicts: Record<string, Verdict>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(verdicts).map(([id, { behavior, behaviorClose, remoteCloseCode }]) => [
      id,
      `${behavior}, ${behaviorClose}, ${remoteCloseCode}`,
    ]),
  );
}

/** An echo client, until it is closed. Resolves with its last message. */
async function client(port: number, path: string, socket: net.Socket): Promise<string> {
  const asking = new WebSocket(`ws://127.0.0.1:${port}${path}`, { createConnection: () => socket });
  let last = '';
  asking.on('error', () => {});
  asking.on('message', (data, isBinary) => {
    last = String(data);
    if (path.startsWith('/runCase')) asking.send(data, { binary: isBinary });
  });
  await new Promise((resolve) => asking.once('close', resolve));
  return last;
}

describe.skipIf(!hasAutobahn)("Autobahn's cases", () => {
  it('end through Roundtrip as without it', { timeout: 1_800_000 }, async () => {
    const port = await echoServer();
    const through = await testEngine();
    const shim = await tunnelled(through, port);
    const ends = async (to: number) => endsOf(await fuzz(`ws://127.0.0.1:${to}`, CASES));
    const [viaEngine, direct] = await Promise.all([ends(shim), ends(port)]);
    expect(viaEngine).toEqual(direct);
    expect(Object.keys(direct)).toHaveLength(COUNT);
    expect(through.seen.all.filter((each) => each.response?.status === 101)).toHaveLength(COUNT);
  });

  it("that Autobahn's server runs against a client do too", { timeout: 1_800_000 }, async () => {
    const { port, verdicts } = await fuzzingServer(CLIENT_CASES);
    const through = await testEngine();
    const run = async (agent: string, connect: () => net.Socket | Promise<net.Socket>): Promise<void> => {
      const count = Number(await client(port, '/getCaseCount', await connect()));
      for (let one = 1; one <= count; one += 1) {
        await client(port, `/runCase?case=${one}&agent=${agent}`, await connect());
      }
      await client(port, `/updateReports?agent=${agent}`, await connect());
    };
    await Promise.all([
      run('direct', () => net.connect(port, '127.0.0.1')),
      run('through', () => openTunnel(through, `127.0.0.1:${port}`)),
    ]);
    const all = verdicts();
    expect(endsOf(all.through ?? {})).toEqual(endsOf(all.direct ?? {}));
    expect(Object.keys(all.direct ?? {})).toHaveLength(CLIENT_COUNT);
  });
});
