import { execFile, execFileSync } from 'node:child_process';
import { createHash, createPrivateKey, X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { KeyGuard } from '../../../../../electron/engine/ca/ca-files.ts';
import {
  openCertificateAuthority,
  rotateCertificateAuthority,
} from '../../../../../electron/engine/ca/certificate-authority.ts';
import { smallDisk } from '../../../../support/small-disk.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const MODULE = path.resolve('electron/engine/ca/certificate-authority.ts');

/** Opens the CA in a separate process; gives its fingerprint. */
async function openElsewhere(folder: string): Promise<string> {
  const script = `const { openCertificateAuthority } = await import(${JSON.stringify(MODULE)});
    process.stdout.write((await openCertificateAuthority(process.argv[1])).info.fingerprint);`;
  const run = promisify(execFile);
  return (await run(process.execPath, ['--input-type=module', '-e', script, folder])).stdout;
}

describe('openCertificateAuthority', () => {
  it('makes a CA that OpenSSL accepts by the strict rules', async () => {
    const folder = path.join(temporaryFolder(), 'data');
    const ca = await openCertificateAuthority(folder);
    execFileSync('openssl', [
      'verify',
      '-x509_strict',
      '-check_ss_sig',
      '-CAfile',
      ca.certificatePath,
      ca.certificatePath,
    ]);
    const text = execFileSync('openssl', ['x509', '-in', ca.certificatePath, '-noout', '-text']).toString();
    expect(text).toMatch(/Basic Constraints: critical\s+CA:TRUE/);
    expect(text).toMatch(/Key Usage: critical\s+Certificate Sign, CRL Sign\s/);
    expect(text).toContain('ecdsa-with-SHA256');
    expect(text).toContain('ASN1 OID: prime256v1');
    expect(ca.info.subject).toMatch(/CN=Roundtrip CA [0-9a-f]{8}$/);
    expect(ca.info.serialNumber).toMatch(/^[4-7][0-9A-F]{31}$/);
    const days = (Date.parse(ca.info.notAfter) - Date.parse(ca.info.notBefore)) / 86_400_000;
    expect(days).toBe(3650);
  });

  it('gives the hash that Chromium wants, and the key of the certificate', async () => {
    const ca = await openCertificateAuthority(temporaryFolder());
    const certificate = new X509Certificate(ca.certificatePem);
    const spki = execFileSync('sh', [
      '-c',
      'openssl x509 -in "$0" -noout -pubkey | openssl pkey -pubin -outform der',
      ca.certificatePath,
    ]);
    expect(ca.spkiHash).toBe(createHash('sha256').update(spki).digest('base64'));
    expect(certificate.checkPrivateKey(createPrivateKey(ca.keyPem))).toBe(true);
  });

  it('keeps the CA across starts, with files that only the user can read', async () => {
    const folder = path.join(temporaryFolder(), 'data');
    const first = await openCertificateAuthority(folder);
    const second = await openCertificateAuthority(folder);
    expect(second).toEqual(first);
    expect(fs.statSync(folder).mode & 0o777).toBe(0o700);
    expect(fs.statSync(path.join(folder, 'ca.key')).mode & 0o777).toBe(0o600);
    expect(fs.statSync(path.join(folder, 'ca.crt')).mode & 0o777).toBe(0o644);
    expect(fs.readdirSync(folder).sort()).toEqual(['ca.crt', 'ca.key']);
  });

  it('uses one CA when several processes start at once', async () => {
    const folder = path.join(temporaryFolder(), 'data');
    const seen = await Promise.all([openElsewhere(folder), openElsewhere(folder), openElsewhere(folder)]);
    const kept = await openCertificateAuthority(folder);
    expect(new Set(seen)).toEqual(new Set([kept.info.fingerprint]));
  });

  it('writes ca.crt again from the key file when it is gone', async () => {
    const folder = temporaryFolder();
    const first = await openCertificateAuthority(folder);
    fs.rmSync(first.certificatePath);
    expect((await openCertificateAuthority(folder)).info.fingerprint).toBe(first.info.fingerprint);
    expect(fs.readFileSync(first.certificatePath, 'latin1')).toBe(first.certificatePem);
  });

  it.each([
    ['a key cut short', (folder: string) => fs.truncateSync(path.join(folder, 'ca.key'), 100)],
    ['an empty key', (folder: string) => fs.truncateSync(path.join(folder, 'ca.key'))],
    ['a certificate cut short', (folder: string) => fs.truncateSync(path.join(folder, 'ca.crt'), 400)],
    ['an empty certificate', (folder: string) => fs.truncateSync(path.join(folder, 'ca.crt'))],
    ['no key', (folder: string) => fs.rmSync(path.join(folder, 'ca.key'))],
  ])('refuses %s and leaves the files as they are', async (_, damage) => {
    const folder = temporaryFolder();
    await openCertificateAuthority(folder);
    damage(folder);
    const before = fs.readdirSync(folder).map((name) => fs.readFileSync(path.join(folder, name), 'latin1'));
    await expect(openCertificateAuthority(folder)).rejects.toMatchObject({ code: 'ca.unreadable' });
    expect(fs.readdirSync(folder).map((name) => fs.readFileSync(path.join(folder, name), 'latin1'))).toEqual(before);
  });

  it('refuses a certificate of another key', async () => {
    const [one, other] = [temporaryFolder(), temporaryFolder()];
    await openCertificateAuthority(one);
    const foreign = await openCertificateAuthority(other);
    fs.copyFileSync(foreign.certificatePath, path.join(one, 'ca.crt'));
    await expect(openCertificateAuthority(one)).rejects.toThrow(/do not belong together/);
  });

  it('refuses a folder that cannot be made', async () => {
    const file = path.join(temporaryFolder(), 'file');
    fs.writeFileSync(file, '');
    await expect(openCertificateAuthority(file)).rejects.toMatchObject({ code: 'ca.write-failed' });
  });

  it('seals the key with a guard, opens it again, and cannot without', async () => {
    const guard: KeyGuard = {
      wrap: (pem) => Buffer.from(Buffer.from(pem).map((byte) => byte ^ 0x5a)),
      unwrap: (sealed) => Buffer.from(sealed.map((byte) => byte ^ 0x5a)).toString(),
    };
    const folder = temporaryFolder();
    const made = await openCertificateAuthority(folder, guard);
    expect(fs.readFileSync(path.join(folder, 'ca.key'), 'latin1')).not.toContain('PRIVATE KEY');
    expect(await openCertificateAuthority(folder, guard)).toEqual(made);
    await expect(openCertificateAuthority(folder)).rejects.toMatchObject({ code: 'ca.unreadable' });
  });
});

describe('rotateCertificateAuthority', () => {
  it.each(['readable', 'damaged'])('on a full disk says that, and keeps the %s files', async (state) => {
    const disk = smallDisk(1);
    if (disk === null) return;
    const { certificatePath } = await openCertificateAuthority(disk.folder);
    const keyPath = path.join(disk.folder, 'ca.key');
    if (state === 'damaged') fs.writeFileSync(keyPath, 'nonsense');
    const before = [certificatePath, keyPath].map((file) => fs.readFileSync(file, 'latin1'));
    const filling = fs.openSync(path.join(disk.folder, 'filling'), 'w');
    expect(() => {
      for (;;) fs.writeSync(filling, Buffer.alloc(4096));
    }).toThrow('ENOSPC');
    fs.closeSync(filling);
    await expect(rotateCertificateAuthority(disk.folder)).rejects.toMatchObject({
      code: 'ca.write-failed',
      message: expect.stringContaining('the disk is full'),
    });
    expect([certificatePath, keyPath].map((file) => fs.readFileSync(file, 'latin1'))).toEqual(before);
  });
});
