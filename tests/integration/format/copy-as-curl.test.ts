import { execFile } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { curlBodyOf } from '../../../renderer/features/inspector/body/read-body.ts';
import { curlCommand, curlProblem } from '../../../shared/format/commands/curl.ts';
import type { RequestMessage } from '../../../shared/model/message.ts';
import { testEngine } from '../../support/engine.ts';
import { exampleExchange } from '../../support/example-exchange.ts';
import { http2Origin } from '../../support/http2-origin.ts';
import { listenInTest } from '../../support/listen-in-test.ts';
import { rawOrigin } from '../../support/raw-origin.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

interface Got {
  method: string;
  url: string;
  headers: string[];
  body: Buffer;
}

async function recordingOrigin(): Promise<{ port: number; got: Got[] }> {
  const got: Got[] = [];
  const server = http.createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const { method = '', url = '', rawHeaders } = request;
    got.push({ method, url, headers: rawHeaders, body: Buffer.concat(pieces) });
    response.setHeader('content-length', '5').end('hello');
  });
  const port = await listenInTest(server);
  return { port, got };
}

/** Runs a copied command as it is pasted. */
function paste(
  command: string,
  env: NodeJS.ProcessEnv = {},
): Promise<{ code: number; stdout: Buffer; stderr: string }> {
  const { PATH, HOME } = process.env;
  // In a file: bash -c would need all of it as one argument.
  const script = path.join(temporaryFolder(), 'pasted');
  fs.writeFileSync(script, command);
  return new Promise((resolve) => {
    const options = { env: { PATH, HOME, ...env }, encoding: 'buffer', timeout: 110_000 } as const;
    execFile('bash', [script], options, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr: String(stderr) });
    });
  });
}

function exchangeOf(port: number, request: Partial<RequestMessage>) {
  const headers = ['User-Agent', 'test'];
  return exampleExchange({
    request: { scheme: 'http', authority: `127.0.0.1:${port}`, path: '/', headers, ...request },
  });
}

const every = (first: number, last: number): Buffer =>
  Buffer.from(Array.from({ length: last - first + 1 }, (_, index) => first + index));

const BODIES: [name: string, body: Buffer][] = [
  ['text', Buffer.from('{"a": "it\'s", "b": "!x $HOME"}\n')],
  ['NUL', Buffer.from('before\0after')],
  ['NUL behind much text', Buffer.from(`${'x'.repeat(5000)}\0 100% 'end'`)],
  ['U+0080 to U+009F', Buffer.from(every(0x80, 0x9f).toString('latin1'), 'utf8')],
  ['control characters behind much text', Buffer.concat([Buffer.alloc(5000, 'x'), every(1, 0x1f), Buffer.from('1f')])],
  ['every byte', every(0, 255)],
  ['a byte order mark', Buffer.from('\ufeff{}')],
  ['half a character at the end', Buffer.from('café').subarray(0, 4)],
  ['a file name to curl', Buffer.from('@/etc/passwd')],
  ['line breaks at both ends', Buffer.from('\r\n\na\r\n')],
  ['more than an argument may have', Buffer.from(`start${'é€🎉!'.repeat(40_000)}end`)],
  ['a MiB of bytes', Buffer.alloc(1024 * 1024, every(0, 255))],
];

it.each(BODIES)('sends the same bytes: %s', async (_name, body) => {
  const { port, got } = await recordingOrigin();
  const exchange = exchangeOf(port, { method: 'POST' });
  const command = curlCommand(exchange, curlBodyOf(new Uint8Array(body), body.toString('base64')));
  const { code, stdout, stderr } = await paste(`${command} --silent --show-error`);
  expect({ code, stderr, stdout: String(stdout) }).toEqual({ code: 0, stderr: '', stdout: 'hello' });
  expect(got).toHaveLength(1);
  expect(got[0]?.method).toBe('POST');
  expect(got[0]?.body.equals(body)).toBe(true);
  expect(got[0]?.headers).toEqual([
    ...['Host', `127.0.0.1:${port}`, 'User-Agent', 'test'],
    ...['Content-Length', String(body.length)],
  ]);
});

it('sends the same bytes in header fields in any locale', async () => {
  const { port, got } = await recordingOrigin();
  const value = every(0x21, 0xff).toString('latin1').replace('\x7f', '');
  const headers = ['User-Agent', 'test', 'X-Bytes', value, 'X-Empty', '', 'Accept', 'a/b'];
  for (const locale of ['C', 'C.UTF-8']) {
    expect(await paste(curlCommand(exchangeOf(port, { headers }), null), { LC_ALL: locale })).toMatchObject({
      code: 0,
    });
  }
  for (const each of got) expect(each.headers.slice(2)).toEqual(headers);
  expect(got).toHaveLength(2);
});

