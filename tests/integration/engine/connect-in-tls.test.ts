import { once } from 'node:events';
import type net from 'node:net';
import tls from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import { LeafCertificates } from '../../../electron/engine/tls/leaf-certificates.ts';
import { type TestEngine, testEngine } from '../../support/engine.ts';
import { listenInTest } from '../../support/listen-in-test.ts';
import { ReceivedText } from '../../support/received-text.ts';
import { testCa } from '../../support/test-ca.ts';
import { openTunnel } from '../../support/tunnel.ts';

const CONNECT = 'CONNECT inner.test:443 HTTP/1.1\r\nHost: inner.test:443\r\n\r\n';
const ESTABLISHED = 'HTTP/1.1 200 Connection established\r\n\r\n';

interface Side {
  socket: tls.TLSSocket;
  received: ReceivedText;
}

function sideOf(socket: tls.TLSSocket): Side {
  const received = new ReceivedText();
  socket.on('error', () => {});
  socket.on('data', (chunk) => received.add(chunk));
  onTestFinished(() => void socket.destroy());
  return { socket, received };
}

interface Scene {
  through: TestEngine;
  server: tls.Server;
  /** The client, inside its TLS. */
  client: Side;
  /** Its proxy, once the client's connection has arrived. */
  proxy: Side & { line: net.Socket };
}

/** A client that speaks TLS with its own proxy, and this connection goes through Roundtrip, which intercepts it. */
async function scene(settings: Parameters<typeof testEngine>[0] = {}, alpn = ['http/1.1']): Promise<Scene> {
  const { ca, remove } = await testCa();
  const leaves = new LeafCertificates({ ...ca, folder: null });
  const secureContext = leaves.contextFor('localhost');
  const server = tls.createServer({
    SNICallback: (_name, done) => done(null, secureContext),
    ALPNProtocols: alpn,
    allowHalfOpen: true,
  });
  const port = await listenInTest(server);
  onTestFinished(remove);
  const lines = once(server, 'connection');
  const arrived = once(server, 'secureConnection');
  const through = await testEngine({ upstreamCaFiles: [ca.certificatePath], ...settings });
  const raw = await openTunnel(through, `localhost:${port}`);
  raw.allowHalfOpen = true;
  const options = { socket: raw, servername: 'localhost', ca: through.caPem, ALPNProtocols: ['http/1.1'] };
  const socket = tls.connect(options);
  const client = sideOf(socket);
  await once(socket, 'secureConnect');
  const [[line], [first]] = await Promise.all([lines, arrived]);
  return { through, server, client, proxy: { ...sideOf(first), line } };
}

async function connected(): Promise<Scene> {
  const all = await scene();
  all.client.socket.write(CONNECT);
  await all.proxy.received.includes(CONNECT);
  all.proxy.socket.write(ESTABLISHED);
  await all.client.received.includes(ESTABLISHED);
  return all;
}

/** Ends both sides, the first one first, and returns the row. */
async function endedBy(first: Side, second: Side, { through }: Pick<Scene, 'through'>) {
  const ended = once(second.socket, 'end');
  first.socket.end('last');
  await ended;
  expect(second.received.all.endsWith('last')).toBe(true);
  second.socket.end('after the end');
  await first.received.includes('after the end');
  const row = await through.seen.ended1();
  expect(row).toMatchObject({ kind: 'upgrade', state: 'complete', failure: null });
  expect(row.request).toMatchObject({ method: 'CONNECT', path: 'inner.test:443' });
  await through.clientCount(0);
  return row;
}

it('bytes pass both ways after a 2xx, and the client may end its side first', async () => {
  const all = await connected();
  const { client, proxy, through } = all;
  client.socket.write('\x16\x03\x01 not HTTP');
  await proxy.received.includes('not HTTP');
  proxy.socket.write('\0\r\n\r\nHTTP/1.1 nor this');
  await client.received.includes('nor this');
  const row = await endedBy(client, proxy, all);
  expect(through.seen.body(row, 'request')).toBe('\x16\x03\x01 not HTTPlast');
  expect(through.seen.body(row, 'response')).toBe('\0\r\n\r\nHTTP/1.1 nor thisafter the end');
});

it('the proxy may end its side first', async () => {
  const all = await connected();
  await endedBy(all.proxy, all.client, all);
});

it('a client that ended its side with the CONNECT gets the response and the bytes', async () => {
  const { client, proxy, through } = await scene();
  client.socket.end(CONNECT);
  await once(proxy.socket, 'end');
  proxy.socket.end(`${ESTABLISHED}all of it`);
  await once(client.socket, 'end');
  expect(client.received.all).toBe(`${ESTABLISHED}all of it`);
  expect(await through.seen.ended1()).toMatchObject({ kind: 'upgrade', state: 'complete', failure: null });
});

it('bytes read together with the heads belong to the tunnel', async () => {
  const all = await scene();
  const { client, proxy } = all;
  client.socket.write(`${CONNECT}early question`);
  await proxy.received.includes(CONNECT);
  proxy.socket.write(`${ESTABLISHED}early answer`);
  await client.received.includes(`${ESTABLISHED}early answer`);
  await proxy.received.includes(`${CONNECT}early question`);
  await endedBy(client, proxy, all);
});

// RFC 9110, section 9.3.6
it.each(['Content-Length: 5', 'Transfer-Encoding: chunked'])('a 2xx has no body despite %j', async (field) => {
  const all = await scene();
  const { client, proxy } = all;
  const response = `HTTP/1.1 299 Fine\r\n${field}\r\n\r\nmore than five bytes`;
  client.socket.write(CONNECT);
  await proxy.received.includes(CONNECT);
  proxy.socket.write(response);
  await client.received.includes(response);
  await endedBy(client, proxy, all);
});

it('a refused CONNECT is an ordinary exchange, and the connection continues', async () => {
  const { client, proxy, through } = await scene();
  const refusal = 'HTTP/1.1 407 Login\r\nProxy-Authenticate: Basic realm=a\r\nContent-Length: 4\r\n\r\nwho?';
  client.socket.write(CONNECT);
  await proxy.received.includes(CONNECT);
  proxy.socket.write(refusal);
  await client.received.includes(refusal);
  expect(await through.seen.ended1()).toMatchObject({ kind: 'http', state: 'complete', response: { status: 407 } });
  client.socket.write(`${CONNECT}question`);
  await proxy.received.includes(`${CONNECT}${CONNECT}`);
  proxy.socket.write(ESTABLISHED);
  await proxy.received.includes(`${CONNECT}${CONNECT}question`);
  await client.received.includes(`${refusal}${ESTABLISHED}`);
});

it('a reset of one connection resets the other', async () => {
  const { client, proxy, through } = await connected();
  const broken = once(client.socket, 'close');
  proxy.line.resetAndDestroy();
  await expect(broken).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(await through.seen.ended1()).toMatchObject({ kind: 'upgrade', failure: { code: 'upstream.reset' } });
  await through.clientCount(0);
});

it('a CONNECT goes upstream as HTTP/1.1 even if other requests go there as HTTP/2', async () => {
  const { client, proxy, server, through } = await scene({ http2Client: false }, ['h2', 'http/1.1']);
  expect(proxy.socket.alpnProtocol).toBe('h2');
  const another = once(server, 'secureConnection');
  client.socket.write(CONNECT);
  const [socket] = await another;
  const second = sideOf(socket);
  await second.received.includes(CONNECT);
  socket.write(ESTABLISHED);
  await client.received.includes(ESTABLISHED);
  await endedBy(client, second, { through });
});
