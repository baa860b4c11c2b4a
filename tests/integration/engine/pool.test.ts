import { once } from 'node:events';
import type { ServerHttp2Session } from 'node:http2';
import net, { type AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { curl } from '../../support/curl.ts';
import { type TestEngine, testEngine } from '../../support/engine.ts';
import { freePort } from '../../support/free-port.ts';
import { http2Client, responseOf } from '../../support/http2-client.ts';
import { http2Origin } from '../../support/http2-origin.ts';
import { httpsOrigin } from '../../support/https-origin.ts';
import { type RawOrigin, rawOrigin } from '../../support/raw-origin.ts';
import { openSecureTunnel } from '../../support/tunnel.ts';

const ok = (more = ''): string => `HTTP/1.1 200 OK\r\n${more}Content-Length: 2\r\n\r\nok`;

/** Holds every response until released. */
async function holding(
  more = '',
): Promise<RawOrigin & { respond: () => void; held: (count: number) => Promise<void> }> {
  let held: net.Socket[] = [];
  let open = false;
  const origin = await rawOrigin((socket, received) => {
    if (!received.endsWith('\r\n\r\n')) return;
    if (open) socket.write(ok(more));
    else held.push(socket);
  });
  return {
    ...origin,
    respond: () => {
      open = true;
      for (const socket of held) socket.write(ok(more));
      held = [];
    },
    held: async (count) => {
      while (held.length < count) await new Promise((resume) => setTimeout(resume, 5));
    },
  };
}

const get = (through: TestEngine, origin: RawOrigin, path = '/'): ReturnType<typeof curl> =>
  curl(through, `http://127.0.0.1:${origin.port}${path}`);

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_each, index) => make(index));

// design, "Sockets"
describe('connections to one origin', () => {
  it('stay within the limit; later requests wait, and none is forgotten', async () => {
    const origin = await holding();
    const through = await testEngine({}, { socketsPerOrigin: 2 });
    const asked = times(6, () => get(through, origin));
    await origin.held(2);
    while (through.engine.connections().client < 6) await new Promise((resume) => setTimeout(resume, 5));
    expect(origin.connections()).toBe(2);
    origin.respond();
    expect((await Promise.all(asked)).map((each) => each.stdout)).toEqual(times(6, () => 'ok'));
    expect(origin.connections()).toBe(2);
  });

  it('make room for waiting requests when they end, too', async () => {
    const origin = await holding('Connection: close\r\n');
    const through = await testEngine({}, { socketsPerOrigin: 1 });
    const asked = times(4, () => get(through, origin));
    await origin.held(1);
    origin.respond();
    expect((await Promise.all(asked)).map((each) => each.stdout)).toEqual(times(4, () => 'ok'));
    expect(origin.connections()).toBe(4);
  });

  it('are not given to a client that left while waiting', async () => {
    const origin = await holding();
    const through = await testEngine({}, { socketsPerOrigin: 1 });
    const first = get(through, origin, '/first');
    await origin.held(1);
    const leaving = net.connect(through.port, '127.0.0.1');
    leaving.write(`GET http://127.0.0.1:${origin.port}/left HTTP/1.1\r\nHost: 127.0.0.1:${origin.port}\r\n\r\n`);
    while (through.engine.connections().client < 2) await new Promise((resume) => setTimeout(resume, 5));
    const last = get(through, origin, '/last');
    while (through.engine.connections().client < 3) await new Promise((resume) => setTimeout(resume, 5));
    leaving.resetAndDestroy();
    await through.clientCount(2);
    origin.respond();
    expect([(await first).stdout, (await last).stdout]).toEqual(['ok', 'ok']);
    expect(origin.received()).not.toContain('/left');
  });

  it('that are idle stay within their own limit', async () => {
    const origin = await holding();
    const through = await testEngine({}, { idleSocketsPerOrigin: 1 });
    const asked = times(3, () => get(through, origin));
    await origin.held(3);
    origin.respond();
    await Promise.all(asked);
    await through.upstreamCount(1);
  });

  it('that are idle are closed after their time', async () => {
    const origin = await holding();
    origin.respond();
    const through = await testEngine({}, { idleSocketTime: 40 });
    expect((await get(through, origin)).stdout).toBe('ok');
    await through.upstreamCount(0);
  });

  it('stay with the client that had them', async () => {
    const origin = await holding();
    const through = await testEngine();
    const url = `http://127.0.0.1:${origin.port}`;
    const asked = times(2, (index) => curl(through, `${url}/${index}`, `${url}/${index}/again`));
    await origin.held(2);
    origin.respond();
    await Promise.all(asked);
    const of = (path: string) => through.seen.all.find((each) => each.request.path === path)?.upstream?.id;
    expect([of('/0/again'), of('/1/again')]).toEqual([of('/0'), of('/1')]);
    expect(of('/0')).not.toBe(of('/1'));
  });
});

