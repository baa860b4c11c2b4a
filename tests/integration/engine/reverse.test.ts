import { execFile } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { ReverseStatus } from '../../../shared/model/proxy/reverse.ts';
import type { Settings } from '../../../shared/model/settings.ts';
import { cleartextOrigin } from '../../support/cleartext-origin.ts';
import { curl } from '../../support/curl.ts';
import { type Echo, echoOrigin } from '../../support/echo-origin.ts';
import { type TestEngine, testEngine } from '../../support/engine.ts';
import { HAS_FIREFOX, openInFirefox } from '../../support/firefox.ts';
import { hasProgram } from '../../support/has-program.ts';
import { rawOrigin } from '../../support/raw-origin.ts';

interface Reversed {
  through: TestEngine;
  /** The state of the listeners, newest last. */
  states: ReverseStatus[][];
  url: string;
}

async function reversed(origin: string, keepHost = false, settings: Partial<Settings> = {}): Promise<Reversed> {
  const states: ReverseStatus[][] = [];
  const reverse = [{ listen: '0', origin, keepHost }];
  const through = await testEngine({ ...settings, reverse }, {}, { onReverse: (state) => states.push(state) });
  return { through, states, url: states[0]?.[0]?.url ?? '' };
}

/** curl without a proxy. */
async function direct(through: TestEngine, ...args: string[]): Promise<Echo> {
  const { stdout, stderr } = await curl({ caPath: through.caPath, proxy: '' }, ...args);
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Echo;
}

it.each([
  ['plain HTTP/1.1', 'http:', '--http1.1', '1.1'],
  ['plain HTTP/2', 'http:', '--http2-prior-knowledge', '2.0'],
  ['HTTP/1.1 over TLS', 'https:', '--http1.1', '1.1'],
  ['HTTP/2 over TLS', 'https:', '--http2', '2.0'],
])('%s reaches an origin with TLS, in the same version, under its own name', async (_name, scheme, option, version) => {
  const origin = await echoOrigin();
  const { through, url } = await reversed(`https://localhost:${origin.port}`, false, {
    upstreamCaFiles: [origin.caPath],
  });
  const echo = await direct(through, option, '-d', 'body', `${url.replace('http:', scheme)}/echo?x=1`);
  expect(echo).toMatchObject({ method: 'POST', url: '/echo?x=1', version, body: 'body' });
  expect(echo.headers[':authority'] ?? echo.headers.host).toBe(`localhost:${origin.port}`);
  const row = await through.seen.ended1();
  expect(row).toMatchObject({ state: 'complete', request: { scheme: 'https', host: 'localhost', port: origin.port } });
});

it.skipIf(!HAS_FIREFOX)('Firefox loads a page from a listener over HTTP/2, without a proxy', async () => {
  const origin = await echoOrigin();
  const { through, url } = await reversed(`https://localhost:${origin.port}`, false, {
    upstreamCaFiles: [origin.caPath],
  });
  openInFirefox(`${url.replace(/^http:\/\/[^:]*/, 'https://localhost')}/from-firefox`, through.caPath);
  const isPage = ({ request }: { request: { path: string } }) => request.path === '/from-firefox';
  await expect.poll(() => through.seen.all.find(isPage)?.response).toBeTruthy();
  expect(through.seen.all.find(isPage)).toMatchObject({
    failure: null,
    request: { httpVersion: 'HTTP/2.0', host: 'localhost', port: origin.port },
  });
});

it.skipIf(!hasProgram('javac', '-version'))('Java requests by a listener', async () => {
  const origin = await cleartextOrigin(() => {});
  const { through, url } = await reversed(`http://localhost:${origin.port}`);
  const source = path.resolve('tests/support/clients/Client.java');
  const { stdout } = await promisify(execFile)('java', [source, 'client', `${url}/from-java`]);
  expect(stdout).toBe('GET over HTTP/1.1');
  expect(await through.seen.ended1()).toMatchObject({ state: 'complete', request: { path: '/from-java' } });
});

