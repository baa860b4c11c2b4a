import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http2 from 'node:http2';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { DEFAULT_SETTINGS, type HostOverride, NO_OVERRIDE } from '../../../shared/model/settings.ts';
import { curl } from '../../support/curl.ts';
import { testEngine } from '../../support/engine.ts';
import { listenInTest } from '../../support/listen-in-test.ts';
import { type MadeCertificate, makeCertificate } from '../../support/openssl-certificates.ts';

const CA = ['basicConstraints=critical,CA:TRUE', 'keyUsage=critical,keyCertSign', 'subjectKeyIdentifier=hash'];

let folder = '';
let root: MadeCertificate;
let served: MadeCertificate;
/** PEM files with a certificate and its key: from a CA that the server trusts, and from one that it does not. */
let ours = '';
let foreign = '';

function together(name: string, made: MadeCertificate): string {
  const file = path.join(folder, `${name}-both.pem`);
  fs.writeFileSync(file, fs.readFileSync(made.key, 'utf8') + fs.readFileSync(made.certificate, 'utf8'));
  return file;
}

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-test-client-certificate-'));
  root = makeCertificate(folder, 'root', { commonName: 'Test Root', extensions: CA });
  served = makeCertificate(folder, 'served', { issuer: root, extensions: ['subjectAltName=DNS:localhost'] });
  ours = together('ours', makeCertificate(folder, 'ours', { commonName: 'me', issuer: root }));
  const stranger = makeCertificate(folder, 'stranger', { commonName: 'Stranger', extensions: CA });
  foreign = together('foreign', makeCertificate(folder, 'foreign', { commonName: 'me too', issuer: stranger }));
});

afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

async function demanding(version: 'TLSv1.2' | 'TLSv1.3'): Promise<number> {
  const server = http2.createSecureServer(
    {
      cert: fs.readFileSync(served.certificate),
      key: fs.readFileSync(served.key),
      ca: fs.readFileSync(root.certificate),
      requestCert: true,
      rejectUnauthorized: true,
      allowHTTP1: true,
      minVersion: version,
      maxVersion: version,
    },
    (request, response) => {
      const peer = (
        request.socket as unknown as { getPeerCertificate(): { subject?: { CN?: string } } }
      ).getPeerCertificate();
      response.end(`hello ${peer.subject?.CN}`);
    },
  );
  server.on('sessionError', () => {});
  return await listenInTest(server);
}

/** OpenSSL's own server, which rejects a certificate with an alert; Node's closes silently. */
async function strict(version: 'TLSv1.2' | 'TLSv1.3', alpn: string): Promise<number> {
  const files = ['-cert', served.certificate, '-key', served.key, '-CAfile', root.certificate];
  const demands = [
    '-Verify',
    '1',
    '-verify_return_error',
    version === 'TLSv1.2' ? '-tls1_2' : '-tls1_3',
    '-alpn',
    alpn,
  ];
  const server = spawn('openssl', ['s_server', '-accept', '127.0.0.1:0', ...files, ...demands, '-www']);
  onTestFinished(() => void server.kill());
  let said = '';
  for (;;) {
    const [piece] = (await once(server.stdout, 'data')) as [Buffer];
    said += piece.toString();
    const port = /ACCEPT \S*?:(\d+)/.exec(said)?.[1];
    if (port !== undefined) return Number(port);
  }
}

function shown(clientCertificate: string): HostOverride[] {
  return [{ ...NO_OVERRIDE, host: 'local*', clientCertificate }];
}

const KINDS = [
  ['TLSv1.2', '--http1.1'],
  ['TLSv1.2', '--http2'],
  ['TLSv1.3', '--http1.1'],
  ['TLSv1.3', '--http2'],
] as const;

describe.each(KINDS)('a server that demands a client certificate, %s, %s', (version, protocol) => {
  async function ask(clientCertificate: string | null, at = demanding(version)) {
    const port = await at;
    const hostOverrides = clientCertificate === null ? DEFAULT_SETTINGS.hostOverrides : shown(clientCertificate);
    const through = await testEngine({ upstreamCaFiles: [root.certificate], hostOverrides });
    const result = await curl(through, protocol, `https://localhost:${port}/`);
    return { result, exchange: await through.seen.ended1() };
  }

  it('gets the certificate that is set for its host', async () => {
    const { result, exchange } = await ask(ours);
    expect(result.stdout).toBe('hello me');
    expect(exchange.state).toBe('complete');
  });

  it('fails immediately with its own code if none is set', async () => {
    const { result, exchange } = await ask(null);
    expect(result.exitCode).not.toBe(0);
    expect(result.exitCode).not.toBe(28);
    expect(exchange.failure?.code).toBe('upstream.client-certificate-required');
  });

  it('fails with another code if the certificate is not accepted', async () => {
    const { exchange } = await ask(foreign, strict(version, protocol === '--http2' ? 'h2' : 'http/1.1'));
    expect(exchange.failure?.code).toBe('upstream.client-certificate-rejected');
  });

  it("explains why a file can't be used", async () => {
    const { exchange } = await ask(served.certificate);
    expect(exchange.failure).toMatchObject({
      code: 'settings.invalid',
      message: expect.stringContaining('no private key'),
    });
  });
});
