import { execFileSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { CaKeeper } from '../../../../../electron/commands/services/ca-keeper.ts';
import { exportedCa } from '../../../../../electron/engine/ca/ca-export.ts';
import { formerCertificates, makePair, replacePair } from '../../../../../electron/engine/ca/ca-files.ts';
import { readCaMaterial } from '../../../../../electron/engine/ca/ca-import.ts';
import { lifeOf } from '../../../../../electron/engine/ca/ca-renewal.ts';
import {
  adoptCertificateAuthority,
  openCertificateAuthority,
  renewCertificateAuthority,
  rotateCertificateAuthority,
} from '../../../../../electron/engine/ca/certificate-authority.ts';
import { LeafIssuer } from '../../../../../electron/engine/tls/leaf-issuer.ts';
import { makeLeafKey } from '../../../../../electron/engine/tls/leaf-store.ts';
import { hasProgram } from '../../../../support/has-program.ts';
import { makeCertificate } from '../../../../support/openssl-certificates.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const DAY = 86_400_000;
const CA_EXTENSIONS = ['basicConstraints=critical,CA:TRUE', 'keyUsage=critical,keyCertSign'];

function openssl(...parameters: string[]): string {
  return execFileSync('openssl', parameters, { stdio: ['ignore', 'pipe', 'ignore'] }).toString();
}

describe('a renewed CA', () => {
  it('has the same key and name, and vouches for leaves made before and after', async () => {
    const folder = temporaryFolder();
    const old = await openCertificateAuthority(folder);
    const oldFile = path.join(temporaryFolder(), 'old.crt');
    fs.copyFileSync(old.certificatePath, oldFile);
    const renewed = await renewCertificateAuthority(folder, old);
    expect(renewed.spkiHash).toBe(old.spkiHash);
    expect(renewed.info.subject).toBe(old.info.subject);
    expect(renewed.info.fingerprint).not.toBe(old.info.fingerprint);
    const leaf = path.join(folder, 'leaf.crt');
    fs.writeFileSync(leaf, new LeafIssuer(renewed, makeLeafKey()).mint(['a.test']));
    for (const file of [oldFile, renewed.certificatePath]) {
      expect(openssl('verify', '-CAfile', file, leaf)).toContain('OK');
    }
    expect(formerCertificates(folder)).toEqual([old.certificatePem]);
    expect(await openCertificateAuthority(folder)).toEqual(renewed);
  });

  it('is made automatically half a year before expiry, with a notice; a recent CA stays', async () => {
    const folder = temporaryFolder();
    replacePair(folder, undefined, await makePair(Date.now() - 3500 * DAY));
    const keeper = await CaKeeper.open(folder, null);
    expect(keeper.notices()).toMatchObject([{ code: 'ca.renewed' }]);
    expect(Date.parse(keeper.authority.info.notAfter)).toBeGreaterThan(Date.now() + 3600 * DAY);
    const again = await CaKeeper.open(folder, null);
    expect(again.authority.info.fingerprint).toBe(keeper.authority.info.fingerprint);
    expect(again.notices()).toEqual([]);
  });

  it('is left to the user if they imported the CA', async () => {
    const made = makeCertificate(temporaryFolder(), 'own', { commonName: 'Acme Root', extensions: CA_EXTENSIONS });
    const pair = await readCaMaterial([fs.readFileSync(made.certificate), fs.readFileSync(made.key)], '');
    const folder = temporaryFolder();
    const own = await adoptCertificateAuthority(folder, pair);
    expect(lifeOf(own.info, Date.now())).toBe('replace');
    const keeper = await CaKeeper.open(folder, null);
    expect(keeper.authority.info.fingerprint).toBe(own.info.fingerprint);
    expect(keeper.notices()).toMatchObject([{ code: 'ca.expires-soon' }]);
  });
});

describe('a rotated CA', () => {
  it('replaces the old one, whose certificate is kept and key is not', async () => {
    const folder = temporaryFolder();
    const old = await openCertificateAuthority(folder);
    const made = await rotateCertificateAuthority(folder);
    expect(made.spkiHash).not.toBe(old.spkiHash);
    expect(formerCertificates(folder)).toEqual([old.certificatePem]);
    expect(await openCertificateAuthority(folder)).toEqual(made);
    expect(fs.statSync(path.join(folder, 'ca.key')).mode & 0o777).toBe(0o600);
    const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const kept = files.map((name) => path.join(folder, name)).filter((file) => fs.statSync(file).isFile());
    for (const file of kept) expect(fs.readFileSync(file, 'latin1')).not.toContain(old.keyPem.split('\n')[2]);
  });

  it('replaces one that cannot be read, whose files are kept', async () => {
    const folder = temporaryFolder();
    await openCertificateAuthority(folder);
    fs.truncateSync(path.join(folder, 'ca.key'), 100);
    const damaged = fs.readFileSync(path.join(folder, 'ca.key'), 'latin1');
    await expect(openCertificateAuthority(folder)).rejects.toMatchObject({ code: 'ca.unreadable' });
    await rotateCertificateAuthority(folder);
    const kept = fs.readdirSync(path.join(folder, 'former-cas')).filter((name) => name.endsWith('ca.key'));
    expect(kept.map((name) => fs.readFileSync(path.join(folder, 'former-cas', name), 'latin1'))).toEqual([damaged]);
  });

  it('is complete after a crash between its two files', async () => {
    const folder = temporaryFolder();
    const old = await openCertificateAuthority(folder);
    const made = await rotateCertificateAuthority(folder);
    fs.writeFileSync(path.join(folder, 'ca.crt'), old.certificatePem);
    expect(await openCertificateAuthority(folder)).toEqual(made);
    expect(fs.readFileSync(path.join(folder, 'ca.crt'), 'latin1')).toBe(made.certificatePem);
  });

  it('is noticed if another program replaced the file', async () => {
    const folder = temporaryFolder();
    const keeper = await CaKeeper.open(folder, null);
    fs.truncateSync(path.join(folder, 'ca.crt'), 300);
    expect(keeper.notices()).toMatchObject([{ code: 'ca.changed-on-disk' }]);
  });
});

describe('an imported CA', () => {
  const files = (key = 'rsa:2048', extensions = CA_EXTENSIONS) => {
    const folder = temporaryFolder();
    return { folder, ...makeCertificate(folder, 'own', { commonName: 'Acme Root', key, extensions }) };
  };
  const read = (...names: string[]) => names.map((name) => fs.readFileSync(name));
  const code = async (work: Promise<unknown>, detail: RegExp) => {
    await expect(work).rejects.toMatchObject({ code: 'ca.import-refused', message: expect.stringMatching(detail) });
  };

  it('is read from PEM in one file or two, in any order, its key sealed or not', async () => {
    const { folder, certificate, key } = files();
    const expected = new X509Certificate(fs.readFileSync(certificate)).fingerprint256;
    const sealed = path.join(folder, 'sealed.key');
    openssl('pkcs8', '-topk8', '-in', key, '-out', sealed, '-passout', 'pass:hunter22');
    const one = path.join(folder, 'one.pem');
    fs.writeFileSync(one, Buffer.concat(read(key, certificate)));
    for (const [paths, passphrase] of [
      [[certificate, key], ''],
      [[key, certificate], ''],
      [[one], ''],
      [[certificate, sealed], 'hunter22'],
    ] as const) {
      expect(
        new X509Certificate((await readCaMaterial(read(...paths), passphrase)).certificatePem).fingerprint256,
      ).toBe(expected);
    }
  });

  it.each(['rsa:2048', 'ec'])('is read from PKCS#12 as OpenSSL writes it: %s', async (kind) => {
    const { folder, ...rsa } = files();
    let { certificate, key } = rsa;
    if (kind === 'ec') {
      [certificate, key] = [path.join(folder, 'ec.crt'), path.join(folder, 'ec.key')];
      const subject = ['-subj', '/CN=Acme EC', '-days', '9', '-nodes', '-keyout', key, '-out', certificate];
      openssl('req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', ...subject);
    }
    const file = path.join(folder, 'own.p12');
    openssl('pkcs12', '-export', '-in', certificate, '-inkey', key, '-out', file, '-passout', 'pass:hunter22');
    const pair = await readCaMaterial(read(file), 'hunter22');
    const made = new X509Certificate(pair.certificatePem);
    expect(made.fingerprint256).toBe(new X509Certificate(fs.readFileSync(certificate)).fingerprint256);
    expect(made.checkPrivateKey(createPrivateKey(pair.keyPem))).toBe(true);
    await code(readCaMaterial(read(file), 'wrong'), /./);
  });

  it('signs leaves that verify by it', async () => {
    const { certificate, key } = files();
    const folder = temporaryFolder();
    const own = await adoptCertificateAuthority(folder, await readCaMaterial(read(certificate, key), ''));
    const leaf = path.join(folder, 'leaf.crt');
    fs.writeFileSync(leaf, new LeafIssuer(own, makeLeafKey()).mint(['a.test']));
    expect(openssl('verify', '-CAfile', certificate, leaf)).toContain('OK');
    expect(await openCertificateAuthority(folder)).toEqual(own);
  });

  it('is refused with the reason', async () => {
    const { certificate, key } = files();
    const other = files();
    const leaf = files('rsa:2048', []);
    const weak = files('rsa:1024');
    await code(readCaMaterial(read(certificate), ''), /no private key/);
    await code(readCaMaterial(read(certificate, other.key), ''), /none of its certificates matches its private key/);
    await code(readCaMaterial(read(leaf.certificate, leaf.key), ''), /not a CA certificate/);
    await code(readCaMaterial(read(weak.certificate, weak.key), ''), /1024 bits/);
    await code(readCaMaterial(read(certificate, key), '', Date.now() + 30 * DAY), /expired/);
    await code(readCaMaterial([Buffer.from('nothing')], ''), /./);
  });
});

describe('an exported CA', () => {
  it('has the form that OpenSSL, Android and Apple expect', async () => {
    const folder = temporaryFolder();
    const ca = await openCertificateAuthority(folder);
    const write = async (form: Parameters<typeof exportedCa>[1], passphrase = '') => {
      const { name, bytes } = await exportedCa(ca, form, passphrase);
      const file = path.join(folder, name);
      fs.writeFileSync(file, bytes);
      return { name, file, bytes };
    };
    const fingerprint = (file: string, form: string) =>
      openssl('x509', '-in', file, '-inform', form, '-noout', '-fingerprint', '-sha256').trim().split('=')[1];
    expect(fingerprint((await write('der')).file, 'DER')).toBe(ca.info.fingerprint);
    expect(fingerprint((await write('android')).file, 'PEM')).toBe(ca.info.fingerprint);
    const hash = openssl('x509', '-in', ca.certificatePath, '-noout', '-subject_hash_old').trim();
    expect((await write('android')).name).toBe(`${hash}.0`);
    const p12 = (await write('p12', 'correct horse')).file;
    const opened = openssl('pkcs12', '-in', p12, '-nodes', '-passin', 'pass:correct horse');
    expect(opened).toContain('PRIVATE KEY');
    const key = path.join(folder, 'opened.pem');
    fs.writeFileSync(key, opened);
    expect(openssl('pkey', '-in', key, '-pubout')).toBe(openssl('x509', '-in', key, '-noout', '-pubkey'));
    const back = await readCaMaterial([fs.readFileSync(p12)], 'correct horse');
    expect(new X509Certificate(back.certificatePem).fingerprint256).toBe(ca.info.fingerprint);
    const profile = (await write('ios')).bytes.toString();
    const der = /<data>([^<]+)<\/data>/.exec(profile)?.[1] ?? '';
    const payload = path.join(folder, 'payload.cer');
    fs.writeFileSync(payload, Buffer.from(der, 'base64'));
    expect(fingerprint(payload, 'DER')).toBe(ca.info.fingerprint);
    expect(profile).toContain('com.apple.security.root');
    expect((await write('ios')).bytes.toString()).toBe(profile);
    expect((await write('pem')).bytes.toString()).toBe(ca.certificatePem);
  });

  it.each(['P-256', 'P-384'])('is PKCS#12 to OpenSSL and to us, with a key on %s too', async (namedCurve) => {
    const folder = temporaryFolder();
    const [certificate, key] = [path.join(folder, 'ec.crt'), path.join(folder, 'ec.key')];
    const subject = ['-subj', '/CN=Acme EC', '-days', '9', '-nodes', '-keyout', key, '-out', certificate];
    openssl('req', '-x509', '-newkey', 'ec', '-pkeyopt', `ec_paramgen_curve:${namedCurve}`, ...subject);
    const own = await readCaMaterial([fs.readFileSync(key), fs.readFileSync(certificate)], '');
    const file = path.join(folder, 'own.p12');
    const passphrase = 'Zürich 東京';
    fs.writeFileSync(file, (await exportedCa(own, 'p12', passphrase)).bytes);
    const opened = path.join(folder, 'opened.pem');
    fs.writeFileSync(opened, openssl('pkcs12', '-in', file, '-nodes', '-passin', `pass:${passphrase}`));
    expect(openssl('pkey', '-in', opened, '-pubout')).toBe(openssl('pkey', '-in', key, '-pubout'));
    expect(openssl('x509', '-in', opened, '-fingerprint', '-noout')).toBe(
      openssl('x509', '-in', certificate, '-fingerprint', '-noout'),
    );
    expect(() => openssl('pkcs12', '-in', file, '-nodes', '-passin', 'pass:another one')).toThrow();
    for (const words of ['correct horse', passphrase])
      expect(await readCaMaterial([(await exportedCa(own, 'p12', words)).bytes], words)).toEqual(own);
    await expect(readCaMaterial([fs.readFileSync(file)], 'Zürich 大阪')).rejects.toThrow();
    openssl('pkcs12', '-export', '-in', opened, '-inkey', key, '-out', file, '-passout', `pass:${passphrase}`);
    expect((await readCaMaterial([fs.readFileSync(file)], passphrase)).keyPem).toBe(own.keyPem);
  });

  it.skipIf(!hasProgram('python3', '--version'))('is a valid property list', async () => {
    const ca = await openCertificateAuthority(temporaryFolder());
    const script = `import plistlib, sys, hashlib
profile = plistlib.loads(sys.stdin.buffer.read()); [payload] = profile['PayloadContent']
print(profile['PayloadType'], payload['PayloadType'], hashlib.sha256(payload['PayloadContent']).hexdigest())`;
    const read = execFileSync('python3', ['-c', script], { input: (await exportedCa(ca, 'ios', '')).bytes }).toString();
    const hash = ca.info.fingerprint.replaceAll(':', '').toLowerCase();
    expect(read.trim()).toBe(`Configuration com.apple.security.root ${hash}`);
  });

  it('contains its key only with a strong passphrase', async () => {
    const ca = await openCertificateAuthority(temporaryFolder());
    await expect(exportedCa(ca, 'p12', 'short')).rejects.toMatchObject({ code: 'ca.export-refused' });
  });
});

describe('a key file that others could read', () => {
  it.each([0o644, 0o640, 0o604])('is made private at the start, and reported: mode %o', async (mode) => {
    const folder = temporaryFolder();
    await openCertificateAuthority(folder);
    const file = path.join(folder, 'ca.key');
    fs.chmodSync(file, mode);
    const keeper = await CaKeeper.open(folder, null);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(keeper.notices()).toMatchObject([{ code: 'ca.key-exposed' }]);
    await keeper.rotate();
    expect(keeper.notices()).toEqual([]);
  });

  it('is not reported if it is correct', async () => {
    const folder = temporaryFolder();
    await openCertificateAuthority(folder);
    expect((await CaKeeper.open(folder, null)).notices()).toEqual([]);
  });
});
