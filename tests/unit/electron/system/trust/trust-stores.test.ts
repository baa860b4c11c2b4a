import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import tls from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CertificateAuthority } from '../../../../../electron/engine/ca/certificate-authority.ts';
import { certificateInfo } from '../../../../../electron/engine/ca/certificate-info.ts';
import { findJava } from '../../../../../electron/system/trust/java.ts';
import { startProofServer } from '../../../../../electron/system/trust/proof-server.ts';
import type { SystemFamily } from '../../../../../electron/system/trust/system-store-families.ts';
import { type TrustStores, trustStores } from '../../../../../electron/system/trust/trust-stores.ts';
import { hasProgram } from '../../../../support/has-program.ts';
import { makeCertificate } from '../../../../support/openssl-certificates.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';
import { testCa } from '../../../../support/test-ca.ts';

let ca: CertificateAuthority;
let older: CertificateAuthority;
const removals: (() => void)[] = [];

beforeAll(async () => {
  const [made, before] = [await testCa(), await testCa()];
  [ca, older] = [made.ca, before.ca];
  removals.push(made.remove, before.remove);
});
afterAll(() => {
  for (const remove of removals) remove();
});

type Place = { env: Record<string, string | undefined>; systemFamily?: SystemFamily };

function storesFor(authority: CertificateAuthority, place: Place, former: readonly string[] = []): TrustStores {
  const startProof = () => startProofServer(authority);
  return trustStores({ ca: { ...authority, former }, platform: 'linux', startProof, ...place });
}

async function stateOf(store: string, place: Place, authority = ca): Promise<string | undefined> {
  return (await storesFor(authority, place).status([store]))[0]?.state;
}

const PROVED = 'A TLS handshake confirmed it.';

/** What every kind of store must do. */
async function goesThroughItsStates(selector: string, place: Place, proof = PROVED): Promise<void> {
  const store = selector.split(':')[0];
  expect(await stateOf(selector, place)).toBe('not-trusted');
  const message = expect.stringContaining(proof);
  expect(await storesFor(older, place).install([selector])).toMatchObject([{ store, ok: true, message }]);
  expect(await stateOf(selector, place, older)).toBe('trusted');
  expect(await stateOf(selector, place)).toBe('stale');
  expect(await storesFor(ca, place).install([selector])).toMatchObject([{ store, ok: true }]);
  expect(await stateOf(selector, place)).toBe('trusted');
  expect(await stateOf(selector, place, older)).toBe('stale');
  expect(await storesFor(ca, place).install([selector])).toMatchObject([{ store, ok: true }]);
  expect(await storesFor(older, place).uninstall([selector])).toMatchObject([{ store, ok: true }]);
  expect(await stateOf(selector, place)).toBe('not-trusted');
  const again = await storesFor(ca, place).uninstall([selector]);
  expect(again).toMatchObject([{ store, ok: true, message: expect.stringContaining('No Roundtrip CA was found') }]);
}

/** Debian's own tool on folders of the test's. */
function privateDebian(): SystemFamily {
  const folder = temporaryFolder();
  const [anchors, etc, hooks] = ['anchors', 'etc', 'hooks'].map((name) => path.join(folder, name));
  if (!anchors || !etc || !hooks) throw new Error('no folders');
  for (const one of [anchors, etc, hooks]) fs.mkdirSync(one);
  // One root instead of the distribution's 150: linking those takes seconds.
  const [certificates, list] = [path.join(folder, 'certificates'), path.join(folder, 'list.conf')];
  fs.mkdirSync(certificates);
  fs.writeFileSync(path.join(certificates, 'one.crt'), `${tls.rootCertificates[0]}\n`);
  fs.writeFileSync(list, 'one.crt\n');
  const own = ['--certsconf', list, '--certsdir', certificates];
  const flags = [...own, '--localcertsdir', anchors, '--etccertsdir', etc, '--hooksdir', hooks];
  return {
    name: 'Debian',
    anchors,
    added: ['update-ca-certificates', ...flags],
    removed: ['update-ca-certificates', '--fresh', ...flags],
    bundle: path.join(etc, 'ca-certificates.crt'),
  };
}

const asRoot = process.getuid?.() === 0;
const hasCertutil =
  spawnSync('certutil', ['-H'], { stdio: 'ignore' }).error === undefined && process.platform === 'linux';

