import { once } from 'node:events';
import type http2 from 'node:http2';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { type TestEngine, testEngine } from '../../support/engine.ts';
import { halfOpenServer } from '../../support/half-open-server.ts';
import { http2Client } from '../../support/http2-client.ts';
import { http2Origin } from '../../support/http2-origin.ts';
import { HAS, tinyproxy } from '../../support/real-proxies.ts';

/** Answers once its client has ended its side. */
function respondingOrigin(): Promise<number> {
  return halfOpenServer((socket) => void text(socket).then((all) => socket.end(`got ${all}`)));
}

/** A minimal proxy with two separate ends of a tunnel. */
function innerProxy(): Promise<number> {
  return halfOpenServer((socket) => {
    socket.once('data', (head) => {
      const port = Number(/^CONNECT [^:]+:(\d+) /.exec(String(head))?.[1]);
      const onward = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      onward.on('error', () => socket.destroy());
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
  });
}

async function connect(socket: net.Socket, port: number, pieces = 1): Promise<void> {
  const head = `CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
  if (pieces === 1) socket.write(head);
  else for (const byte of head) await new Promise((resume) => socket.write(byte, resume));
  await once(socket, 'readable');
  expect(String(socket.read())).toMatch(/^HTTP\/1.[01] 200 /);
}

async function ask(through: TestEngine, proxy: number, origin: number, pieces = 1): Promise<string> {
  const socket = net.connect({ port: through.port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
  onTestFinished(() => void socket.destroy());
  await connect(socket, proxy);
  await connect(socket, origin, pieces);
  socket.end('question');
  return await text(socket);
}

it.each([1, 2])(
  'a client that ends its side of a tunnel inside a tunnel gets the rest (CONNECT in one piece, or byte by byte: %s)',
  async (pieces) => {
    const through = await testEngine();
    expect(await ask(through, await innerProxy(), await respondingOrigin(), pieces)).toBe('got question');
    expect(await through.seen.ended1()).toMatchObject({ kind: 'tunnel', state: 'complete', failure: null });
    await through.clientCount(0);
  },
);

it('a client in a passed-through tunnel gets the rest too', async () => {
  const through = await testEngine({ intercept: false });
  expect(await ask(through, await innerProxy(), await respondingOrigin())).toBe('got question');
});

it('an upstream proxy in front of that proxy changes nothing', async () => {
  const outer = await innerProxy();
  const through = await testEngine({ upstreamProxy: { enabled: true, url: `http://127.0.0.1:${outer}` } });
  expect(await ask(through, await innerProxy(), await respondingOrigin())).toBe('got question');
});

it.skipIf(!HAS.tinyproxy)('a real proxy opens its tunnel inside ours', async () => {
  const through = await testEngine();
  const port = await halfOpenServer((socket) => socket.once('data', (chunk) => socket.end(`got ${chunk}`)));
  const socket = net.connect(through.port, '127.0.0.1');
  await connect(socket, await tinyproxy(null));
  await connect(socket, port);
  socket.write('question');
  expect(await text(socket)).toBe('got question');
});

it('a CONNECT over HTTP/2 to a proxy that speaks it, inside our interception, is a stream both ways', async () => {
  const asked: http2.IncomingHttpHeaders[] = [];
  const proxy = await http2Origin((stream, headers) => {
    asked.push(headers);
    stream.respond({ ':status': 200 });
    void text(stream).then((all) => stream.end(`got ${all}`));
  });
  const through = await testEngine({ upstreamCaFiles: [proxy.caPath] });
  const client = await http2Client(through, proxy.port);
  const stream = client.request({ ':method': 'CONNECT', ':authority': 'inner.test:443' });
  await once(stream, 'response');
  stream.end('question');
  expect(await text(stream)).toBe('got question');
  expect(asked).toMatchObject([{ ':method': 'CONNECT', ':authority': 'inner.test:443' }]);
  expect(asked[0]).not.toHaveProperty(':path');
  const row = await through.seen.ended1();
  expect(row).toMatchObject({ state: 'complete', failure: null });
  expect(row.request).toMatchObject({ method: 'CONNECT', path: 'inner.test:443' });
  expect(through.seen.body(row, 'request')).toBe('question');
});
