import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import tls from 'node:tls';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type CertificateAuthority,
  openCertificateAuthority,
} from '../../../../../electron/engine/ca/certificate-authority.ts';
import { LeafCertificates } from '../../../../../electron/engine/tls/leaf-certificates.ts';
import { listenInTest } from '../../../../support/listen-in-test.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

/** Serves contexts as the engine does: on an accepted socket, without a TLS server. */
async function serve(contextFor: () => tls.SecureContext): Promise<number> {
  const server = net.createServer((socket) => {
    const secured = new tls.TLSSocket(socket, { isServer: true, secureContext: contextFor() });
    secured.on('error', () => socket.destroy());
    secured.end('hello');
  });
  return await listenInTest(server);
}

interface Handshake {
  certificate: tls.PeerCertificate;
  issuer: string;
  resumed: boolean;
  session: Buffer | undefined;
}

async function handshake(options: tls.ConnectionOptions): Promise<Handshake> {
  const socket = tls.connect({ host: '127.0.0.1', ...options });
  let session: Buffer | undefined;
  socket.on('session', (ticket: Buffer) => {
    session = ticket;
  });
  await once(socket, 'secureConnect');
  const peer = socket.getPeerCertificate(true);
  // Only a full handshake brings certificates.
  const issuer = String(peer.issuerCertificate?.subject.CN);
  const resumed = socket.isSessionReused();
  socket.resume();
  await once(socket, 'close');
  return { certificate: peer, issuer, resumed, session };
}

/** Saving is not awaited: the handshake doesn't wait for it. */
async function leafWritten(folder: string): Promise<void> {
  const texts = () => fs.readdirSync(folder).map((name) => fs.readFileSync(path.join(folder, name), 'latin1'));
  await expect.poll(() => texts().some((text) => text.endsWith('-----END CERTIFICATE-----\n'))).toBe(true);
}

