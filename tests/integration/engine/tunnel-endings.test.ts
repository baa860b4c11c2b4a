import { once } from 'node:events';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import tls from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type TestEngine, testEngine } from '../../support/engine.ts';
import { halfOpenServer } from '../../support/half-open-server.ts';
import { HAS, microsocks, tinyproxy } from '../../support/real-proxies.ts';
import { secureRawOrigin } from '../../support/secure-raw-origin.ts';
import { HAS_SOCKET_OPTIONS, socketOptions } from '../../support/socket-options.ts';
import { HAS_TCP_STATES, tcpStates } from '../../support/tcp-states.ts';

const MANY = 200;
/** The shortest that the setting takes; milliseconds. */
const SILENCE = 1_000;

/** A client that keeps its side open until the test ends. */
function halfOpenClient(port: number): net.Socket {
  const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  return socket;
}

async function connected(through: TestEngine, port: number, host = '127.0.0.1'): Promise<net.Socket> {
  const socket = halfOpenClient(through.port);
  socket.write(`CONNECT ${host}:${port} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await once(socket, 'readable');
  expect(String(socket.read())).toMatch(/^HTTP\/1.1 200 /);
  return socket;
}

/** The same by SOCKS5 (RFC 1928). */
async function connectedBySocks(through: TestEngine, port: number): Promise<net.Socket> {
  const socket = halfOpenClient(through.port);
  socket.write(Buffer.from([5, 1, 0]));
  await once(socket, 'readable');
  expect(socket.read(2)).toEqual(Buffer.from([5, 0]));
  socket.write(Buffer.from([5, 1, 0, 1, 127, 0, 0, 1, port >> 8, port & 0xff]));
  await once(socket, 'readable');
  expect(socket.read(10)?.subarray(0, 2)).toEqual(Buffer.from([5, 0]));
  return socket;
}

/** How a connection ended, as the program at its end sees it. */
function ending(socket: net.Socket): Promise<string> {
  return new Promise((resolve) => {
    if (socket.readableEnded) resolve('end');
    socket.once('end', () => resolve('end'));
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    socket.resume();
  });
}

/** No connection is left at this port, whichever state it could hang in. */
async function noneLeft(port: number): Promise<void> {
  if (HAS_TCP_STATES) await expect.poll(() => tcpStates(port)).toEqual([]);
}

describe('silent clients whose servers close their tunnels', () => {
  it.each([
    ['at once, intercepted', true, 0, connected],
    ['while the server is asked, intercepted', true, 60, connected],
    ['at once, passed through', false, 0, connected],
    ['while the server is asked, by SOCKS, intercepted', true, 60, connectedBySocks],
    ['at once, by SOCKS, passed through', false, 0, connectedBySocks],
  ])('see the end, and nothing is left: %s', async (_name, intercept, after, open) => {
    const port = await halfOpenServer((socket) => void setTimeout(() => socket.end(), after));
    const through = await testEngine({ intercept }, { tunnelSilence: 30 });
    const clients = await Promise.all(Array.from({ length: MANY }, () => open(through, port)));
    const ends = await Promise.all(clients.map(ending));
    expect(ends.filter((each) => each !== 'end')).toEqual([]);
    for (const client of clients) client.end();
    await through.clientCount(0);
    await noneLeft(through.port);
    await noneLeft(port);
    expect(through.seen.all.filter((each) => each.kind !== 'tunnel' || each.state !== 'complete')).toEqual([]);
  });

  it.each([
    ['CONNECT, intercepted', true, connected],
    ['SOCKS, intercepted', true, connectedBySocks],
    ['SOCKS, passed through', false, connectedBySocks],
  ])('get a reset where the server reset: %s', async (_name, intercept, open) => {
    const port = await halfOpenServer((socket) => void setTimeout(() => socket.resetAndDestroy(), 60));
    const through = await testEngine({ intercept }, { tunnelSilence: 30 });
    expect(await ending(await open(through, port))).toBe('ECONNRESET');
  });
});

/** The beginning of a ClientHello that announces 512 bytes. */
const HALF_A_HELLO = Buffer.from([22, 3, 1, 2, 0, 1]);

describe('clients that stop in the middle of their hello', () => {
  it.each([
    ['an end', (socket: net.Socket) => socket.end(), 'end'],
    ['a reset', (socket: net.Socket) => socket.resetAndDestroy(), 'ECONNRESET'],
  ] as const)('see how the server ends: %s', async (_name, endIt, seen) => {
    const accepted: net.Socket[] = [];
    const port = await halfOpenServer((socket) => void accepted.push(socket));
    const through = await testEngine();
    const client = await connected(through, port);
    client.write(HALF_A_HELLO);
    await expect.poll(() => accepted.length).toBe(1);
    for (const socket of accepted) endIt(socket);
    expect(await ending(client)).toBe(seen);
  });

  it.each([
    ['ends too', (socket: net.Socket) => void socket.end()],
    ['stays', () => {}],
  ])('leave nothing behind: a server that %s', async (_name, serve) => {
    const port = await halfOpenServer((socket) => {
      socket.once('end', () => socket.end()).resume();
      serve(socket);
    });
    const through = await testEngine();
    const clients = await Promise.all(Array.from({ length: 20 }, () => connected(through, port)));
    for (const client of clients) client.resume().end(HALF_A_HELLO);
    await through.clientCount(0);
    await noneLeft(port);
  });
});

it.each(['upstream', 'client'] as const)('a joined pair whose %s ended is released after a silence', async (by) => {
  const port = await halfOpenServer((socket) => {
    socket.resume();
    if (by === 'upstream') socket.end();
  });
  const through = await testEngine({ intercept: false }, { clientSilence: SILENCE });
  const clients = await Promise.all(Array.from({ length: MANY }, () => connected(through, port)));
  for (const client of clients) {
    client.resume();
    if (by === 'client') client.end();
  }
  await through.clientCount(0);
  await expect.poll(() => through.seen.all.length).toBe(MANY);
});

it.skipIf(!HAS_SOCKET_OPTIONS)('the system asks whether both ends of a silent pair are still there', async () => {
  const port = await halfOpenServer((socket) => void socket.write('hello'));
  const through = await testEngine({ intercept: false });
  const client = await connected(through, port);
  await once(client, 'readable');
  const options = await socketOptions();
  const ours = options.filter((each) => each.localPort === through.port || each.remotePort === port);
  expect(ours.map((each) => each.keepAlive)).toEqual([true, true]);
});

it('a tunnel in which neither side ever speaks ends with its code', async () => {
  const port = await halfOpenServer((socket) => void socket.once('end', () => socket.end()).resume());
  const through = await testEngine({}, { tunnelSilence: 30, clientSilence: SILENCE });
  const client = await connected(through, port);
  await ending(client);
  client.end();
  expect(await through.seen.ended1()).toMatchObject({ kind: 'tunnel', failure: { code: 'client.silent' } });
  await noneLeft(port);
});

it('a TLS handshake that stops halfway ends with its code, and leaves nothing', async () => {
  const origin = await secureRawOrigin((socket) => void socket.end());
  const through = await testEngine({ upstreamCaFiles: [origin.caPath] }, { clientSilence: SILENCE });
  const hello = await new Promise<Buffer>((resolve) => {
    void halfOpenServer((socket) => socket.once('data', resolve)).then((port) => {
      const caught = tls.connect({ port, host: '127.0.0.1', servername: 'localhost' });
      caught.on('error', () => {});
      onTestFinished(() => void caught.destroy());
    });
  });
  const stopped = async (bytes: Buffer): Promise<void> => {
    const client = halfOpenClient(through.port);
    client.write(`CONNECT localhost:${origin.port} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await once(client, 'readable');
    client.read();
    client.write(bytes);
    await ending(client);
  };
  await Promise.all([stopped(hello), stopped(hello.subarray(0, 20))]);
  expect(through.seen.all.map((each) => each.failure?.code)).toEqual(['tls.client-handshake', 'tls.client-handshake']);
});

