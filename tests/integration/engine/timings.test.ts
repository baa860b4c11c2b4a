import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import fs from 'node:fs';
import http2 from 'node:http2';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type tls from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LeafCertificates } from '../../../electron/engine/tls/leaf-certificates.ts';
import { askUnsent } from '../../../electron/engine/upstream/h1/unsent-bytes.ts';
import { EMPTY_HAR_BODY, harEntry } from '../../../shared/format/har.ts';
import type { HarEntry } from '../../../shared/format/har-types.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { overheadTime, totalTime } from '../../../shared/model/timings.ts';
import { curl } from '../../support/curl.ts';
import { testEngine } from '../../support/engine.ts';
import { http2Client, responseOf } from '../../support/http2-client.ts';
import { http2Origin } from '../../support/http2-origin.ts';
import { listenInTest } from '../../support/listen-in-test.ts';
import { rawOrigin } from '../../support/raw-origin.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { testCa } from '../../support/test-ca.ts';
import { threadOrigin } from '../../support/thread-origin.ts';

/** Every delay of the origin, milliseconds. Timers may end earlier than that by their rounding. */
const WAIT = 50;
const AT_LEAST = WAIT - 1;
/** More than a peer that does not read accepts, less than fits a socket's queue. */
const LARGE_BODY = 2 * 1024 * 1024;
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

/** An origin whose handshake takes that long, and whose first byte too. h1, and h2 for clients that ask for it. */
async function slowOrigin() {
  const { ca, remove } = await testCa();
  const leaves = new LeafCertificates({ ...ca, folder: null });
  const secure = {
    SNICallback: (name: string, done: (error: Error | null, context: tls.SecureContext) => void) => {
      setTimeout(() => done(null, leaves.contextFor(name)), WAIT);
    },
  };
  const server = http2.createSecureServer({ ...secure, allowHTTP1: true }, (_request, response) => {
    setTimeout(() => response.end('ok'), WAIT);
  });
  const port = await listenInTest(server);
  onTestFinished(remove);
  return { port, url: `https://localhost:${port}/`, caPath: ca.certificatePath };
}

/** The phases follow one another, and the overhead is inside blocked and receive, apart from all waiting. */
function expectWhole({ timings }: Exchange): void {
  const { blocked, connect, send, wait, receive, ssl, overheadRequest, overheadResponse } = timings;
  for (const phase of [blocked, send, wait, receive, overheadRequest, overheadResponse])
    expect(phase).toBeGreaterThanOrEqual(0);
  expect(ssl).toBeLessThanOrEqual(connect);
  expect(overheadRequest).toBeLessThanOrEqual(blocked);
  expect(overheadResponse).toBeLessThanOrEqual(receive);
}

describe.each(['--http1.1', '--http2'])('overhead and phases, %s', (protocol) => {
  it('leave out what upstream and connecting took', async () => {
    const origin = await slowOrigin();
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const from = performance.now();
    await curl(through, protocol, origin.url, origin.url);
    const elapsed = performance.now() - from;
    await through.seen.ended1(() => through.seen.all.length === 2);
    const [first, second] = through.seen.all as [Exchange, Exchange];
    expectWhole(first);
    expectWhole(second);
    expect(first.timings.connect).toBeGreaterThanOrEqual(AT_LEAST);
    expect(first.timings.ssl).toBeGreaterThanOrEqual(AT_LEAST);
    // On a busy machine, hidden wait counts as our overhead, never the other way round.
    for (const { timings } of [first, second])
      expect(timings.wait + overheadTime(timings)).toBeGreaterThanOrEqual(AT_LEAST);
    expect(second.timings).toMatchObject({ dns: -1, connect: -1, ssl: -1 });
    expect(totalTime(first.timings) + totalTime(second.timings)).toBeLessThanOrEqual(elapsed);
    // What the clock shows as waiting is not part of the overhead: it fits into what is left of the client's time.
    const waited = first.timings.connect + first.timings.wait + second.timings.wait;
    expect(overheadTime(first.timings) + overheadTime(second.timings)).toBeLessThanOrEqual(elapsed - waited);
  });
});