it.each([
  ['GET', null],
  ['GET', 'a body'],
  ['HEAD', null],
  ['HEAD', 'a body'],
  ['DELETE', 'a body'],
  ['OPTIONS', null],
])('repeats %s with %j', async (method, text) => {
  const { port, got } = await recordingOrigin();
  const body = text === null ? null : ({ form: 'text', data: text } as const);
  const { code, stdout } = await paste(curlCommand(exchangeOf(port, { method, path: '/a/../%2e/b' }), body));
  expect(code).toBe(0);
  expect(got).toMatchObject([{ method, url: '/a/../%2e/b', body: Buffer.from(text ?? '') }]);
  expect(String(stdout)).toContain(method === 'HEAD' ? 'content-length: 5' : 'hello');
});

it.each(['/caf\xe9?q=\xff', '/a?b=#c', '/#', 'a.test/b', '/[a]{b}"<>\\^`|'])(
  'sends the same target: %j',
  async (path) => {
    const origin = await rawOrigin((socket) => socket.end('HTTP/1.1 204 None\r\n\r\n'));
    expect(await paste(curlCommand(exchangeOf(origin.port, { path }), null))).toMatchObject({ code: 0 });
    expect(origin.received().split('\r\n')[0]).toBe(`GET ${path} HTTP/1.1`);
  },
);

it('repeats a POST with an empty body, and a target that is not a path', async () => {
  const { port, got } = await recordingOrigin();
  await paste(curlCommand(exchangeOf(port, { method: 'POST', headers: ['Content-Length', '0'] }), null));
  await paste(curlCommand(exchangeOf(port, { method: 'OPTIONS', path: '*' }), null));
  expect(got).toMatchObject([
    { method: 'POST', headers: ['Host', `127.0.0.1:${port}`, 'Content-Length', '0'] },
    { method: 'OPTIONS', url: '*' },
  ]);
});

it('repeats HEAD with a body over HTTP/2', async () => {
  const bodies: string[] = [];
  const origin = await http2Origin(async (stream, headers) => {
    let body = '';
    for await (const piece of stream) body += piece;
    bodies.push(`${headers[':method']} ${body}`);
    stream.respond({ ':status': 200, 'content-length': '5' }, { endStream: true });
  });
  const request = { scheme: 'https', authority: `localhost:${origin.port}`, httpVersion: 'HTTP/2.0' } as const;
  const exchange = exchangeOf(origin.port, { ...request, method: 'HEAD' });
  const command = curlCommand(exchange, { form: 'text', data: 'a body' });
  const { code, stdout } = await paste(command, { CURL_CA_BUNDLE: origin.caPath });
  expect({ code, bodies }).toEqual({ code: 0, bodies: ['HEAD a body'] });
  expect(String(stdout)).toMatch(/^HTTP\/2 200/);
});

it('opens a recorded WebSocket and prints what its server sends', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const asked: (string | undefined)[][] = [];
  server.on('connection', (socket, { url, headers }) => {
    asked.push([url, headers.cookie, headers.origin]);
    socket.send('to the client');
    // curl prints nothing for a socket, not even at its end.
    socket.close(1000, 'over');
    setImmediate(() => socket.terminate());
  });
  const through = await testEngine();
  const tunnel = http.request({ port: through.port, method: 'CONNECT', path: `127.0.0.1:${port}` }).end();
  const [, connection] = (await once(tunnel, 'connect')) as [unknown, Socket];
  const client = new WebSocket(`ws://127.0.0.1:${port}/chat?room=1`, {
    createConnection: () => connection,
    headers: { cookie: 'a=1', origin: 'http://a.test' },
  });
  client.on('error', () => {});
  client.on('open', () => client.send('to the server'));
  const exchange = await through.seen.ended1(({ kind }) => kind === 'upgrade');
  expect(curlProblem(exchange)).toBeNull();
  const { code, stdout, stderr } = await paste(curlCommand(exchange, null));
  expect(String(stdout), stderr).toMatch(/^HTTP\/1\.1 101 Switching Protocols\r\n/);
  expect(String(stdout)).toContain('to the client');
  expect(code).toBe(0);
  expect(asked).toEqual([
    ['/chat?room=1', 'a=1', 'http://a.test'],
    ['/chat?room=1', 'a=1', 'http://a.test'],
  ]);
});

it('opens a WebSocket recorded over HTTP/2 with the handshake that curl supports', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => server.close());
  await once(server, 'listening');
  server.on('connection', (socket, { url }) => {
    socket.send(`hello ${url}`);
    setImmediate(() => socket.terminate());
  });
  const { port } = server.address() as AddressInfo;
  const headers = ['sec-websocket-version', '13', 'user-agent', 'test'];
  const request = exchangeOf(port, { method: 'CONNECT', httpVersion: 'HTTP/2.0', path: '/chat', headers }).request;
  const { stdout } = await paste(curlCommand(exampleExchange({ kind: 'upgrade', request }), null));
  expect(String(stdout)).toContain('hello /chat');
});
