import net from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { curl } from '../../support/curl.ts';
import { testEngine } from '../../support/engine.ts';
import { rawOrigin } from '../../support/raw-origin.ts';
import { cuts, framingSoup, split } from '../../support/split-bytes.ts';
import { openTunnel } from '../../support/tunnel.ts';

async function writeIn(socket: net.Socket, pieces: readonly Buffer[]): Promise<void> {
  socket.setNoDelay(true);
  for (const piece of pieces) {
    socket.write(piece);
    await turn();
  }
}

const name = fc.stringMatching(/^X-[A-Za-z0-9_.-]{1,10}$/);
const value = fc.stringMatching(/^[\x20-\x7e\t\x80-\xff]{0,30}$/);
const fields = fc
  .array(fc.tuple(name, fc.constantFrom('', ' ', '\t '), value), { maxLength: 5 })
  .map((all) => all.map(([each, space, of]) => `${each}:${space}${of}\r\n`).join(''));
const payload = fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes).toString('latin1'));
const chunks = fc.array(fc.tuple(payload, fc.constantFrom('', ';a=b', ' ;"x"')), { maxLength: 4 }).map((all) =>
  all
    .filter(([data]) => data !== '')
    .map(([data, extension]) => `${data.length.toString(16)}${extension}\r\n${data}\r\n`)
    .join(''),
);
/** Fields and a body whose end they define, as HTTP/1.1 allows. */
const framed = fc.oneof(
  fc.tuple(fields, payload).map(([more, body]) => `${more}content-LENGTH:${body.length}\r\n\r\n${body}`),
  fc.tuple(fields, chunks, fields).map(([more, body, trailers]) => {
    const last = trailers.replace(/:[ \t]*/g, ': ');
    return `${more}Transfer-Encoding: Chunked\r\n\r\n${body}0\r\n${last}\r\n`;
  }),
);
const target = fc.stringMatching(/^\/[\x21-\x7e\x80-\xff]{0,40}$/);
const method = fc.constantFrom('GET', 'POST', 'M-SEARCH', 'x', 'DELETE');

it('any message passes through a tunnel byte for byte, both ways, however it is cut', async () => {
  let pieces: readonly Buffer[] = [];
  let length = 0;
  const origin = await rawOrigin((socket, received) => {
    if (received.length === length) void writeIn(socket, pieces);
  });
  const through = await testEngine({ keepAlive: false });
  await fc.assert(
    fc.asyncProperty(method, target, framed, framed, cuts(), cuts(), async (verb, path, there, back, one, two) => {
      const request = `${verb} ${path} HTTP/1.1\r\nHost: a.test\r\n${there}`;
      const response = `HTTP/1.1 200 Any  Reason \xe9\r\n${back}`;
      const before = origin.received().length;
      pieces = split(Buffer.from(response, 'latin1'), two);
      length = request.length;
      const socket = await openTunnel(through, `127.0.0.1:${origin.port}`);
      const got: Buffer[] = [];
      let size = 0;
      const complete = new Promise<void>((resolve) => {
        socket.on('close', resolve);
        socket.on('data', (chunk) => {
          got.push(chunk);
          size += chunk.length;
          if (size >= response.length) resolve();
        });
      });
      await writeIn(socket, split(Buffer.from(request, 'latin1'), one));
      await complete;
      socket.destroy();
      expect(Buffer.concat(got).toString('latin1')).toBe(response);
      expect(origin.received().slice(before)).toBe(request);
    }),
    { numRuns: 100 },
  );
});

const WORDS = [
  'GET http://127.0.0.1:1/ HTTP/1.1',
  'CONNECT 127.0.0.1:1 HTTP/1.1',
  '\r\n',
  '\r\n\r\n',
  'Host: a',
  ': ',
  'Content-Length: 5',
];
const MORE = [
  'Transfer-Encoding: chunked',
  '0\r\n\r\n',
  '5\r\nabcde\r\n',
  '\n',
  '\r',
  '\0',
  '\x16\x03\x01',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
];

it('any client bytes end their own connection at most, and the engine keeps running', async () => {
  const through = await testEngine({ retry: false }, { requestHeadTime: 200, tunnelSilence: 20 });
  await fc.assert(
    fc.asyncProperty(framingSoup([...WORDS, ...MORE]), cuts(), async (bytes, at) => {
      const socket = net.connect(through.port, '127.0.0.1');
      socket.on('error', () => {});
      socket.resume();
      // From the beginning: refused bytes end the connection before all of them are written.
      const closed = new Promise((resolve) => socket.once('close', resolve));
      await writeIn(socket, split(bytes, at));
      socket.end();
      await closed;
    }),
    { numRuns: 300 },
  );
  await through.clientCount(0);
  const origin = await rawOrigin((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
  expect((await curl(through, `http://127.0.0.1:${origin.port}/`)).stdout).toBe('ok');
  const codes = new Set(through.seen.all.map((each) => each.failure?.code.split('.')[0]));
  expect([...codes].filter((side) => side === 'engine')).toEqual([]);
});

const STATUS = [
  'HTTP/1.1 200 OK',
  'HTTP/1.1 100 Continue\r\n\r\n',
  'HTTP/1.1 101 Switching Protocols',
  'HTTP/1.0 200',
  'HTTP/1.1 204 x',
];

it('any upstream bytes end their own exchange at most, and the engine keeps running', async () => {
  let pieces: readonly Buffer[] = [];
  const origin = await rawOrigin((socket, received) => {
    if (received.endsWith('\r\n\r\n')) void writeIn(socket, pieces).then(() => socket.end());
  });
  const through = await testEngine();
  let exchanges = 0;
  await fc.assert(
    fc.asyncProperty(
      framingSoup([...STATUS, '\r\n', '\r\n\r\n', 'X: y', ...MORE.slice(0, 6), 'Content-Length: 5']),
      cuts(),
      async (bytes, at) => {
        pieces = split(bytes, at);
        exchanges += 1;
        const socket = net.connect(through.port, '127.0.0.1');
        socket.on('error', () => {});
        socket.resume();
        socket.write(
          `GET http://127.0.0.1:${origin.port}/${exchanges} HTTP/1.1\r\nHost: 127.0.0.1:${origin.port}\r\n\r\n`,
        );
        const path = `/${exchanges}`;
        const ended = await through.seen.ended1((each) => each.request.path === path);
        expect(ended.failure?.code ?? 'upstream.').toMatch(/^upstream\./);
        socket.destroy();
      },
    ),
    { numRuns: 300 },
  );
  pieces = [Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')];
  expect((await curl(through, `http://127.0.0.1:${origin.port}/`)).stdout).toBe('ok');
});
