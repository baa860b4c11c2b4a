import { X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CertificateAuthority } from '../../../../electron/engine/ca/certificate-authority.ts';
import type { Command, RunCommand } from '../../../../electron/system/run-command.ts';
import { parseCertificates, parsePems, parseTrustSettings } from '../../../../electron/system/trust/keychain-store.ts';
import { findSystemFamily } from '../../../../electron/system/trust/system-store-families.ts';
import { trustStores } from '../../../../electron/system/trust/trust-stores.ts';
import { parseStore } from '../../../../electron/system/trust/windows-store.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { testCa } from '../../../support/test-ca.ts';

// Stores of systems that these tests don't run on: their tools' output as documented, replayed.

let ca: CertificateAuthority;
let remove: () => void;
beforeAll(async () => {
  ({ ca, remove } = await testCa());
});
afterAll(() => remove());

const caName = () => /CN=(.*)/.exec(ca.info.subject)?.[1] ?? '';

/** Responds by the first of these words in the command, and keeps the commands. */
function replay(answers: Record<string, string>): { run: RunCommand; ran: Command[] } {
  const ran: Command[] = [];
  const run: RunCommand = (command) => {
    ran.push(command);
    const answer = Object.entries(answers).find(([word]) => command.includes(word));
    return Promise.resolve({ status: answer ? 0 : 1, stdout: answer?.[1] ?? '', stderr: answer ? '' : 'refused' });
  };
  return { run, ran };
}