it('in HAR a reused connection has -1 for what did not take place, and time is the sum', async () => {
  const origin = await slowOrigin();
  const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
  await curl(through, origin.url, origin.url);
  await through.seen.ended1(() => through.seen.all.length === 2);
  const bodies = { request: EMPTY_HAR_BODY, response: EMPTY_HAR_BODY };
  const [first, second] = through.seen.all.map((each): HarEntry => JSON.parse(harEntry(each, bodies, 'page_1')));
  expect(second?.timings).toMatchObject({ dns: -1, connect: -1, ssl: -1 });
  expect(first?.timings.connect).toBeGreaterThanOrEqual(first?.timings.ssl ?? Number.POSITIVE_INFINITY);
  for (const each of [first, second]) {
    const { ssl: _inside, ...phases } = each?.timings ?? {};
    const sum = Object.values(phases).reduce((all, phase) => all + Math.max(Number(phase), 0), 0);
    expect(each?.time).toBeCloseTo(sum, 3);
  }
});

it('a request that waits for the handshake that another began does not count that as overhead', async () => {
  const origin = await slowOrigin();
  const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
  const client = await http2Client(through, origin.port);
  // The tunnel's session ends: the next requests need a handshake, which the first of them begins.
  through.apply({ upstreamCaFiles: [origin.caPath], insecureUpstream: true });
  await through.upstreamCount(0);
  await Promise.all([responseOf(client.request({ ':path': '/1' })), responseOf(client.request({ ':path': '/2' }))]);
  await through.seen.ended1(() => through.seen.all.length === 2);
  const [first, second] = through.seen.all
    .toSorted((a, b) => a.request.path.localeCompare(b.request.path))
    .map((each) => each.timings);
  expect(first?.connect).toBeGreaterThanOrEqual(AT_LEAST);
  expect(second?.connect).toBe(-1);
  expect(second?.blocked).toBeGreaterThanOrEqual(AT_LEAST);
  expect(second?.overheadRequest).toBeLessThanOrEqual((second?.blocked ?? 0) - AT_LEAST);
});

it('nor does the time of a failed connection before the request used another', async () => {
  const origin = await rawOrigin((socket, received) => {
    const requests = received.split('\r\n\r\n').length - 1;
    if (requests === 1) socket.write(OK);
    else delay(WAIT).then(() => socket.destroy());
  });
  const through = await testEngine();
  const url = `http://127.0.0.1:${origin.port}/`;
  await curl(through, url);
  expect((await curl(through, url)).stdout).toBe('ok');
  const second = await through.seen.ended1((each) => each.id === 2);
  expectWhole(second);
  expect(second.attempts[0]?.duration).toBeGreaterThanOrEqual(AT_LEAST);
  expect(second.timings.overheadRequest).toBeLessThanOrEqual(second.timings.blocked - AT_LEAST);
});

it('a request whose end waits for a window of HTTP/2 is being sent until then', async () => {
  const origin = await http2Origin(
    async (stream, { ':method': method }) => {
      stream.resume().on('end', () => stream.respond({}, { endStream: true }));
      if (method === 'GET') return;
      await delay(WAIT);
      stream.session?.settings({ initialWindowSize: 65_535 });
    },
    { settings: { initialWindowSize: 0 } },
  );
  const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
  const client = await http2Client(through, origin.port);
  // After its response, the engine knows the origin's settings.
  await responseOf(client.request({ ':path': '/1' }));
  const posted = client.request({ ':path': '/2', ':method': 'POST' });
  posted.end('x'.repeat(100));
  await responseOf(posted);
  const exchange = await through.seen.ended1(({ request }) => request.path === '/2');
  expectWhole(exchange);
  expect(exchange.timings.send).toBeGreaterThanOrEqual(AT_LEAST);
});