describe('the system store', () => {
  it.skipIf(!asRoot || !hasProgram('update-ca-certificates', '--help'))(
    'is changed and probed through update-ca-certificates',
    async () => {
      const place = { env: { ...process.env, HOME: temporaryFolder() }, systemFamily: privateDebian() };
      await goesThroughItsStates('system', place);
      expect(
        fs.readdirSync(path.dirname(place.systemFamily.bundle)).filter((name) => name.includes('roundtrip')),
      ).toEqual([]);
    },
  );

  it.skipIf(!asRoot || !hasProgram('update-ca-certificates', '--help'))(
    'recognises an earlier imported CA by the certificate that was kept',
    async () => {
      const place = { env: { ...process.env, HOME: temporaryFolder() }, systemFamily: privateDebian() };
      const file = makeCertificate(temporaryFolder(), 'own', {
        commonName: 'Acme Root',
        extensions: ['basicConstraints=critical,CA:TRUE'],
      });
      const pem = fs.readFileSync(file.certificate, 'latin1');
      const own = { certificatePath: file.certificate, info: certificateInfo(new X509Certificate(pem)) };
      expect(await trustStores({ ca: own, platform: 'linux', ...place }).install(['system'])).toMatchObject([
        { ok: true },
      ]);
      const [system] = await storesFor(ca, place, [pem]).status(['system']);
      expect(system).toMatchObject({ state: 'stale', detail: expect.stringContaining('Acme Root') });
      expect(await storesFor(ca, place, [pem]).uninstall(['system'])).toMatchObject([{ ok: true }]);
    },
  );

  it('shows what to type if it fails', async () => {
    const family: SystemFamily = { ...privateDebian(), added: ['false'] };
    const [change] = await storesFor(ca, { env: process.env, systemFamily: family }).install(['system']);
    expect(change).toMatchObject({
      ok: false,
      message: expect.stringMatching(/As an administrator, run: sh -c .*roundtrip-ca-/s),
    });
  });
});

describe.skipIf(!hasCertutil)('NSS', () => {
  it.each(['.pki/nssdb', '.local/share/pki/nssdb'])("Chromium's database in %s", async (folder) => {
    const home = temporaryFolder();
    fs.mkdirSync(path.join(home, folder), { recursive: true });
    await goesThroughItsStates('nss', { env: { ...process.env, HOME: home } });
    expect(fs.existsSync(path.join(home, folder, 'cert9.db'))).toBe(true);
  });

  it('makes the old database if there is none: every Chromium reads it', async () => {
    const home = temporaryFolder();
    await goesThroughItsStates('nss', { env: { ...process.env, HOME: home } });
    expect(fs.existsSync(path.join(home, '.pki/nssdb/cert9.db'))).toBe(true);
  });

  it('each Firefox profile is a row, those of snap and flatpak too', async () => {
    const home = temporaryFolder();
    const elsewhere = temporaryFolder();
    const places = [
      ['.mozilla/firefox', ''],
      ['snap/firefox/common/.mozilla/firefox', ', snap'],
      ['.var/app/org.mozilla.firefox/.mozilla/firefox', ', flatpak'],
    ];
    for (const [folder = ''] of places) {
      const firefox = path.join(home, folder);
      fs.mkdirSync(path.join(firefox, 'abc.default'), { recursive: true });
      const ini =
        '[Install4F96D1932A9F858E]\nDefault=abc.default\n\n[Profile1]\nName=other\nIsRelative=0\n' +
        `Path=${elsewhere}\n\n[Profile0]\nName=work\nIsRelative=1\nPath=abc.default\n`;
      fs.writeFileSync(path.join(firefox, 'profiles.ini'), ini);
    }
    const place = { env: { ...process.env, HOME: home } };
    const rows = await storesFor(ca, place).status(['firefox']);
    expect(rows.map(({ label }) => label).sort()).toEqual([
      'Firefox, flatpak: other',
      'Firefox, flatpak: work',
      'Firefox, snap: work',
      'Firefox: work',
    ]);
    const [snap] = rows.filter(({ label }) => label === 'Firefox, snap: work');
    const message = expect.stringContaining(PROVED);
    expect(await storesFor(ca, place).install([snap?.id ?? ''])).toMatchObject([{ ok: true, message }]);
    const after = await storesFor(ca, place).status(['firefox']);
    expect(after.filter(({ state }) => state === 'trusted').map(({ label }) => label)).toEqual(['Firefox, snap: work']);
    expect(await storesFor(ca, place).uninstall(['firefox'])).toMatchObject(Array(4).fill({ ok: true }));
    expect(await stateOf('firefox', place)).toBe('not-trusted');
  });

  it("knows the databases of a snap's and a flatpak's Chromium, and both folders of the host's", async () => {
    const home = temporaryFolder();
    const folders = [
      '.pki/nssdb',
      '.local/share/pki/nssdb',
      'snap/chromium/current/.pki/nssdb',
      '.var/app/com.google.Chrome/data/pki/nssdb',
    ].map((folder) => path.join(home, folder));
    for (const folder of folders) fs.mkdirSync(folder, { recursive: true });
    const status = await storesFor(ca, { env: { ...process.env, HOME: home, XDG_DATA_HOME: '' } }).status(['nss']);
    expect(status.filter(({ store }) => store === 'nss').map(({ id }) => id)).toEqual(
      folders.map((one) => `nss:${one}`),
    );
  });

  it('reports a client of the store that refuses a listed certificate', async () => {
    const home = temporaryFolder();
    const place = { env: { ...process.env, HOME: home } };
    const stores = trustStores({ ca, platform: 'linux', startProof: () => startProofServer(older), ...place });
    expect(await stores.install(['nss'])).toMatchObject([
      { ok: false, message: expect.stringContaining('rejects it') },
    ]);
  });

  it('recognises the CA before an imported one by its certificate, under any name', async () => {
    const home = temporaryFolder();
    const place = { env: { ...process.env, HOME: home } };
    const file = makeCertificate(temporaryFolder(), 'own', {
      commonName: 'Acme Root',
      extensions: ['basicConstraints=critical,CA:TRUE'],
    });
    const info = certificateInfo(new X509Certificate(fs.readFileSync(file.certificate)));
    const own = { certificatePath: file.certificate, info };
    expect(await trustStores({ ca: own, platform: 'linux', ...place }).install(['nss'])).toMatchObject([{ ok: true }]);
    expect(await stateOf('nss', place)).toBe('stale');
    expect(await storesFor(ca, place).uninstall(['nss'])).toMatchObject([{ ok: true }]);
    expect(await stateOf('nss', place)).toBe('not-trusted');
  });

  it('a certificate that is there but not trusted is not trusted', async () => {
    const home = temporaryFolder();
    const place = { env: { ...process.env, HOME: home } };
    await storesFor(ca, place).install(['nss']);
    const name = /CN=(.*)/.exec(ca.info.subject)?.[1] ?? '';
    spawnSync('certutil', ['-d', `sql:${home}/.pki/nssdb`, '-M', '-n', name, '-t', ',,']);
    expect(await stateOf('nss', place)).toBe('not-trusted');
  });
});

