import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import tls from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { upstreamTlsOptions } from '../../../../../../electron/engine/upstream/trust/server-trust.ts';
import {
  rememberPeer,
  upstreamAlertFailure,
  upstreamTlsFailure,
} from '../../../../../../electron/engine/upstream/trust/server-trust-failure.ts';
import type { Failure } from '../../../../../../shared/model/failure.ts';
import { listenInTest } from '../../../../../support/listen-in-test.ts';
import {
  type CertificateOptions,
  type MadeCertificate,
  makeCertificate,
} from '../../../../../support/openssl-certificates.ts';
import { temporaryFolder } from '../../../../../support/temporary-folder.ts';

const CA = ['basicConstraints=critical,CA:TRUE', 'keyUsage=critical,keyCertSign', 'subjectKeyIdentifier=hash'];
const NAMED = 'subjectAltName=DNS:a.test';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-test-upstream-'));
let root: MadeCertificate;
let good: MadeCertificate;

beforeAll(() => {
  root = makeCertificate(folder, 'root', { commonName: 'Test Root', extensions: CA });
  good = leaf('good');
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

function leaf(name: string, options: CertificateOptions = {}): MadeCertificate {
  return makeCertificate(folder, name, { issuer: root, extensions: [NAMED], ...options });
}

/** A real server, OpenSSL's own: Node would not serve most of these. Gives its port. */
async function serve(made: MadeCertificate, ...flags: string[]): Promise<number> {
  const files = ['-cert', made.certificate, '-key', made.key];
  const server: ChildProcess = spawn('openssl', [
    's_server',
    '-accept',
    '127.0.0.1:0',
    ...files,
    '-cipher',
    'ALL:@SECLEVEL=0',
    ...flags,
  ]);
  onTestFinished(() => void server.kill());
  let said = '';
  for (;;) {
    const [piece] = (await once(server.stdout ?? server, 'data')) as [Buffer];
    said += piece.toString();
    const port = /ACCEPT \S*?:(\d+)/.exec(said)?.[1];
    if (port !== undefined) return Number(port);
  }
}

/** The result of connecting as the engine does: the failure, or null if the server was accepted. */
async function verdictOn(
  port: number,
  insecureUpstream = false,
  options: tls.ConnectionOptions = {},
): Promise<Failure | null> {
  const trust = upstreamTlsOptions({ upstreamCaFiles: [root.certificate], insecureUpstream });
  const socket = tls.connect({ host: '127.0.0.1', port, servername: 'a.test', ...trust, ...options });
  rememberPeer(socket);
  onTestFinished(() => void socket.destroy());
  return new Promise((resolve) => {
    const about = { host: 'a.test', address: 'a.test:443', socket };
    socket.once('error', (error) => resolve(upstreamTlsFailure(error, about)));
    socket.once('secureConnect', () => resolve(null));
  });
}

const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

describe('a server certificate', () => {
  it('is accepted if it is valid', async () => {
    expect(await verdictOn(await serve(good))).toBeNull();
  });

  it.each<[what: string, options: CertificateOptions, code: string, says: () => string]>([
    ['expired', { from: -9, until: -1 }, 'upstream.certificate-expired', () => `expired on ${day(-1)}`],
    ['not yet valid', { from: 1, until: 9 }, 'upstream.certificate-not-yet-valid', () => `before ${day(1)}`],
    [
      'for another host',
      { extensions: ['subjectAltName=DNS:b.test'] },
      'upstream.certificate-wrong-host',
      () => 'DNS:b.test',
    ],
    [
      'without names',
      { extensions: ['basicConstraints=CA:FALSE'] },
      'upstream.certificate-wrong-host',
      () => 'no subject alternative name',
    ],
    ['signed with SHA-1', { digest: 'sha1' }, 'upstream.certificate-weak', () => 'SHA-1'],
    ['of RSA-1024', { key: 'rsa:1024' }, 'upstream.certificate-weak', () => 'too short'],
    [
      'for clients',
      { extensions: [NAMED, 'extendedKeyUsage=clientAuth'] },
      'upstream.certificate-wrong-purpose',
      () => 'its extended key usage does not include servers',
    ],
    [
      'for signing other certificates only',
      { extensions: [NAMED, 'keyUsage=critical,keyCertSign'] },
      'upstream.certificate-wrong-purpose',
      () => 'its key usage does not include TLS',
    ],
  ])('is refused where it is %s, and accepted where the user accepts any', async (what, options, code, says) => {
    const port = await serve(leaf(what.replaceAll(' ', '-'), options));
    const verdict = await verdictOn(port);
    expect(verdict).toMatchObject({ code, side: 'upstream', message: expect.stringContaining(says()) });
    expect(await verdictOn(port, true)).toBeNull();
  });

  it('is refused if it is self-signed', async () => {
    const made = makeCertificate(folder, 'self', { extensions: [NAMED] });
    const verdict = await verdictOn(await serve(made));
    expect(verdict).toMatchObject({
      code: 'upstream.certificate-self-signed',
      message: expect.stringContaining('CN=a.test'),
    });
  });

  it('is refused if its issuer is unknown, which is named', async () => {
    const stranger = makeCertificate(folder, 'stranger', { commonName: 'Stranger', extensions: CA });
    const verdict = await verdictOn(await serve(leaf('foreign', { issuer: stranger })));
    expect(verdict).toMatchObject({
      code: 'upstream.certificate-unknown-issuer',
      message: expect.stringContaining('Stranger'),
    });
  });

  it('is refused if its intermediate is missing, and accepted with it', async () => {
    const middle = makeCertificate(folder, 'middle', { commonName: 'Middle', issuer: root, extensions: CA });
    const made = leaf('below', { issuer: middle });
    const verdict = await verdictOn(await serve(made));
    expect(verdict).toMatchObject({
      code: 'upstream.certificate-unknown-issuer',
      message: expect.stringContaining('Middle'),
    });
    expect(await verdictOn(await serve(made, '-cert_chain', middle.certificate))).toBeNull();
  });
});

describe('a server certificate from an issuer that may not issue it', () => {
  const issuedBy = (name: string, extensions: string[]) => {
    const middle = makeCertificate(folder, name, { commonName: `Middle ${name}`, issuer: root, extensions });
    return { middle, made: leaf(`below-${name}`, { issuer: middle }) };
  };

  it.each([
    ['ordinary', [NAMED]],
    ['ca-false', ['basicConstraints=critical,CA:FALSE']],
    ['not-signing', ['basicConstraints=critical,CA:TRUE', 'keyUsage=critical,digitalSignature']],
  ])('is refused as that, and the issuer is named: %s', async (name, extensions) => {
    const { middle, made } = issuedBy(name, extensions);
    const verdict = await verdictOn(await serve(made, '-cert_chain', middle.certificate));
    expect(verdict).toMatchObject({
      code: 'upstream.certificate-issuer-not-ca',
      message: expect.stringContaining(`was issued by Middle ${name}, whose own certificate is not a CA certificate`),
    });
  });

  it('also where the server does not send it and this machine trusts it', async () => {
    const { middle, made } = issuedBy('trusted', [NAMED]);
    const files = [root.certificate, middle.certificate];
    const trust = upstreamTlsOptions({ upstreamCaFiles: files, insecureUpstream: false });
    const verdict = await verdictOn(await serve(made), false, trust);
    expect(verdict).toMatchObject({
      code: 'upstream.certificate-issuer-not-ca',
      message: expect.stringContaining('Middle trusted'),
    });
  });

  it('is refused where the issuer is a CA for clients only', async () => {
    const { middle, made } = issuedBy('clients', [...CA, 'extendedKeyUsage=clientAuth']);
    const verdict = await verdictOn(await serve(made, '-cert_chain', middle.certificate));
    expect(verdict).toMatchObject({
      code: 'upstream.certificate-wrong-purpose',
      message: expect.stringContaining('the extended key usage of its issuer Middle clients does not include servers'),
    });
  });

  it('is not a failed handshake if OpenSSL has a reason without a name in Node', async () => {
    const constraints = [...CA, 'nameConstraints=critical,permitted;DNS:b.test'];
    const { middle, made } = issuedBy('constrained', constraints);
    const verdict = await verdictOn(await serve(made, '-cert_chain', middle.certificate));
    expect(verdict).toMatchObject({
      code: 'upstream.certificate-invalid',
      message: expect.stringContaining('subtree violation'),
    });
  });
});

describe('a handshake', () => {
  it('fails with its own code if the server speaks only TLS 1.1', async () => {
    const verdict = await verdictOn(await serve(good, '-tls1_1'));
    expect(verdict).toMatchObject({
      code: 'upstream.tls-handshake',
      message: expect.stringContaining('TLS 1.2 or later'),
    });
  });

  it('fails with its own code if the server demands a client certificate (TLS 1.2)', async () => {
    const verdict = await verdictOn(await serve(good, '-Verify', '1', '-tls1_2'));
    expect(verdict?.code).toBe('upstream.client-certificate-required');
  });

  it('completes before TLS 1.3 demands one: the first read fails', async () => {
    const trust = upstreamTlsOptions({ upstreamCaFiles: [root.certificate], insecureUpstream: false });
    const socket = tls.connect({
      host: '127.0.0.1',
      port: await serve(good, '-Verify', '1'),
      servername: 'a.test',
      ...trust,
    });
    await once(socket, 'secureConnect');
    const error = await new Promise((resolve) => socket.once('error', resolve));
    const failure = upstreamAlertFailure(error, { host: 'a.test', address: 'a.test:443', socket });
    expect(failure?.code).toBe('upstream.client-certificate-required');
  });

  it('is not blamed on a client certificate if no cipher suite is shared', async () => {
    const port = await serve(good, '-tls1_2', '-cipher', 'AES128-SHA256');
    const ciphers = tls.createSecureContext({ ciphers: 'ECDHE-RSA-AES256-GCM-SHA384' });
    const verdict = await verdictOn(port, true, { secureContext: ciphers });
    expect(verdict).toMatchObject({
      code: 'upstream.tls-handshake',
      message: expect.stringContaining('cipher suites'),
    });
  });

  it.each<[what: string, serve: (socket: net.Socket) => void, says: string]>([
    ['answers in plain text', (socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'), 'other than TLS'],
    ['closes', (socket) => void socket.end(), 'closed the connection'],
    ['resets', (socket) => void socket.resetAndDestroy(), 'closed the connection'],
  ])('fails with its own code if the server %s', async (_, respond, says) => {
    const server = net.createServer((socket) => {
      socket.on('error', () => socket.destroy());
      socket.once('data', () => respond(socket));
    });
    const port = await listenInTest(server);
    const verdict = await verdictOn(port);
    expect(verdict).toMatchObject({ code: 'upstream.tls-handshake', message: expect.stringContaining(says) });
  });
});

describe('upstreamTlsOptions', () => {
  it.each([
    ['is missing', () => '/nonexistent/ca.pem'],
    [
      'holds no certificate',
      () => {
        const file = path.join(temporaryFolder(), 'empty.pem');
        fs.writeFileSync(file, 'nothing');
        return file;
      },
    ],
    [
      'holds a damaged one',
      () => {
        const file = path.join(temporaryFolder(), 'damaged.pem');
        fs.writeFileSync(file, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
        return file;
      },
    ],
  ])('names a CA file that %s', (_, make) => {
    const file = make();
    const build = () => upstreamTlsOptions({ upstreamCaFiles: [file], insecureUpstream: false });
    expect(build).toThrow(
      expect.objectContaining({ code: 'settings.invalid', message: expect.stringContaining(file) }),
    );
  });
});

describe('upstreamAlertFailure', () => {
  it('is silent about errors that are not TLS', () => {
    const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    expect(upstreamAlertFailure(reset, { host: 'a.test', address: 'a.test:443' })).toBeNull();
  });
});