// RFC 9113, section 5.1.2
describe('an HTTP/2 origin that limits concurrent streams', () => {
  it('keeps its known limit when its session is lost', async () => {
    const limited = await holdingHttp2(10);
    const through = await testEngine({ upstreamCaFiles: [limited.origin.caPath] });
    const client = await http2Client(through, limited.origin.port);
    const first = responseOf(client.request({ ':path': '/first' }));
    await limited.held(1);
    limited.respond();
    expect((await first).body).toBe('ok');
    limited.endSessions();
    await through.upstreamCount(0);
    const asked = times(60, (index) => responseOf(client.request({ ':path': `/${index}` })));
    expect((await Promise.all(asked)).filter(({ body }) => body === 'ok')).toHaveLength(60);
    expect(through.seen.all.filter(({ attempts }) => attempts.length > 1)).toEqual([]);
  });
});

/** An HTTP/2 origin that allows this many concurrent streams, and holds its responses until `respond`. */
async function holdingHttp2(streams: number) {
  let held: (() => void)[] = [];
  let open = false;
  const sessions: ServerHttp2Session[] = [];
  const origin = await http2Origin(
    (stream) => {
      const respond = (): void => {
        stream.end('ok');
      };
      if (open) respond();
      else held.push(respond);
    },
    { settings: { maxConcurrentStreams: streams } },
  );
  origin.server.on('session', (session) => sessions.push(session));
  return {
    origin,
    endSessions: () => {
      for (const session of sessions.splice(0)) session.destroy();
    },
    respond: () => {
      open = true;
      for (const respond of held) respond();
      held = [];
    },
    held: async (count: number) => {
      while (held.length < count) await new Promise((resume) => setTimeout(resume, 5));
    },
  };
}