it('keeps the Host of the client on request, and then changes no byte', async () => {
  const origin = await rawOrigin((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
  const { url } = await reversed(`http://127.0.0.1:${origin.port}`, true);
  const request = 'GET /a HTTP/1.1\r\nhOsT: shop.test\r\nX-B:  1\r\n\r\n';
  const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(request);
  expect(String((await once(socket, 'data'))[0])).toContain('200 OK');
  expect(origin.received()).toBe(request);
});

it.each([
  [false, (own: string) => `GET /a?b HTTP/1.1\r\nHost: ${own}\r\n\r\n`],
  [true, () => 'GET http://shop.test/a?b HTTP/1.1\r\nHost: shop.test\r\n\r\n'],
])(
  'takes a request target in absolute form, and sends the Host as it does otherwise (kept: %s)',
  async (kept, sent) => {
    const origin = await rawOrigin((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
    const own = `127.0.0.1:${origin.port}`;
    const { url } = await reversed(`http://${own}`, kept);
    const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.write('GET http://shop.test/a?b HTTP/1.1\r\nHost: shop.test\r\n\r\n');
    expect(String((await once(socket, 'data'))[0])).toContain('200 OK');
    expect(origin.received()).toBe(sent(own));
  },
);

it('ends the connection of its client with a reset where the origin did', async () => {
  const origin = await rawOrigin((socket) => socket.resetAndDestroy());
  const { url, through } = await reversed(`http://127.0.0.1:${origin.port}`);
  const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
  const ended = new Promise((resolve) => socket.once('error', resolve).once('end', () => resolve('end')));
  socket.write('POST /a HTTP/1.1\r\nHost: shop.test\r\nContent-Length: 1\r\n\r\nx');
  expect(await ended).toMatchObject({ code: 'ECONNRESET' });
  expect(origin.received().match(/POST/g)).toHaveLength(1);
  expect((await through.seen.ended1()).failure?.code).toBe('upstream.reset');
});

it('carries WebSockets', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  server.on('connection', (socket) => socket.on('message', (data) => socket.send(`got ${String(data)}`)));
  const { url } = await reversed(`http://127.0.0.1:${(server.address() as net.AddressInfo).port}`);
  const client = new WebSocket(url.replace('http:', 'ws:'));
  onTestFinished(() => client.terminate());
  await once(client, 'open');
  client.send('hello');
  expect(String((await once(client, 'message'))[0])).toBe('got hello');
});

it('opens and closes listeners as the settings change, and reports one that cannot listen', async () => {
  const origin = await echoOrigin();
  const target = `https://localhost:${origin.port}`;
  const { through, states, url } = await reversed(target);
  const kept = { listen: '0', origin: target, keepHost: false };
  const taken = { listen: `127.0.0.1:${through.port}`, origin: target, keepHost: false };
  through.apply({ reverse: [kept, taken, { listen: '0', origin: 'ftp://x', keepHost: false }] });
  await expect.poll(() => states.length).toBe(2);
  expect(states[1]?.map((each) => each.failure?.code ?? each.url)).toEqual([
    url,
    'engine.reverse-port-in-use',
    'reverse.invalid',
  ]);
  through.apply({ reverse: [] });
  await expect.poll(() => states.length).toBe(3);
  expect((await curl({ caPath: through.caPath, proxy: '' }, url)).exitCode).toBe(7);
});

it('a listener for itself does not loop', async () => {
  const { through, states, url } = await reversed('http://127.0.0.1:1');
  through.apply({ reverse: [{ listen: new URL(url).host.replace(/\d+$/, '0'), origin: url, keepHost: false }] });
  await expect.poll(() => states.length).toBe(2);
  expect((await curl({ caPath: through.caPath, proxy: '' }, states[1]?.[0]?.url ?? '')).exitCode).toBe(52);
  expect((await through.seen.ended1()).failure?.code).toBe('tunnel.to-itself');
});