describe('the macOS login keychain', () => {
  const find = (hash: string, name = caName()) =>
    `SHA-256 hash: ${hash.replaceAll(':', '')}\nSHA-1 hash: 0123456789ABCDEF0123456789ABCDEF01234567\nkeychain: ` +
    '"/Users/a/Library/Keychains/login.keychain-db"\nversion: 512\nclass: 0x80001000 \nattributes:\n    ' +
    `"alis"<blob>="${name}"\n`;
  // As trusted_cert_dump.c of Apple's Security prints it.
  const settings = (name: string, result = 'TrustRoot') =>
    `Number of trusted certs = 2\nCert 0: Other CA\n   Number of trust settings : 0\nCert 1: ${name}\n   Number of ` +
    'trust settings : 1\n   Trust Setting 0:\n      Policy OID            : SSL\n      Result Type           : ' +
    `kSecTrustSettingsResult${result}\n`;
  const pems = () => `SHA-256 hash: ${ca.info.fingerprint.replaceAll(':', '')}\nSHA-1 hash: 01\n${ca.certificatePem}`;
  const stores = (run: RunCommand) =>
    trustStores({ ca, platform: 'darwin', env: { HOME: '/Users/a', PATH: '' }, run, isRoot: false });
  const state = async (run: RunCommand) => (await stores(run).status())[0];

  it('reads hashes and names', () => {
    expect(parseCertificates(find(ca.info.fingerprint, 'Roundtrip CA 1a2b3c4d'))).toEqual([
      { name: 'Roundtrip CA 1a2b3c4d', fingerprint: ca.info.fingerprint },
    ]);
    expect(parseTrustSettings(settings('Roundtrip CA 1a2b3c4d', 'Deny'))).toEqual([
      { name: 'Other CA', denied: false },
      { name: 'Roundtrip CA 1a2b3c4d', denied: true },
    ]);
    expect(parsePems(`${pems()}${pems()}`)).toEqual([
      { fingerprint: ca.info.fingerprint, pem: ca.certificatePem },
      { fingerprint: ca.info.fingerprint, pem: ca.certificatePem },
    ]);
  });

  it('trusts us only where the certificate is there and its trust settings are', async () => {
    const hash = find(ca.info.fingerprint);
    const trusted = replay({ 'find-certificate': hash, 'dump-trust-settings': settings(caName()) });
    expect(await state(trusted.run)).toMatchObject({ store: 'keychain', state: 'trusted' });
    expect(await state(replay({ 'find-certificate': hash }).run)).toMatchObject({ state: 'not-trusted' });
    const denied = replay({ 'find-certificate': hash, 'dump-trust-settings': settings(caName(), 'Deny') });
    expect(await state(denied.run)).toMatchObject({ state: 'not-trusted' });
    const unlimited = settings(caName()).replace(/ : 1\n[\s\S]*$/, ' : 0\n');
    const everything = replay({ 'find-certificate': hash, 'dump-trust-settings': unlimited });
    expect(await state(everything.run)).toMatchObject({ state: 'trusted' });
    const stale = replay({
      'find-certificate': find('00'.repeat(32), 'Roundtrip CA 0'),
      'dump-trust-settings': settings('Roundtrip CA 0'),
    });
    expect(await state(stale.run)).toMatchObject({ state: 'stale', detail: expect.stringContaining('Roundtrip CA 0') });
  });

  it('installs, and removes by hash with the trust settings', async () => {
    const answers = { 'find-certificate': find(ca.info.fingerprint), 'dump-trust-settings': settings(caName()) };
    const keychain = '/Users/a/Library/Keychains/login.keychain-db';
    const security = (...words: string[]) => ['/usr/bin/security', ...words];
    const installing = replay({ ...answers, 'add-trusted-cert': '' });
    expect(await stores(installing.run).install(['keychain'])).toMatchObject([{ ok: true }]);
    expect(installing.ran).toContainEqual(security('add-trusted-cert', '-r', 'trustRoot', ca.certificatePath));
    const first = replay({ 'find-certificate': '', 'add-certificates': '', 'add-trusted-cert': '' });
    await stores(first.run).install(['keychain']);
    expect(first.ran).toContainEqual(security('add-certificates', '-k', keychain, ca.certificatePath));
    const removing = replay({ '-p': pems(), ...answers, 'delete-certificate': '', 'remove-trusted-cert': '' });
    // The replayed keychain still answers as before, and that is noticed.
    expect(await stores(removing.run).uninstall(['keychain'])).toMatchObject([
      { ok: false, message: expect.stringContaining('It is still there') },
    ]);
    const hash = ca.info.fingerprint.replaceAll(':', '');
    const verbs = removing.ran.map(([, verb]) => verb);
    expect(verbs.indexOf('remove-trusted-cert')).toBeGreaterThan(0);
    expect(verbs.indexOf('delete-certificate')).toBeGreaterThan(verbs.indexOf('remove-trusted-cert'));
    expect(removing.ran).toContainEqual(security('remove-trusted-cert', expect.stringMatching(/ca\.pem$/)));
    expect(removing.ran).toContainEqual(security('delete-certificate', '-Z', hash, keychain));
    // If the user refuses to remove the trust, the certificate stays: without it the trust could not be detected.
    const refusing = replay({ '-p': pems(), ...answers });
    await stores(refusing.run).uninstall(['keychain']);
    expect(refusing.ran.map(([, verb]) => verb)).not.toContain('delete-certificate');
  });

  it('reports why the user was refused', async () => {
    const [change] = await stores(replay({ 'find-certificate': '', 'add-certificates': '' }).run).install(['keychain']);
    expect(change).toMatchObject({ store: 'keychain', ok: false, message: 'The keychain refused: refused.' });
  });

  it("asks an administrator for the System keychain in macOS's own dialogs, and sets trust as the user", async () => {
    const system = '/Library/Keychains/System.keychain';
    const refused = replay({ 'find-certificate': '' });
    const [change] = await stores(refused.run).install(['system']);
    expect(change).toMatchObject({
      id: 'system',
      ok: false,
      message: expect.stringContaining('As an administrator, run:'),
    });
    const osascript = (line: string) => [
      ...['/usr/bin/osascript', '-e'],
      `do shell script "/usr/bin/security ${line}" with administrator privileges`,
    ];
    expect(refused.ran).toContainEqual(osascript(`add-certificates -k ${system} ${ca.certificatePath}`));
    const trustIt = ['/usr/bin/security', 'add-trusted-cert', '-d', '-r', 'trustRoot', ca.certificatePath];
    const there = {
      '-p': pems(),
      'find-certificate': find(ca.info.fingerprint),
      'dump-trust-settings': settings(caName()),
    };
    const { run, ran } = replay({
      ...there,
      'add-trusted-cert': '',
      '/usr/bin/osascript': '',
      'remove-trusted-cert': '',
    });
    expect(await stores(run).install(['system'])).toMatchObject([{ ok: true }]);
    expect(ran).toContainEqual(trustIt);
    expect((await stores(run).status()).find(({ id }) => id === 'system')).toMatchObject({ state: 'trusted' });
    await stores(run).uninstall(['system']);
    const hash = ca.info.fingerprint.replaceAll(':', '');
    const distrust = ['/usr/bin/security', 'remove-trusted-cert', '-d', expect.stringMatching(/ca\.pem$/)];
    expect(ran).toContainEqual(distrust);
    expect(ran).toContainEqual(osascript(`delete-certificate -Z ${hash} ${system}`));
  });

  it('proves an installation by checking a leaf as Safari would', async () => {
    const answers = { 'find-certificate': find(ca.info.fingerprint), 'dump-trust-settings': settings(caName()) };
    const proof = { port: 1, leafPath: '/tmp/leaf.crt', close: () => Promise.resolve() };
    const install = async (more: Record<string, string>) => {
      const { run } = replay({ ...answers, 'add-trusted-cert': '', ...more });
      const options = { ca, platform: 'darwin', env: { HOME: '/Users/a', PATH: '' }, run, isRoot: false };
      return (await trustStores({ ...options, startProof: () => Promise.resolve(proof) }).install(['keychain']))[0];
    };
    expect(await install({ 'verify-cert': '...certificate verification successful.' })).toMatchObject({ ok: true });
    expect(await install({})).toMatchObject({ ok: false, message: expect.stringContaining('rejects it') });
  });
});

