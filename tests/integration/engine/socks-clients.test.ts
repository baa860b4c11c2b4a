import { execFile } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { NO_OVERRIDE } from '../../../shared/model/settings.ts';
import { cleartextOrigin } from '../../support/cleartext-origin.ts';
import { curl } from '../../support/curl.ts';
import { echoOrigin } from '../../support/echo-origin.ts';
import { type TestEngine, testEngine } from '../../support/engine.ts';
import { HAS_FIREFOX, openInFirefox } from '../../support/firefox.ts';
import { hasProgram } from '../../support/has-program.ts';
import { httpsOrigin } from '../../support/https-origin.ts';
import { listenInTest } from '../../support/listen-in-test.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const run = promisify(execFile);

function bySocks(through: TestEngine, scheme: string): Pick<TestEngine, 'proxy' | 'caPath'> {
  return { caPath: through.caPath, proxy: through.proxy.replace('http:', `${scheme}:`) };
}

it.each(['socks5', 'socks5h', 'socks4a'])('curl requests plain HTTP by %s', async (scheme) => {
  const origin = await cleartextOrigin(() => {});
  const through = await testEngine();
  const result = await curl(bySocks(through, scheme), `http://localhost:${origin.port}/`);
  expect(result).toMatchObject({ exitCode: 0, stdout: 'GET over HTTP/1.1' });
  expect(await through.seen.ended1()).toMatchObject({ kind: 'http', state: 'complete', response: { status: 200 } });
});

it.each([
  ['--http1.1', 'HTTP/1.1'],
  ['--http2', 'HTTP/2.0'],
])('TLS is intercepted inside, with %s', async (option, version) => {
  const origin = await echoOrigin();
  const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
  const url = `https://localhost:${origin.port}/echo`;
  const result = await curl(bySocks(through, 'socks5h'), option, '-d', 'body', url);
  expect(result).toMatchObject({ exitCode: 0 });
  expect(JSON.parse(result.stdout)).toMatchObject({ method: 'POST', body: 'body' });
  expect((await through.seen.ended1()).request).toMatchObject({
    scheme: 'https',
    host: 'localhost',
    httpVersion: version,
  });
});

it.skipIf(!hasProgram('javac', '-version'))('Java requests TLS by SOCKS5', async () => {
  // Java resolves the name, and omits a name without dots from its TLS: it requests an address.
  const origin = await httpsOrigin();
  const hostOverrides = [{ ...NO_OVERRIDE, host: '127.0.0.1', serverName: 'localhost' }];
  const through = await testEngine({ upstreamCaFiles: [origin.caPath], hostOverrides });
  const store = path.join(temporaryFolder(), 'trusted.p12');
  const into = ['-keystore', store, '-storepass', 'changeit', '-noprompt'];
  await run('keytool', [
    '-importcert',
    '-file',
    through.caPath,
    '-alias',
    'roundtrip',
    '-storetype',
    'PKCS12',
    ...into,
  ]);
  const trusted = [`-Djavax.net.ssl.trustStore=${store}`, '-Djavax.net.ssl.trustStorePassword=changeit'];
  const socks = ['-DsocksProxyHost=127.0.0.1', `-DsocksProxyPort=${through.port}`, '-DsocksNonProxyHosts='];
  const source = path.resolve('tests/support/clients/Client.java');
  const url = origin.url.replace('localhost', '127.0.0.1');
  expect((await run('java', [...socks, ...trusted, source, 'connection', url])).stdout).toBe('hello');
  expect(await through.seen.ended1()).toMatchObject({ kind: 'http', state: 'complete', request: { scheme: 'https' } });
});

it.skipIf(!hasProgram('javac', '-version')).each(['4', '5'])('Java requests plain HTTP by SOCKS%s', async (version) => {
  const origin = await cleartextOrigin(() => {});
  const through = await testEngine();
  const socks = [
    '-DsocksProxyHost=127.0.0.1',
    `-DsocksProxyPort=${through.port}`,
    `-DsocksProxyVersion=${version}`,
    // Without it, Java requests loopback addresses directly, by SOCKS too.
    '-Dhttp.nonProxyHosts=',
  ];
  const source = path.resolve('tests/support/clients/Client.java');
  const { stdout } = await run('java', [...socks, source, 'connection', `http://127.0.0.1:${origin.port}/from-java`]);
  expect(stdout).toBe('GET over HTTP/1.1');
  const row = await through.seen.ended1();
  expect(row).toMatchObject({ kind: 'http', state: 'complete', request: { scheme: 'http', path: '/from-java' } });
});

/** A name that only the proxy can resolve. */
const UNKNOWN = 'shop.example';