it.runIf(process.platform === 'linux')(
  'a body is being sent until the network has it, not until the system has it',
  async () => {
    await expect.poll(askUnsent).not.toBeNull();
    const origin = net.createServer((socket) => {
      let left = LARGE_BODY;
      socket.once('readable', async () => {
        await delay(WAIT);
        socket.on('data', (bytes: Buffer) => {
          left -= bytes.length;
          // The head makes it less than none.
          if (left <= 0) socket.end(OK);
        });
      });
    });
    const port = await listenInTest(origin);
    const through = await testEngine();
    const file = path.join(temporaryFolder(), 'body');
    fs.writeFileSync(file, Buffer.alloc(LARGE_BODY));
    const args = ['-H', 'Expect:', '--data-binary', `@${file}`];
    await curl(through, ...args, `http://127.0.0.1:${port}/`);
    const exchange = await through.seen.ended1();
    expectWhole(exchange);
    expect(exchange.request.body.complete).toBe(true);
    expect(exchange.timings.send).toBeGreaterThanOrEqual(AT_LEAST);
  },
);

/** Blocks for this many milliseconds. */
function work(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

it('a response that arrived while the engine was busy counts as waiting for the engine', async () => {
  const origin = await threadOrigin();
  const through = await testEngine();
  let responded: boolean | null = null;
  // The row that shows that the request was sent.
  through.seen.changed = ({ timings }) => {
    if (timings.send < 0 || responded !== null) return;
    responded = origin.blockUntilResponded();
    work(WAIT);
  };
  await curl(through, `http://127.0.0.1:${origin.port}/`);
  const exchange = await through.seen.ended1();
  expect(responded).toBe(true);
  expectWhole(exchange);
  expect(exchange.timings.overheadResponse).toBeGreaterThanOrEqual(WAIT);
});

describe('an answer that arrived while the engine was busy counts as our overhead', () => {
  const CHANNEL = 'net.client.socket';

  /** Each connection that this thread begins, before it does. */
  function connecting(begun: (socket: net.Socket) => void): void {
    const listener = (message: unknown) => begun((message as { socket: net.Socket }).socket);
    subscribe(CHANNEL, listener);
    onTestFinished(() => void unsubscribe(CHANNEL, listener));
  }

  it('while opening TCP', async () => {
    const origin = await threadOrigin();
    const through = await testEngine();
    // The event precedes the system call.
    connecting((socket) => void socket.once('connectionAttempt', () => process.nextTick(work, 2 * WAIT)));
    await curl(through, `http://127.0.0.1:${origin.port}/`);
    const exchange = await through.seen.ended1();
    expectWhole(exchange);
    expect(exchange.timings.overheadRequest).toBeGreaterThanOrEqual(WAIT);
    expect(exchange.timings.connect).toBeLessThan(exchange.timings.overheadRequest);
  });

  it('in the TLS handshake', async () => {
    const { ca, remove } = await testCa();
    onTestFinished(remove);
    const origin = await threadOrigin({ key: ca.keyPem, cert: ca.certificatePem });
    const through = await testEngine({ insecureUpstream: true, keepAlive: false });
    const url = `https://localhost:${origin.port}/`;
    let count = 0;
    connecting((socket) => {
      count += 1;
      // The first connection is opened with the tunnel. The second sends its hello as soon as it is open.
      if (count === 2) socket.once('connect', () => setImmediate(work, 2 * WAIT));
    });
    await curl(through, '--http1.1', url, url);
    const { timings, ...second } = await through.seen.ended1((each) => each.id === 2);
    expect(count).toBe(2);
    expectWhole({ ...second, timings });
    expect(timings.ssl).toBeGreaterThanOrEqual(0);
    expect(timings.overheadRequest).toBeGreaterThanOrEqual(WAIT);
    expect(timings.connect).toBeLessThan(timings.overheadRequest);
  });
});