describe("Windows' user store", () => {
  const sha1 = () => new X509Certificate(ca.certificatePem).fingerprint.replaceAll(':', '').toLowerCase();
  const listing = (name: string, hash: string) =>
    'Root "Trusted Root Certification Authorities"\r\n================ Certificate 0 ================\r\nSerial ' +
    'Number: 01\r\nIssuer: CN=Other\r\n NotBefore: 8/2/2026 11:16 PM\r\n NotAfter: 8/2/2027 11:16 PM\r\nSubject: ' +
    'CN=Other\r\nCert Hash(sha1): e6cc21e72b8357bd5a0990db7ded3421f3f8b9aa\r\n\r\n================ Certificate 1 ' +
    `================\r\nSerial Number: 02\r\nIssuer: CN=${name}, O=Roundtrip\r\nSubject: CN=${name}, ` +
    'O=Roundtrip\r\nSignature matches Public Key\r\nRoot Certificate: Subject matches Issuer\r\nCert Hash(sha1): ' +
    `${hash}\r\n  No key provider information\r\nCertUtil: -store command completed successfully.\r\n`;
  const german =
    '================ Zertifikat 0 ================\r\nAntragsteller: CN=Roundtrip CA 1a2b3c4d, O=Roundtrip\r\n' +
    'Zertifikathash(sha1): f7 c6 cb 00 d3 7d ee a9 9e 42 6f 16 a7 e4 13 c3 93 47 75 06\r\n';
  const stores = (run: RunCommand) =>
    trustStores({ ca, platform: 'win32', env: { SystemRoot: 'C:\\Windows', PATH: '' }, run });
  const certutil = 'C:\\Windows\\System32\\certutil.exe';

  it('is read in any language, with and without spaces in the hash', () => {
    const hash = 'f7c6cb00d37deea99e426f16a7e413c393477506';
    expect(parseStore(german)).toEqual([{ name: 'Roundtrip CA 1a2b3c4d', sha1: hash }]);
    expect(parseStore(listing('Roundtrip CA 1', hash))).toContainEqual({ name: 'Roundtrip CA 1', sha1: hash });
  });

  it('identifies the CA by its hash', async () => {
    const state = async (text: string) => (await stores(replay({ '-store': text }).run).status())[0]?.state;
    expect(await state(listing(caName(), sha1()))).toBe('trusted');
    expect(await state(listing('Roundtrip CA 0', '00'.repeat(20)))).toBe('stale');
    expect(await state(listing('Third', '00'.repeat(20)))).toBe('not-trusted');
  });

  it('installs in place of older ones, and removes', async () => {
    const old = replay({ '-store': listing('Roundtrip CA 0', '00'.repeat(20)), '-delstore': '', '-addstore': '' });
    await stores(old.run).install(['windows']);
    const root = (verb: string, what: string) => [certutil, '-user', verb, 'Root', what];
    expect(old.ran).toContainEqual(root('-delstore', '00'.repeat(20)));
    expect(old.ran).toContainEqual(root('-addstore', ca.certificatePath));
    const ours = replay({ '-store': listing(caName(), sha1()), '-delstore': '' });
    await stores(ours.run).uninstall(['windows']);
    expect(ours.ran).toContainEqual(root('-delstore', sha1()));
  });

  it('is unavailable where certutil fails, and Firefox follows it', async () => {
    const status = await stores(replay({}).run).status();
    expect(status.map(({ store, state }) => [store, state])).toEqual([
      ['windows', 'unavailable'],
      ['firefox', 'unavailable'],
      ['java', 'unavailable'],
    ]);
  });
});