it.skipIf(!HAS_FIREFOX).each([
  ['http', 'HTTP/1.1'],
  ['https', 'HTTP/2.0'],
])('Firefox loads an %s page by SOCKS5, and lets the proxy resolve its name', async (scheme, httpVersion) => {
  const origin = await (scheme === 'https' ? echoOrigin() : cleartextOrigin(() => {}));
  const hostOverrides = [{ ...NO_OVERRIDE, host: UNKNOWN, address: '127.0.0.1', serverName: 'localhost' }];
  const upstreamCaFiles = 'caPath' in origin ? [origin.caPath] : [];
  const through = await testEngine({ hostOverrides, upstreamCaFiles });
  openInFirefox(`${scheme}://${UNKNOWN}:${origin.port}/from-firefox`, through.caPath, {
    'network.proxy.type': 1,
    'network.proxy.socks': '127.0.0.1',
    'network.proxy.socks_port': through.port,
    'network.proxy.socks_version': 5,
    'network.proxy.socks_remote_dns': true,
  });
  const isPage = ({ request }: { request: { path: string } }) => request.path === '/from-firefox';
  await expect.poll(() => through.seen.all.find(isPage)?.response).toBeTruthy();
  const page = through.seen.all.find(isPage);
  expect(page).toMatchObject({ kind: 'http', failure: null, request: { scheme, host: UNKNOWN, httpVersion } });
});

it.each([
  ['passes through if its server name is one to pass', 'local*', 'tunnel'],
  ['is intercepted if it is another', 'elsewhere', 'http'],
])('TLS from a client that resolved the name itself %s', async (_name, pattern, kind) => {
  const origin = await httpsOrigin();
  const through = await testEngine({ upstreamCaFiles: [origin.caPath], passthroughHosts: [pattern] });
  const caPath = kind === 'tunnel' ? origin.caPath : through.caPath;
  const result = await curl({ ...bySocks(through, 'socks5'), caPath }, '--ipv4', origin.url);
  expect(result).toMatchObject({ exitCode: 0, stdout: 'hello' });
  const row = await through.seen.ended1();
  expect(row).toMatchObject({ kind, state: 'complete', request: { host: '127.0.0.1' } });
  expect(row.response?.body.size).toBeGreaterThan(0);
});

it('any user and password are accepted', async () => {
  const origin = await httpsOrigin();
  const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
  const proxy = bySocks(through, 'socks5h');
  expect(await curl(proxy, '--socks5-basic', '--proxy-user', 'jane:secret', origin.url)).toMatchObject({
    stdout: 'hello',
  });
  expect(JSON.stringify(through.seen.all)).not.toContain('secret');
});

async function conversation(through: TestEngine, ...writes: number[][]): Promise<{ socket: net.Socket; read: Buffer }> {
  const socket = net.connect({ port: through.port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
  onTestFinished(() => void socket.destroy());
  let read = Buffer.alloc(0);
  for (const bytes of writes) {
    // Byte by byte: no reply may depend on how a message was cut.
    for (const byte of bytes) await new Promise((resume) => socket.write(Buffer.from([byte]), resume));
    const [piece] = (await once(socket, 'data')) as [Buffer];
    read = Buffer.concat([read, piece]);
  }
  return { socket, read };
}

it('other protocols pass through, and their bytes are counted', async () => {
  const server = net.createServer((socket) => void socket.end('220 ready\r\n'));
  const port = await listenInTest(server);
  const through = await testEngine();
  const target = [127, 0, 0, 1, port >> 8, port & 255];
  const { socket } = await conversation(through, [5, 1, 0], [5, 1, 0, 1, ...target]);
  expect(await text(socket)).toBe('220 ready\r\n');
  socket.end();
  const row = await through.seen.ended1();
  expect(row).toMatchObject({
    kind: 'tunnel',
    state: 'complete',
    request: { method: 'CONNECT', httpVersion: 'SOCKS5' },
  });
  expect(row.response?.body.size).toBe(11);
});

it.each<[string, number[][], number[], RegExp]>([
  ['no method that we accept', [[5, 1, 1]], [5, 255], /no authentication/],
  [
    'BIND',
    [
      [5, 1, 0],
      [5, 2, 0, 1],
    ],
    [5, 0, 5, 7, 0, 1, 0, 0, 0, 0, 0, 0],
    /command 2/,
  ],
  [
    'an unknown address type',
    [
      [5, 1, 0],
      [5, 1, 0, 9],
    ],
    [5, 0, 5, 8, 0, 1, 0, 0, 0, 0, 0, 0],
    /address type 9/,
  ],
  ['SOCKS4 BIND', [[4, 2]], [0, 0x5b, 0, 0, 0, 0, 0, 0], /command 2/],
])('%s is refused as the protocol says', async (_name, writes, reply, detail) => {
  const through = await testEngine();
  const { socket, read } = await conversation(through, ...writes);
  expect([...read]).toEqual(reply);
  expect(await text(socket)).toBe('');
  const { failure } = await through.seen.ended1();
  expect(failure).toMatchObject({ code: 'client.socks', message: expect.stringMatching(detail) });
});

it('the proxy itself is refused as a target', async () => {
  const through = await testEngine();
  const target = [127, 0, 0, 1, through.port >> 8, through.port & 255];
  const { read } = await conversation(through, [5, 1, 0], [5, 1, 0, 1, ...target]);
  expect([...read]).toEqual([5, 0, 5, 2, 0, 1, 0, 0, 0, 0, 0, 0]);
  expect((await through.seen.ended1()).failure?.code).toBe('tunnel.to-itself');
});

it('a client that leaves in the middle of its greeting has a row', async () => {
  const through = await testEngine();
  net.connect(through.port, '127.0.0.1').end(Buffer.from([5, 3, 0]));
  expect((await through.seen.ended1()).failure?.code).toBe('client.socks');
});
