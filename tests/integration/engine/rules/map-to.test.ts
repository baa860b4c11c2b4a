import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import tls from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LeafCertificates } from '../../../../electron/engine/tls/leaf-certificates.ts';
import { curl } from '../../../support/curl.ts';
import { pairOrigin, type Received, type Respond } from '../../../support/pair-origin.ts';
import { PROTOCOL_PAIRS } from '../../../support/protocol-pairs.ts';
import { type GivenRule, ruleScene } from '../../../support/rule-scene.ts';
import { testCa } from '../../../support/test-ca.ts';

const respond: Respond = (response, { method, path, body }) => {
  response.writeHead(200, { trailer: 'x-sum' });
  response.write(`${method} ${path} ${body}`);
  response.addTrailers({ 'x-sum': '1' });
  response.end();
};

/** An HTTP/1.1 server at an address, with or without TLS. */
async function addressOrigin(address: string, scheme: 'http' | 'https') {
  const { ca, remove } = await testCa();
  const leaves = new LeafCertificates({ ...ca, folder: null });
  const received: Pick<Received, 'method' | 'path' | 'headers' | 'trailers'>[] = [];
  const server = http.createServer((request, response) => {
    const { method = '', url: path = '', headers } = request;
    const pieces: Buffer[] = [];
    request
      .on('data', (piece: Buffer) => pieces.push(piece))
      .on('end', () => {
        const one = { method, path, headers, version: '1.1', body: Buffer.concat(pieces), trailers: request.trailers };
        received.push(one);
        respond(response, one);
      });
  });
  const sockets = new Set<net.Socket>();
  const listener = net.createServer((socket) => {
    sockets.add(socket);
    // A client names no address in its ClientHello (RFC 6066, section 3): the certificate is given.
    const secure = () => new tls.TLSSocket(socket, { isServer: true, secureContext: leaves.contextFor(address) });
    server.emit('connection', scheme === 'https' ? secure() : socket);
  });
  listener.listen(0, address);
  await once(listener, 'listening');
  onTestFinished(() => {
    listener.close();
    for (const socket of sockets) socket.destroy();
    remove();
  });
  return { port: (listener.address() as AddressInfo).port, caPath: ca.certificatePath, received };
}

type Headers = Received['headers'];
/** The request's stated target, in either protocol. */
const namedIn = (headers: Headers | undefined) => headers?.[':authority'] ?? headers?.host;

describe.each(PROTOCOL_PAIRS)('mapTo, $client client, $upstream upstream', (pair) => {
  const start = async (caPath: string, ...rules: GivenRule[]) => {
    const scene = await ruleScene(pair, respond, ...rules);
    scene.apply({ ...pair.settings, upstreamCaFiles: [scene.origin.caPath, caPath] });
    return scene;
  };
  const sent = { method: 'POST', body: 'cat', headers: { 'x-a': 'b' }, trailers: { 'x-up': '2' } };
  const replacePath = [{ find: '^/v(\\d)', with: '/$1/new', regex: true }];
  const whole = { status: 200, isWhole: true, body: Buffer.from('POST /1/new?q cat'), trailers: { 'x-sum': '1' } };

  it.each([{ keepHost: false }, { keepHost: true }])('another port, the same protocol: %o', async ({ keepHost }) => {
    const other = await pairOrigin(respond);
    const to = { host: 'localhost', port: other.port, replacePath, keepHost };
    const { ask, origin, ended } = await start(other.caPath, { do: [{ mapTo: to }] });
    expect(await ask('/v1?q', sent)).toMatchObject(whole);
    const [received] = other.received;
    expect(received).toMatchObject({ headers: { 'x-a': 'b' }, trailers: { 'x-up': '2' } });
    expect(namedIn(received?.headers)).toBe(`localhost:${keepHost ? origin.port : other.port}`);
    expect(origin.received).toEqual([]);
    expect(await ended()).toMatchObject({
      ...{ state: 'complete', request: { path: '/v1?q', port: origin.port } },
      sent: { scheme: 'https', host: 'localhost', port: other.port, path: '/1/new?q' },
    });
  });

  const ADDRESSES = (['http', 'https'] as const).flatMap((scheme) =>
    ['127.0.0.1', '::1'].flatMap((host) => [true, false].map((keepHost) => ({ scheme, host, keepHost }) as const)),
  );
  it.each(ADDRESSES)('an address, $scheme, $host, Host kept: $keepHost', async ({ scheme, host, keepHost }) => {
    const other = await addressOrigin(host, scheme);
    const to = { scheme, host, port: other.port, replacePath, keepHost };
    const { ask, origin, seen } = await start(other.caPath, { do: [{ mapTo: to }] });
    expect(await ask('/v1?q', sent)).toMatchObject(whole);
    const [received] = other.received;
    expect(received).toMatchObject({ headers: { 'x-a': 'b' }, trailers: { 'x-up': '2' } });
    const name = host === '::1' ? '[::1]' : host;
    expect(received?.headers.host).toBe(keepHost ? `localhost:${origin.port}` : `${name}:${other.port}`);
    expect(origin.received).toEqual([]);
    expect(await seen.ended1()).toMatchObject({
      ...{ state: 'complete', failure: null, upstream: { protocol: 'http/1.1' } },
      sent: { scheme, host, port: other.port },
    });
  });

  const PLAIN = [
    { client: 'HTTP/1.1, to the proxy', args: ['--http1.1'] },
    { client: 'HTTP/1.1, in a tunnel', args: ['--http1.1', '--proxytunnel'] },
    { client: 'HTTP/2, in a tunnel', args: ['--http2-prior-knowledge', '--proxytunnel'] },
  ].flatMap((each) => [true, false].map((keepHost) => ({ ...each, keepHost })));
  it.each(PLAIN)('http to https, a client of $client, Host kept: $keepHost', async ({ args, keepHost }) => {
    const other = await pairOrigin(respond);
    const to = { scheme: 'https', host: 'localhost', port: other.port, replacePath, keepHost };
    const through = await start(other.caPath, { do: [{ mapTo: to }] });
    const got = await curl(through, ...args, '-d', 'cat', 'http://app.test:81/v1?q');
    expect(got).toMatchObject({ exitCode: 0, stdout: 'POST /1/new?q cat' });
    const [received] = other.received;
    expect(namedIn(received?.headers)).toBe(keepHost ? 'app.test:81' : `localhost:${other.port}`);
    expect(await through.seen.ended1()).toMatchObject({ state: 'complete', failure: null, sent: { scheme: 'https' } });
  });
});
