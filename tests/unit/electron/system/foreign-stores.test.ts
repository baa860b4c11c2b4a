import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CertificateAuthority } from '../../../../electron/engine/tls/certificate-authority.ts';
import { parseHashes, parseTrustedNames } from '../../../../electron/system/keychain-store.ts';
import type { Command, RunCommand } from '../../../../electron/system/run-command.ts';
import { trustStores } from '../../../../electron/system/trust-stores.ts';
import { parseStore } from '../../../../electron/system/windows-store.ts';
import { testCa } from '../../../support/test-ca.ts';

// Stores of systems that these tests don't run on: their tools' output as documented, replayed.

let ca: CertificateAuthority;
let remove: () => void;
beforeAll(async () => {
  ({ ca, remove } = await testCa());
});
afterAll(() => remove());

const caName = () => /CN=(.*)/.exec(ca.info.subject)?.[1] ?? '';

/** Answers by the first of the words that the command holds, and keeps what was run. */
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
  const find = (hash: string) =>
    `SHA-256 hash: ${hash.replaceAll(':', '')}\nSHA-1 hash: 0123456789ABCDEF0123456789ABCDEF01234567\nkeychain: "/Users/a/Library/Keychains/login.keychain-db"\nversion: 512\nclass: 0x80001000 \nattributes:\n    "alis"<blob>="Roundtrip CA 1a2b3c4d"\n`;
  const settings = (name: string) =>
    `Number of trusted certs = 2\nCert 0: Other CA\n   Number of trust settings : 0\nCert 1: ${name}\n   Number of trust settings : 1\n   Trust Setting 0:\n      Result Type           : kSecTrustSettingsResultTrustRoot\n`;
  const stores = (run: RunCommand) => trustStores({ ca, platform: 'darwin', env: { HOME: '/Users/a', PATH: '' }, run });
  const state = async (run: RunCommand) => (await stores(run).status())[0];

  it('reads hashes and names', () => {
    expect(parseHashes(find(ca.info.fingerprint))).toEqual([ca.info.fingerprint]);
    expect(parseTrustedNames(settings('Roundtrip CA 1a2b3c4d'))).toEqual(['Other CA', 'Roundtrip CA 1a2b3c4d']);
  });

  it('trusts us only where the certificate is there and its trust settings are', async () => {
    const hash = find(ca.info.fingerprint);
    const trusted = replay({ 'find-certificate': hash, 'dump-trust-settings': settings(caName()) });
    expect(await state(trusted.run)).toMatchObject({ store: 'keychain', state: 'trusted' });
    expect(await state(replay({ 'find-certificate': hash }).run)).toMatchObject({ state: 'not-trusted' });
    const stale = replay({
      'find-certificate': find('00'.repeat(32)),
      'dump-trust-settings': settings('Roundtrip CA 0'),
    });
    expect(await state(stale.run)).toMatchObject({ state: 'stale', detail: expect.stringContaining('Roundtrip CA 0') });
  });

  it('installs, and removes by hash with the trust settings', async () => {
    const answers = { 'find-certificate': find(ca.info.fingerprint), 'dump-trust-settings': settings(caName()) };
    const keychain = '/Users/a/Library/Keychains/login.keychain-db';
    const installing = replay({ ...answers, 'add-trusted-cert': '' });
    expect(await stores(installing.run).install(['keychain'])).toMatchObject([{ ok: true }]);
    const add = ['/usr/bin/security', 'add-trusted-cert', '-r', 'trustRoot', '-k', keychain, ca.certificatePath];
    expect(installing.ran).toContainEqual(add);
    const removing = replay({ ...answers, 'delete-certificate': '' });
    expect(await stores(removing.run).uninstall(['keychain'])).toMatchObject([{ ok: true }]);
    const hash = ca.info.fingerprint.replaceAll(':', '');
    expect(removing.ran).toContainEqual(['/usr/bin/security', 'delete-certificate', '-Z', hash, '-t', keychain]);
  });

  it('says why the user was refused', async () => {
    const [change] = await stores(replay({ 'find-certificate': '' }).run).install(['keychain']);
    expect(change).toEqual({ store: 'keychain', ok: false, message: 'The keychain refused: refused.' });
  });
});

describe("Windows' user store", () => {
  const sha1 = () => new X509Certificate(ca.certificatePem).fingerprint.replaceAll(':', '').toLowerCase();
  const listing = (name: string, hash: string) =>
    `Root "Trusted Root Certification Authorities"\r\n================ Certificate 0 ================\r\nSerial Number: 01\r\nIssuer: CN=Other\r\n NotBefore: 8/2/2026 11:16 PM\r\n NotAfter: 8/2/2027 11:16 PM\r\nSubject: CN=Other\r\nCert Hash(sha1): e6cc21e72b8357bd5a0990db7ded3421f3f8b9aa\r\n\r\n================ Certificate 1 ================\r\nSerial Number: 02\r\nIssuer: CN=${name}, O=Roundtrip\r\nSubject: CN=${name}, O=Roundtrip\r\nSignature matches Public Key\r\nRoot Certificate: Subject matches Issuer\r\nCert Hash(sha1): ${hash}\r\n  No key provider information\r\nCertUtil: -store command completed successfully.\r\n`;
  const german = `================ Zertifikat 0 ================\r\nAntragsteller: CN=Roundtrip CA 1a2b3c4d, O=Roundtrip\r\nZertifikathash(sha1): f7 c6 cb 00 d3 7d ee a9 9e 42 6f 16 a7 e4 13 c3 93 47 75 06\r\n`;
  const stores = (run: RunCommand) =>
    trustStores({ ca, platform: 'win32', env: { SystemRoot: 'C:\\Windows', PATH: '' }, run });
  const certutil = 'C:\\Windows\\System32\\certutil.exe';

  it('is read in any language, with and without spaces in the hash', () => {
    const hash = 'f7c6cb00d37deea99e426f16a7e413c393477506';
    expect(parseStore(german)).toEqual([{ name: 'Roundtrip CA 1a2b3c4d', sha1: hash }]);
    expect(parseStore(listing('Roundtrip CA 1', hash))).toEqual([{ name: 'Roundtrip CA 1', sha1: hash }]);
  });

  it('goes by the hash', async () => {
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
    expect(await stores(ours.run).uninstall(['windows'])).toMatchObject([{ ok: true }]);
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