describe('LeafCertificates', () => {
  let ca: CertificateAuthority;
  beforeAll(async () => {
    const folder = fs.mkdtempSync('/tmp/roundtrip-test-ca-');
    ca = await openCertificateAuthority(folder);
    return () => fs.rmSync(folder, { recursive: true });
  });

  const leaves = (folder: string | null = null) => new LeafCertificates({ ...ca, folder });

  it.each([
    ['a.test', 'a.test', 'DNS:a.test'],
    ['A.Test.', 'a.test', 'DNS:a.test'],
    ['bücher.test', 'xn--bcher-kva.test', 'DNS:xn--bcher-kva.test'],
    ['under_score.test', 'under_score.test', 'DNS:under_score.test'],
    ['127.0.0.1', '127.0.0.1', 'IP Address:127.0.0.1'],
    ['[::1]', '::1', 'IP Address:0:0:0:0:0:0:0:1'],
    ['::ffff:1.2.3.4', '::ffff:1.2.3.4', 'IP Address:0:0:0:0:0:FFFF:102:304'],
  ])('%s: a verifying client that asks for %s gets %s', async (host, asked, altName) => {
    const source = leaves();
    const port = await serve(() => source.contextFor(host));
    const { certificate, issuer } = await handshake({
      port,
      ca: ca.certificatePem,
      checkServerIdentity: (_, peer) => tls.checkServerIdentity(asked, peer),
    });
    expect(certificate.subjectaltname).toBe(altName);
    expect(issuer).toMatch(/^Roundtrip CA /);
  });

  it('names both what CONNECT asked for and the SNI', async () => {
    const source = leaves();
    const port = await serve(() => source.contextFor('127.0.0.1', 'a.test'));
    const { certificate } = await handshake({ port, ca: ca.certificatePem, servername: 'a.test' });
    expect(certificate.subjectaltname).toBe('IP Address:127.0.0.1, DNS:a.test');
  });

  it('leaves out a common name over 64 characters, and still verifies by the strict rules', async () => {
    const folder = temporaryFolder();
    const host = `${'a'.repeat(60)}.${'b'.repeat(60)}.test`;
    const source = leaves(folder);
    const port = await serve(() => source.contextFor(host));
    const { certificate } = await handshake({
      port,
      ca: ca.certificatePem,
      checkServerIdentity: (_, peer) => tls.checkServerIdentity(host, peer),
    });
    expect(certificate.subject).toEqual({ __proto__: null });
    const file = path.join(folder, 'leaf.pem');
    const pem = Buffer.from(certificate.raw).toString('base64');
    fs.writeFileSync(
      file,
      `-----BEGIN CERTIFICATE-----\n${pem.match(/.{1,64}/g)?.join('\n')}\n-----END CERTIFICATE-----\n`,
    );
    execFileSync('openssl', ['verify', '-x509_strict', '-purpose', 'sslserver', '-CAfile', ca.certificatePath, file]);
    const text = execFileSync('openssl', ['x509', '-in', file, '-noout', '-text']).toString();
    expect(text).toContain('Subject Alternative Name: critical');
    expect(text).toMatch(/Extended Key Usage: \s+TLS Web Server Authentication/);
    expect(text).toContain('NIST CURVE: P-256');
  });

  it('is valid for 197 days, a day of which has passed', async () => {
    const source = leaves();
    const before = Date.now();
    const port = await serve(() => source.contextFor('a.test'));
    const { certificate } = await handshake({ port, ca: ca.certificatePem, servername: 'a.test' });
    const from = Date.parse(certificate.valid_from);
    expect(Date.parse(certificate.valid_to) - from).toBe(197 * 86_400_000);
    expect(Math.abs(before - 86_400_000 - from)).toBeLessThan(60_000);
  });

  it('gives one context to one host, and another to another', () => {
    const source = leaves();
    expect(source.contextFor('a.test')).toBe(source.contextFor('a.test'));
    expect(source.contextFor('a.test')).not.toBe(source.contextFor('b.test'));
  });

  it('has a context made in advance, once however often it is requested', async () => {
    const source = leaves();
    const prepared = source.prepare('a.test');
    expect(source.prepare('a.test', 'a.test')).toBe(prepared);
    await prepared;
    const context = source.contextFor('a.test');
    await source.prepare('a.test');
    expect(source.contextFor('a.test')).toBe(context);
    const port = await serve(() => source.contextFor('a.test'));
    const { certificate } = await handshake({ port, ca: ca.certificatePem, servername: 'a.test' });
    expect(certificate.subjectaltname).toBe('DNS:a.test');
  });

  it('reports on request why a context could not be made in advance', async () => {
    const source = leaves();
    await source.prepare('a b.test');
    expect(() => source.contextFor('a b.test')).toThrow(expect.objectContaining({ code: 'tls.leaf-failed' }));
  });

  it('returns one context if it is requested twice while being made', async () => {
    const source = leaves();
    const prepared = source.prepare('a.test');
    const context = source.contextFor('a.test');
    await prepared;
    expect(source.contextFor('a.test')).toBe(context);
  });

  it.each([
    [true, 'X25519'],
    [false, 'X25519MLKEM768'],
  ])('for clients on this machine only (%s), uses a key by %s', async (localOnly, name) => {
    const source = new LeafCertificates({ ...ca, folder: null, localOnly });
    const port = await serve(() => source.contextFor('a.test'));
    const ecdhCurve = 'X25519MLKEM768:X25519';
    const socket = tls.connect({ port, ca: ca.certificatePem, servername: 'a.test', ecdhCurve });
    await once(socket, 'secureConnect');
    expect(socket.getEphemeralKeyInfo()).toHaveProperty('name', name);
    socket.destroy();
  });

  it('resumes a session with a ticket from another context for the same host', async () => {
    const source = leaves();
    let count = 0;
    // `a.test` and `A.TEST` are two equal contexts.
    const port = await serve(() => source.contextFor(count++ === 0 ? 'a.test' : 'A.TEST'));
    const options = { port, ca: ca.certificatePem, servername: 'a.test' };
    const { session } = await handshake(options);
    expect(session).toBeInstanceOf(Buffer);
    expect((await handshake({ ...options, session: session ?? Buffer.alloc(0) })).resumed).toBe(true);
  });

  it('keeps leaves on disk for the next run, and their key to the user', async () => {
    const folder = temporaryFolder();
    const served = async (source: LeafCertificates) => {
      await source.ready;
      const port = await serve(() => source.contextFor('a.test'));
      return (await handshake({ port, ca: ca.certificatePem, servername: 'a.test' })).certificate.fingerprint256;
    };
    const first = await served(leaves(folder));
    const [inner = ''] = fs.readdirSync(path.join(folder, 'leaves'));
    const files = path.join(folder, 'leaves', inner);
    await leafWritten(files);
    expect(fs.statSync(path.join(files, 'leaf.key')).mode & 0o777).toBe(0o600);
    expect(await served(leaves(folder))).toBe(first);
  });

  it('replaces a damaged certificate', async () => {
    const folder = temporaryFolder();
    leaves(folder).contextFor('a.test');
    const [inner = ''] = fs.readdirSync(path.join(folder, 'leaves'));
    const files = path.join(folder, 'leaves', inner);
    await leafWritten(files);
    for (const file of fs.readdirSync(files)) fs.writeFileSync(path.join(files, file), 'damaged');
    const again = leaves(folder);
    await again.ready;
    const port = await serve(() => again.contextFor('a.test'));
    const { certificate } = await handshake({ port, ca: ca.certificatePem, servername: 'a.test' });
    expect(certificate.subjectaltname).toBe('DNS:a.test');
  });

  /** As under a clock that is a month fast, and set right afterwards. */
  function aMonthFast<T>(work: () => T): T {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30 * 86_400_000 });
    try {
      return work();
    } finally {
      vi.useRealTimers();
    }
  }

  it.each(['memory', 'disk'])('replaces a certificate that is only valid in the future, kept in %s', async (where) => {
    const folder = temporaryFolder();
    const fast = leaves(folder);
    aMonthFast(() => fast.contextFor('a.test'));
    const [inner = ''] = fs.readdirSync(path.join(folder, 'leaves'));
    await leafWritten(path.join(folder, 'leaves', inner));
    const source = where === 'memory' ? fast : leaves(folder);
    await source.ready;
    const port = await serve(() => source.contextFor('a.test'));
    const { certificate } = await handshake({ port, ca: ca.certificatePem, servername: 'a.test' });
    expect(Date.parse(certificate.valid_from)).toBeLessThan(Date.now());
  });

  it('works where the folder cannot be written', () => {
    const file = path.join(temporaryFolder(), 'file');
    fs.writeFileSync(file, '');
    expect(leaves(file).contextFor('a.test')).toBeTruthy();
  });

  it.each(['', 'a b.test', 'a..test', 'a\u0000.test', '::1::'])('refuses %j with a code', (host) => {
    expect(() => leaves().contextFor(host)).toThrow(expect.objectContaining({ code: 'tls.leaf-failed' }));
  });
});
