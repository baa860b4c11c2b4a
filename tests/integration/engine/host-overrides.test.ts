import fs from 'node:fs';
import https from 'node:https';
import { describe, expect, it } from 'vitest';
import { type HostOverride, NO_OVERRIDE } from '../../../shared/model/settings.ts';
import { curl } from '../../support/curl.ts';
import { testEngine } from '../../support/engine.ts';
import { httpsOrigin } from '../../support/https-origin.ts';
import { listenInTest } from '../../support/listen-in-test.ts';
import { makeCertificate } from '../../support/openssl-certificates.ts';
import { HAS, tinyproxy } from '../../support/real-proxies.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const rules = (host: string, change: Partial<HostOverride>): HostOverride => ({ ...NO_OVERRIDE, host, ...change });

describe('rules of single hosts', () => {
  it('connect to another address than DNS gives, with another SNI', async () => {
    const origin = await httpsOrigin((_request, response) => response.end('found'));
    const { port } = new URL(origin.url);
    const engine = await testEngine({
      upstreamCaFiles: [origin.caPath],
      hostOverrides: [rules('*.nowhere.invalid', { address: '127.0.0.1', serverName: 'inside.test' })],
    });
    expect((await curl(engine, `https://api.nowhere.invalid:${port}/x`)).stdout).toBe('found');
    const exchange = await engine.seen.ended1();
    expect(exchange.request.authority).toBe(`api.nowhere.invalid:${port}`);
    expect(exchange.upstream?.tls?.serverName).toBe('inside.test');
    expect(exchange.route?.override).toBe('*.nowhere.invalid: connected to 127.0.0.1, SNI inside.test');
  });

  it('accept any certificate there, and only there', async () => {
    const origin = await httpsOrigin();
    const { port } = new URL(origin.url);
    const engine = await testEngine({ hostOverrides: [rules('localhost', { skipVerification: true })] });
    expect((await curl(engine, origin.url)).stdout).toBe('hello');
    await curl(engine, `https://127.0.0.1:${port}/`);
    const other = await engine.seen.ended1((each) => each.id === 2);
    expect(other.failure?.side).toBe('upstream');
    expect(other.route?.override).toBeNull();
    engine.apply({ hostOverrides: [] });
    await curl(engine, origin.url);
    expect((await engine.seen.ended1((each) => each.id === 3)).failure?.side).toBe('upstream');
  });

  it('demand a newer TLS than the host speaks, or allow an older one', async () => {
    const made = makeCertificate(temporaryFolder(), 'old', { commonName: 'roundtrip test old' });
    const [key, cert] = [fs.readFileSync(made.key), fs.readFileSync(made.certificate)];
    const serve = async (maxVersion: 'TLSv1.2' | 'TLSv1.1'): Promise<number> => {
      const old = maxVersion === 'TLSv1.1';
      const versions = { maxVersion, minVersion: 'TLSv1.1' as const, ...(old && { ciphers: 'DEFAULT@SECLEVEL=0' }) };
      const server = https.createServer({ key, cert, ...versions }, (_request, response) => response.end('old'));
      return await listenInTest(server);
    };
    const [ports12, ports11] = [await serve('TLSv1.2'), await serve('TLSv1.1')];
    const lenient = { skipVerification: true };
    const engine = await testEngine({ hostOverrides: [rules('localhost', { ...lenient, minTls: 'TLSv1.3' })] });
    await curl(engine, `https://localhost:${ports12}/`);
    expect((await engine.seen.ended1()).failure?.code).toBe('upstream.tls-handshake');
    engine.apply({ hostOverrides: [rules('localhost', lenient)] });
    await curl(engine, `https://localhost:${ports11}/`);
    expect((await engine.seen.ended1((each) => each.id === 2)).failure?.code).toBe('upstream.tls-handshake');
    engine.apply({ hostOverrides: [rules('localhost', { ...lenient, minTls: 'TLSv1.1' })] });
    expect((await curl(engine, `https://localhost:${ports11}/`)).stdout).toBe('old');
  });

  it.skipIf(!HAS.tinyproxy)('go through their own proxy, or through none', async () => {
    const proxy = `http://127.0.0.1:${await tinyproxy(null)}`;
    const origin = await httpsOrigin();
    const { port } = new URL(origin.url);
    const engine = await testEngine({
      upstreamCaFiles: [origin.caPath],
      hostOverrides: [rules('localhost', { proxy })],
    });
    await curl(engine, origin.url);
    engine.apply({
      upstreamCaFiles: [origin.caPath],
      upstreamProxy: { enabled: true, url: proxy },
      hostOverrides: [rules('nowhere.invalid', { proxy: 'direct', address: '127.0.0.1' })],
    });
    await curl(engine, '-k', `https://nowhere.invalid:${port}/`);
    await engine.seen.ended1((each) => each.id === 2);
    expect(engine.seen.all.map((each) => [each.upstream?.via, each.route?.reason])).toEqual([
      [proxy, 'the host rule localhost sets it'],
      [null, 'the host rule nowhere.invalid uses no proxy'],
    ]);
  });
});