describe('what programs take from their environment', () => {
  it.skipIf(!hasProgram('git'))('is read from the variables, and not ours to change', async () => {
    const row = async (env: Record<string, string | undefined>) =>
      (await storesFor(ca, { env: { ...process.env, ...env } }).status(['environment:git']))[0];
    expect(await row({ GIT_SSL_CAINFO: undefined, SSL_CERT_FILE: undefined })).toMatchObject({
      state: 'not-trusted',
      needs: 'none',
    });
    expect(await row({ GIT_SSL_CAINFO: ca.certificatePath })).toMatchObject({ state: 'trusted' });
    expect(await row({ GIT_SSL_CAINFO: older.certificatePath })).toMatchObject({ state: 'stale' });
    expect(await row({ GIT_SSL_CAINFO: '/nonexistent' })).toMatchObject({
      detail: expect.stringContaining("can't be read"),
    });
    expect(await storesFor(ca, { env: process.env }).install(['environment:git'])).toMatchObject([{ ok: false }]);
  });
});

describe('what is missing', () => {
  it('certutil is named with its packages', async () => {
    const status = await storesFor(ca, { env: { HOME: temporaryFolder(), PATH: '' } }).status(['nss']);
    const nss = status.find((one) => one.store === 'nss');
    expect(nss).toMatchObject({ state: 'unavailable', detail: expect.stringContaining('libnss3-tools') });
  });

  it('a store of another system is refused by name, and the others are still done', async () => {
    const changes = await storesFor(ca, { env: { HOME: temporaryFolder(), PATH: '' } }).install(['keychain', 'nss']);
    expect(changes).toMatchObject([
      { store: 'keychain', ok: false, message: 'There is no keychain store on this system.' },
      { store: 'nss', ok: false },
    ]);
  });

  it.skipIf(!hasCertutil)('a machine without a Firefox profile', async () => {
    const place = { env: { ...process.env, HOME: temporaryFolder() } };
    expect(await stateOf('firefox', place)).toBe('unavailable');
  });
});

describe('Java', () => {
  const java = findJava(process.env);
  it.skipIf(java === null)(
    'is changed and probed through keytool, and verified by a JVM if it can compile',
    // It starts a JVM some thirty times.
    { timeout: 600_000 },
    async () => {
      const home = temporaryFolder();
      fs.mkdirSync(path.join(home, 'lib/security'), { recursive: true });
      fs.copyFileSync(java?.cacerts ?? '', path.join(home, 'lib/security/cacerts'));
      fs.chmodSync(path.join(home, 'lib/security/cacerts'), 0o644);
      const programs = path.join(java?.home ?? '', 'bin');
      fs.symlinkSync(programs, path.join(home, 'bin'));
      const proved = fs.existsSync(path.join(programs, 'javac')) ? PROVED : 'A probe confirmed it.';
      const env = { ...process.env, HOME: temporaryFolder(), JAVA_HOME: home };
      const [row] = (await storesFor(ca, { env }).status(['java'])).slice(0, 1);
      expect(row).toMatchObject({ label: `Java: ${path.basename(home)}`, needs: 'nobody' });
      await goesThroughItsStates(row?.id ?? '', { env }, proved);
    },
  );
});
