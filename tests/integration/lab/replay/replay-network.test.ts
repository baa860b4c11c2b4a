import { once } from 'node:events';
import http2 from 'node:http2';
import https from 'node:https';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openCertificateAuthority } from '../../../../electron/engine/ca/certificate-authority.ts';
import type { RecordedResponse } from '../../../../electron/lab/page/recorded-page.ts';
import { ReplayNetwork } from '../../../../electron/lab/replay/replay-network.ts';
import { VARIANTS } from '../../../../electron/lab/variants.ts';
import type { LabVariant } from '../../../../shared/model/lab/lab-result.ts';
import { responseOf } from '../../../support/http2-client.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const HOST = 'shop.test';
const SIZE = 20_000;
const BODY = Buffer.alloc(SIZE, 'x');

function recorded(id: number, path: string, of: Partial<RecordedResponse> = {}): RecordedResponse {
  return {
    ...{ id, method: 'GET', scheme: 'https', host: HOST, port: 443, path, status: 200, statusText: 'OK' },
    ...{ headers: ['content-type', 'image/png'], size: SIZE, serverTime: 0, revalidationTime: 0, ...of },
  };
}

/** Serves the responses as a variant requires; returns the port of their origin. */
async function serve(responses: RecordedResponse[], variant: LabVariant): Promise<number> {
  const page = { number: 1, url: `https://${HOST}/`, origin: `${HOST}:443`, documentId: 1, startedAt: 0, responses };
  const authority = await openCertificateAuthority(temporaryFolder());
  const network = await ReplayNetwork.open({ ...page, wasHttp2: true, notes: [] }, () => [BODY], authority);
  onTestFinished(() => network.close());
  network.begin(VARIANTS[variant], variant !== 'http1' && variant !== 'no-keep-alive', { rtt: 0, bandwidth: 0 });
  return Number(/127\.0\.0\.1:(\d+)/.exec(network.resolverRules)?.[1]);
}

async function overHttp1(port: number, path: string, headers: Record<string, string> = {}, method = 'GET') {
  const request = https.request({ port, path, method, servername: HOST, rejectUnauthorized: false, headers });
  request.end();
  const [response] = await once(request, 'response');
  const body = Buffer.concat(await response.toArray());
  return { status: response.statusCode, message: response.statusMessage, headers: response.headers, body };
}

async function overHttp2(port: number): Promise<http2.ClientHttp2Session> {
  const client = http2.connect(`https://127.0.0.1:${port}`, { servername: HOST, rejectUnauthorized: false });
  onTestFinished(() => client.destroy());
  await once(client, 'connect');
  return client;
}

describe('a replay origin', () => {
  it('gives the recorded head and body over HTTP/1.1', async () => {
    const headers = ['content-type', 'image/png', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'x-bad', 'caf\u00e9\u4e2d'];
    const port = await serve([recorded(1, '/', { headers, statusText: 'Fine' })], 'http1');
    const response = await overHttp1(port, '/');
    expect(response).toMatchObject({ status: 200, message: 'Fine', body: BODY });
    expect(response.headers).toMatchObject({ 'set-cookie': ['a=1', 'b=2'], 'content-length': '20000' });
    expect(response.headers).not.toHaveProperty('x-bad');
  });

  it('gives the recorded head and body over HTTP/2', async () => {
    const headers = ['content-type', 'image/png', 'set-cookie', 'a=1', 'set-cookie', 'b=2'];
    const client = await overHttp2(await serve([recorded(1, '/', { headers })], 'http2'));
    const { headers: fields, body } = await responseOf(client.request({ ':path': '/', ':authority': HOST }));
    expect(fields).toMatchObject({ ':status': 200, 'set-cookie': ['a=1', 'b=2'], 'content-length': '20000' });
    expect(body).toHaveLength(SIZE);
  });

  it('answers HEAD and reads the body of a POST', async () => {
    const client = await overHttp2(await serve([recorded(1, '/'), recorded(2, '/buy', { method: 'POST' })], 'http2'));
    const head = await responseOf(client.request({ ':path': '/', ':method': 'HEAD' }));
    expect([head.headers[':status'], head.body]).toEqual([200, '']);
    const post = client.request({ ':path': '/buy', ':method': 'POST' });
    post.end(Buffer.alloc(200_000));
    expect((await responseOf(post)).body).toHaveLength(SIZE);
  });

  it('answers 1,000 requests that come at once, whatever is waiting to be sent', async () => {
    const responses = Array.from({ length: 1000 }, (_none, index) => recorded(index + 1, `/${index}`));
    const client = await overHttp2(await serve(responses, 'http2'));
    const streams = responses.map(({ path }) => client.request({ ':path': path }));
    // Nothing is read until all responses have begun: they fill the server's memory.
    await Promise.all(streams.map((stream) => once(stream, 'response')));
    const resets = await Promise.all(streams.map(async (stream) => (await responseOf(stream)).reset));
    expect(resets.filter((code) => code !== 0)).toEqual([]);
  });

  it.each(['http1', 'http2'] as const)('has no body in a 304 over %s', async (protocol) => {
    const port = await serve([recorded(1, '/'), recorded(7, '/a.png')], 'not-modified');
    if (protocol === 'http1') {
      const response = await overHttp1(port, '/a.png', { 'if-none-match': '"7"' });
      expect(response).toMatchObject({ status: 304, body: Buffer.alloc(0), headers: { etag: '"7"' } });
      expect(await overHttp1(port, '/a.png', { 'if-none-match': '"8"' })).toMatchObject({ status: 200, body: BODY });
      return;
    }
    const client = await overHttp2(port);
    const { headers, body } = await responseOf(client.request({ ':path': '/a.png', 'if-none-match': '"7"' }));
    expect(headers).toMatchObject({ ':status': 304, etag: '"7"' });
    expect([headers['content-length'], body]).toEqual([undefined, '']);
  });

  it('ends each connection where keep-alive is off', async () => {
    const port = await serve([recorded(1, '/')], 'no-keep-alive');
    expect((await overHttp1(port, '/')).headers).toMatchObject({ connection: 'close' });
  });

  it('asks for TLS in URLs of cleartext HTTP only on a page that has any', async () => {
    const page = recorded(1, '/', { headers: ['content-type', 'text/html'] });
    const document = { 'sec-fetch-dest': 'document' };
    const secure = await overHttp1(await serve([page], 'http1'), '/', document);
    expect(secure.headers).not.toHaveProperty('content-security-policy');
    const mixed = await serve([page, recorded(2, '/a.png', { scheme: 'http', port: 80 })], 'http1');
    const policy = { 'content-security-policy': 'upgrade-insecure-requests' };
    expect((await overHttp1(mixed, '/', document)).headers).toMatchObject(policy);
  });
});
