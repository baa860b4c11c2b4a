import { X509Certificate } from 'node:crypto';
import http from 'node:http';
import { describe, expect, it } from 'vitest';
import { type TestEngine, testEngine } from '../../support/engine.ts';

interface Got {
  status: number | undefined;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

/** As a device requests it: the proxy's own address, with no proxy set. */
function get({ port }: TestEngine, path: string, headers: http.OutgoingHttpHeaders = {}): Promise<Got> {
  return new Promise((resolve, reject) => {
    http
      .get({ host: '127.0.0.1', port, path, headers }, async (response) => {
        const pieces: Buffer[] = [];
        for await (const piece of response) pieces.push(piece);
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(pieces) });
      })
      .on('error', reject);
  });
}

describe('the page for devices', () => {
  it('is at the address of a proxy that is open to the network, with the certificate in both forms', async () => {
    const engine = await testEngine({}, {}, { host: '0.0.0.0' });
    const page = await get(engine, '/');
    expect(page.status).toBe(200);
    expect(page.body.toString()).toContain('Connect this device');
    expect(page.body.toString()).toContain(`port <code>${engine.port}</code>`);
    const certificate = await get(engine, '/roundtrip-ca.crt');
    expect(certificate.headers['content-type']).toBe('application/x-x509-ca-cert');
    const wanted = new X509Certificate(engine.caPem).fingerprint256;
    expect(new X509Certificate(certificate.body).fingerprint256).toBe(wanted);
    const profile = await get(engine, '/roundtrip-ca.mobileconfig');
    expect(profile.headers['content-type']).toBe('application/x-apple-aspen-config');
    const der = /<data>([^<]+)<\/data>/.exec(profile.body.toString())?.[1] ?? '';
    expect(new X509Certificate(Buffer.from(der, 'base64')).fingerprint256).toBe(wanted);
    expect((await get(engine, '/ca.key')).status).toBe(404);
    expect(engine.seen.all).toEqual([]);
  });

  it('is served to a device that already has the proxy set', async () => {
    const engine = await testEngine({}, {}, { host: '0.0.0.0' });
    const page = await get(engine, `http://127.0.0.1:${engine.port}/`);
    expect(page.body.toString()).toContain('Connect this device');
  });

  it('is not served while only this machine reaches the proxy', async () => {
    const engine = await testEngine();
    expect((await get(engine, '/')).status).toBe(400);
  });
});