describe('an HTTP/1.1 client that keeps its side open', () => {
  const cases: [string, string, string][] = [
    ['behind its last response', 'GET http://127.0.0.1:PORT/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', '200'],
    ['behind a refusal', 'nonsense\r\n\r\n', '400'],
    ['behind a refused CONNECT', 'CONNECT nonsense HTTP/1.1\r\nHost: x\r\n\r\n', '400'],
  ];
  it.each(cases)('is released: %s', async (_name, request, status) => {
    const port = await halfOpenServer((socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'));
    });
    const through = await testEngine({}, { clientSilence: SILENCE });
    const clients = Array.from({ length: MANY }, () => halfOpenClient(through.port));
    for (const client of clients) client.write(request.replace('PORT', String(port)));
    const responses = await Promise.all(clients.map((client) => text(client)));
    expect(responses.filter((each) => !each.startsWith(`HTTP/1.1 ${status} `))).toEqual([]);
    await through.clientCount(0);
    await noneLeft(port);
  });

  it('is released once it has been idle', async () => {
    const port = await halfOpenServer((socket) => {
      socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
    });
    const through = await testEngine({}, { clientSilence: SILENCE });
    const client = halfOpenClient(through.port);
    client.write(`GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\n\r\n`);
    await once(client, 'readable');
    await through.clientCount(0);
  });

  it('is released if it does not read its response', async () => {
    const body = Buffer.alloc(64 * 1024 * 1024);
    const port = await halfOpenServer((socket) => {
      socket.once('data', () => {
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`);
        socket.end(body);
      });
    });
    const through = await testEngine({}, { clientSilence: SILENCE });
    const client = halfOpenClient(through.port);
    client.pause();
    client.write(`GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    await through.clientCount(1);
    await through.clientCount(0);
  });
});

describe('a reset inside a tunnel', () => {
  interface Way {
    name: string;
    available: boolean;
    start(): Promise<string>;
  }
  const ways: Way[] = [
    { name: 'straight', available: true, start: async () => '' },
    {
      name: 'through SOCKS',
      available: HAS.microsocks,
      start: async () => `socks5://127.0.0.1:${await microsocks(null)}`,
    },
    {
      name: 'through an HTTP proxy',
      available: HAS.tinyproxy,
      start: async () => `http://127.0.0.1:${await tinyproxy(null)}`,
    },
  ];
  const engineBy = async (way: Way): Promise<TestEngine> => {
    const url = await way.start();
    return await testEngine({ intercept: false, upstreamProxy: { enabled: url !== '', url } });
  };

  it('of the client resets the connection to an HTTPS proxy', async () => {
    let accepted: net.Socket | null = null;
    const proxy = await secureRawOrigin((socket) => void socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    const port = await halfOpenServer((socket) => {
      accepted = socket;
      const onward = net.connect(proxy.port, '127.0.0.1').on('error', () => {});
      socket.on('close', () => onward.destroy());
      socket.pipe(onward).pipe(socket);
    });
    const upstreamProxy = { enabled: true, url: `https://localhost:${port}` };
    const through = await testEngine({ intercept: false, proxyCaFiles: [proxy.caPath], upstreamProxy });
    const client = await connected(through, 9);
    client.write('ping');
    await proxy.receives('ping');
    if (!accepted) throw new Error('nobody came');
    const end = ending(accepted);
    client.resetAndDestroy();
    expect(await end).toBe('ECONNRESET');
  });

  it('of the server reaches the client after the bytes before it', async () => {
    const port = await halfOpenServer((socket) => {
      socket.once('data', (chunk) => socket.write(chunk, () => socket.resetAndDestroy()));
    });
    const client = await connected(await testEngine({ intercept: false }), port);
    let got = '';
    client.on('data', (chunk) => (got += chunk));
    client.write('ping');
    expect(await ending(client)).toBe('ECONNRESET');
    expect(got).toBe('ping');
  });

  for (const way of ways) {
    it.skipIf(!way.available)(`of the client reaches the next hop, ${way.name}`, async () => {
      const ended = new Promise<string>((resolve) => {
        void halfOpenServer((socket) => {
          socket.once('data', (chunk) => socket.write(chunk));
          void ending(socket).then(resolve);
        }).then(async (port) => {
          const client = await connected(await engineBy(way), port);
          client.write('ping');
          await once(client, 'readable');
          client.resetAndDestroy();
        });
      });
      // A proxy turns it into an end, or a reset: the server must be notified either way.
      expect(way.name === 'straight' ? ['ECONNRESET'] : ['end', 'ECONNRESET']).toContain(await ended);
    });
  }

  it.skipIf(!HAS.microsocks)('passes on what a server sent first through SOCKS', async () => {
    const port = await halfOpenServer((socket) => void socket.end('220 a.test ESMTP\r\n'));
    const through = await testEngine(
      { upstreamProxy: { enabled: true, url: `socks5://127.0.0.1:${await microsocks(null)}` } },
      { tunnelSilence: 30 },
    );
    const clients = await Promise.all(Array.from({ length: 20 }, () => connected(through, port)));
    expect(new Set(await Promise.all(clients.map((client) => text(client))))).toEqual(
      new Set(['220 a.test ESMTP\r\n']),
    );
  });
});

describe('a reset after an upgrade', () => {
  const UPGRADE = 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: raw\r\n\r\n';
  const SWITCHED = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: raw\r\n\r\n';

  interface Upgraded {
    /** The TCP connections at both ends. */
    client: net.Socket;
    server: net.Socket;
  }

  async function switched(line: net.Socket): Promise<void> {
    line.write(UPGRADE);
    await once(line, 'readable');
    expect(String(line.read())).toMatch(/^HTTP\/1.1 101 /);
  }

  async function plain(): Promise<Upgraded> {
    let accepted: net.Socket | null = null;
    const port = await halfOpenServer((socket) => {
      accepted = socket;
      socket.once('data', () => socket.write(SWITCHED));
    });
    const client = await connected(await testEngine(), port);
    await switched(client);
    if (!accepted) throw new Error('nobody came');
    return { client, server: accepted };
  }

  /** Node resets no TLS socket: the server's TLS is behind a relay, whose TCP can be reset. */
  async function secure(): Promise<Upgraded> {
    const origin = await secureRawOrigin((socket) => void socket.write(SWITCHED));
    let accepted: net.Socket | null = null;
    const port = await halfOpenServer((socket) => {
      accepted = socket;
      const onward = net.connect(origin.port, '127.0.0.1').on('error', () => {});
      socket.on('close', () => onward.destroy());
      socket.pipe(onward).pipe(socket);
    });
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const client = await connected(through, port, 'localhost');
    const line = tls.connect({
      socket: client,
      servername: 'localhost',
      ca: through.caPem,
      ALPNProtocols: ['http/1.1'],
    });
    line.on('error', () => {});
    await once(line, 'secureConnect');
    await switched(line);
    line.resume();
    if (!accepted) throw new Error('nobody came');
    return { client: line, server: accepted };
  }

  it.each([
    ['plain', plain],
    ['in TLS', secure],
  ])('of the server reaches the client, %s', async (_name, open) => {
    const upgraded = await open();
    const end = ending(upgraded.client);
    upgraded.server.resetAndDestroy();
    expect(await end).toBe('ECONNRESET');
  });

  it('of the client reaches the server, plain', async () => {
    const upgraded = await plain();
    const end = ending(upgraded.server);
    upgraded.client.resetAndDestroy();
    expect(await end).toBe('ECONNRESET');
  });
});