it('a connection that was opened unverified is not reused once certificates are verified again', async () => {
  const origin = await httpsOrigin();
  const through = await testEngine({ insecureUpstream: true });
  let finish = (): void => {};
  const held = await httpsOrigin((_request, response) => {
    finish = () => response.end('late');
  });
  expect((await curl(through, '--http1.1', `${origin.url}/`)).stdout).toBe('hello');
  const client = await openSecureTunnel(through, Number(new URL(held.url).port), ['http/1.1']);
  client.write('GET /under-way HTTP/1.1\r\nHost: localhost\r\n\r\n');
  while (held.seen.length === 0) await new Promise((resume) => setTimeout(resume, 5));
  through.apply({ insecureUpstream: false });
  finish();
  expect(String(await new Promise((resolve) => client.once('data', resolve)))).toContain('200 OK');
  client.write('GET /after HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const after = await through.seen.ended1((each) => each.request.path === '/after');
  expect(after.failure?.code).toBe('upstream.certificate-unknown-issuer');
  expect(held.seen).toEqual(['GET /under-way']);
});

it('a client that leaves does not fail those that wait for the connection it asked for', async () => {
  const origin = await http2Origin((stream) => stream.end('ok'));
  const relay = await restartable(origin.port);
  const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
  const leaving = await http2Client(through, relay.port);
  const staying = await http2Client(through, relay.port);
  expect((await responseOf(leaving.request({ ':path': '/' }))).body).toBe('ok');
  relay.stop();
  await through.upstreamCount(0);
  const asked = begunTwice(through);
  void responseOf(leaving.request({ ':path': '/left' }));
  const response = responseOf(staying.request({ ':path': '/stays' }));
  await asked;
  leaving.destroy();
  await through.seen.ended1((each) => each.request.path === '/left');
  await relay.start();
  expect((await response).body).toBe('ok');
  expect(through.seen.all.find((each) => each.request.path === '/stays')?.state).toBe('complete');
});

/** Resolves when two exchanges look for a connection. */
function begunTwice(through: TestEngine): Promise<void> {
  const begun = new Set<number>();
  return new Promise((resolve) => {
    through.seen.changed = ({ id }: Exchange) => {
      if (begun.add(id).size === 2) resolve();
    };
  });
}

/** A port that leads to another loopback port, and refuses connections between `stop` and `start`. */
async function restartable(to: number): Promise<{ port: number; stop(): void; start(): Promise<void> }> {
  const sockets = new Set<net.Socket>();
  const join = (socket: net.Socket): void => {
    const other = net.connect(to, '127.0.0.1');
    for (const [one, two] of [
      [socket, other],
      [other, socket],
    ] as const) {
      sockets.add(one);
      one.on('error', () => {}).on('close', () => two.destroy());
      one.pipe(two);
    }
  };
  const listen = async (port: number): Promise<net.Server> => {
    const server = net.createServer(join).listen(port, '127.0.0.1');
    await once(server, 'listening');
    return server;
  };
  let server = await listen(0);
  const { port } = server.address() as AddressInfo;
  const stop = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(stop);
  return {
    port,
    stop,
    start: async () => {
      server = await listen(port);
    },
  };
}

it('opens new connections after the machine slept', async () => {
  const origin = await rawOrigin((socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
  const through = await testEngine();
  const ask = () => curl(through, `http://127.0.0.1:${origin.port}/`);
  await ask();
  await ask();
  expect(origin.connections()).toBe(1);
  through.engine.resumed();
  expect((await ask()).stdout).toBe('ok');
  expect(origin.connections()).toBe(2);
});

describe('the pool forgets an origin', () => {
  const noOrigins = (through: TestEngine) => expect.poll(() => through.engine.connections().origins).toBe(0);

  /** A port at which nothing listens. */
  it.each([{}, { retryRefused: true }, { keepAlive: false }])('that cannot be reached (%j)', async (settings) => {
    const through = await testEngine(settings);
    const ports = [await freePort(), await freePort(), await freePort()];
    const urls = ports.flatMap((port) => [`http://127.0.0.1:${port}/`, `https://localhost:${port}/`]);
    await Promise.all([...urls, ...urls].map((url) => curl(through, '-k', url)));
    await through.clientCount(0);
    await noOrigins(through);
  });

  it('whose TLS is not accepted, however many requests waited for it', async () => {
    const origin = await http2Origin((stream) => stream.end('ok'));
    const through = await testEngine({});
    const urls = times(8, (index) => `${origin.url}/${index}`);
    await Promise.all(urls.map((url) => curl(through, '-k', url)));
    await through.clientCount(0);
    await noOrigins(through);
    expect(through.seen.all.length).toBeGreaterThan(0);
  });

  it('whose client left while its connection was being opened', async () => {
    // It never answers the TLS hello: opening continues until its timeout.
    const origin = await rawOrigin(() => {});
    const through = await testEngine({}, { connectTime: 1_000 });
    const { port } = origin;
    const client = net.connect(through.port, '127.0.0.1');
    client.write(`GET https://127.0.0.1:${port}/ HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    await expect.poll(origin.connections).toBe(1);
    expect(through.engine.connections().origins).toBe(1);
    client.resetAndDestroy();
    await through.clientCount(0);
    await noOrigins(through);
  });

  it.each([{}, { keepAlive: false }])('whose connections have closed (%j)', async (settings) => {
    const sessions: ServerHttp2Session[] = [];
    const origin = await http2Origin((stream) => stream.end('ok'));
    origin.server.on('session', (session) => sessions.push(session));
    const closing = await rawOrigin((socket) => void socket.end(ok('Connection: close\r\n')));
    const through = await testEngine({ ...settings, upstreamCaFiles: [origin.caPath] });
    const client = await http2Client(through, origin.port);
    const asked = times(5, (index) => responseOf(client.request({ ':path': `/${index}` })));
    expect((await Promise.all(asked)).map(({ body }) => body)).toEqual(times(5, () => 'ok'));
    expect((await get(through, closing)).stdout).toBe('ok');
    for (const session of sessions) session.destroy();
    await through.upstreamCount(0);
    await noOrigins(through);
  });
});