describe('the families of Linux distributions', () => {
  const places: Record<string, [anchors: string, tool: string, added: string]> = {
    openSUSE: ['etc/pki/trust/anchors', 'update-ca-certificates', 'update-ca-certificates'],
    Debian: ['usr/local/share/ca-certificates', 'update-ca-certificates', 'update-ca-certificates'],
    Fedora: ['etc/pki/ca-trust/source/anchors', 'update-ca-trust', 'update-ca-trust extract'],
    Arch: ['etc/ca-certificates/trust-source/anchors', 'update-ca-trust', 'update-ca-trust'],
  };

  it.each(Object.entries(places))('%s is known by its folder and its tool', async (name, [anchors, tool, added]) => {
    const root = temporaryFolder();
    fs.mkdirSync(path.join(root, anchors), { recursive: true });
    fs.writeFileSync(path.join(root, tool), '#!/bin/sh\n', { mode: 0o755 });
    const family = findSystemFamily({ PATH: root }, root);
    expect(family).toMatchObject({ name, anchors: `/${anchors}` });
    const { run, ran } = replay({});
    const stores = trustStores({
      ca,
      platform: 'linux',
      env: { PATH: '', HOME: root },
      run,
      ...(family && { systemFamily: family }),
      isRoot: true,
    });
    await stores.install(['system']);
    const [shell, , , , from, to, ...update] = ran.find(([program]) => program === 'sh') ?? [];
    expect([shell, from]).toEqual(['sh', ca.certificatePath]);
    expect(to).toMatch(new RegExp(`^/${anchors}/roundtrip-ca-[0-9a-f]{8}\\.crt$`));
    expect(update.join(' ')).toBe(added);
  });

  it('tries sudo silently, then the desktop, then shows what to type', async () => {
    const root = temporaryFolder();
    for (const name of ['sudo', 'pkexec', 'update-ca-trust'])
      fs.writeFileSync(path.join(root, name), '#!/bin/sh\n', { mode: 0o755 });
    fs.mkdirSync(path.join(root, 'etc/pki/ca-trust/source/anchors'), { recursive: true });
    const { run, ran } = replay({});
    const env = { PATH: root, HOME: root, DISPLAY: ':0' };
    const family = findSystemFamily({ PATH: root }, root);
    const [change] = await trustStores({
      ca,
      platform: 'linux',
      env,
      run,
      ...(family && { systemFamily: family }),
      isRoot: false,
    }).install(['system']);
    expect(ran.map(([program, next]) => [path.basename(program), next === '-n'])).toEqual([
      ['sudo', true],
      ['pkexec', false],
    ]);
    expect(change?.message).toMatch(/^refused\. As an administrator, run: sh -c /);
  });
});
