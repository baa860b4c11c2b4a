import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CertificateAuthority } from '../../../../electron/engine/tls/certificate-authority.ts';
import { findJava } from '../../../../electron/system/java.ts';
import type { SystemFamily } from '../../../../electron/system/system-store-families.ts';
import { type TrustStores, trustStores } from '../../../../electron/system/trust-stores.ts';
import type { TrustStoreName } from '../../../../shared/model/trust-store.ts';
import { hasProgram } from '../../../support/has-program.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { testCa } from '../../../support/test-ca.ts';

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

function storesFor(authority: CertificateAuthority, place: Place): TrustStores {
  return trustStores({ ca: authority, platform: 'linux', ...place });
}

async function stateOf(store: TrustStoreName, place: Place, authority = ca): Promise<string | undefined> {
  return (await storesFor(authority, place).status()).find((one) => one.store === store)?.state;
}

/** What every store has to do, whatever it is made of. */
async function goesThroughItsStates(store: TrustStoreName, place: Place): Promise<void> {
  expect(await stateOf(store, place)).toBe('not-trusted');
  expect(await storesFor(older, place).install([store])).toMatchObject([{ store, ok: true }]);
  expect(await stateOf(store, place, older)).toBe('trusted');
  expect(await stateOf(store, place)).toBe('stale');
  expect(await storesFor(ca, place).install([store])).toMatchObject([{ store, ok: true }]);
  expect(await stateOf(store, place)).toBe('trusted');
  expect(await stateOf(store, place, older)).toBe('stale');
  expect(await storesFor(ca, place).install([store])).toMatchObject([{ store, ok: true }]);
  expect(await storesFor(older, place).uninstall([store])).toMatchObject([{ store, ok: true }]);
  expect(await stateOf(store, place)).toBe('not-trusted');
  const again = await storesFor(ca, place).uninstall([store]);
  expect(again).toMatchObject([{ store, ok: true, message: expect.stringContaining('There was no CA') }]);
}

/** Debian's own tool on folders of the test's. */
function privateDebian(): SystemFamily {
  const folder = temporaryFolder();
  const [anchors, etc, hooks] = ['anchors', 'etc', 'hooks'].map((name) => path.join(folder, name));
  if (!anchors || !etc || !hooks) throw new Error('no folders');
  for (const one of [anchors, etc, hooks]) fs.mkdirSync(one);
  const flags = ['--localcertsdir', anchors, '--etccertsdir', etc, '--hooksdir', hooks];
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

  it('says what to type where it fails', async () => {
    const family: SystemFamily = { ...privateDebian(), added: ['false'] };
    const [change] = await storesFor(ca, { env: process.env, systemFamily: family }).install(['system']);
    expect(change).toMatchObject({ ok: false, message: expect.stringMatching(/As root, run: sh -c .*roundtrip-ca-/s) });
  });
});

describe.skipIf(!hasCertutil)('NSS', () => {
  it.each(['.pki/nssdb', '.local/share/pki/nssdb'])("Chromium's database in %s", async (folder) => {
    const home = temporaryFolder();
    fs.mkdirSync(path.join(home, folder), { recursive: true });
    await goesThroughItsStates('nss', { env: { ...process.env, HOME: home } });
    expect(fs.existsSync(path.join(home, folder, 'cert9.db'))).toBe(true);
  });

  it('makes the old database where there is none: every Chromium reads it', async () => {
    const home = temporaryFolder();
    await goesThroughItsStates('nss', { env: { ...process.env, HOME: home } });
    expect(fs.existsSync(path.join(home, '.pki/nssdb/cert9.db'))).toBe(true);
  });

  it('every Firefox profile', async () => {
    const home = temporaryFolder();
    const firefox = path.join(home, '.mozilla/firefox');
    const elsewhere = temporaryFolder();
    fs.mkdirSync(path.join(firefox, 'abc.default'), { recursive: true });
    const ini = `[Install4F96D1932A9F858E]\nDefault=abc.default\n\n[Profile1]\nName=other\nIsRelative=0\nPath=${elsewhere}\n\n[Profile0]\nName=default\nIsRelative=1\nPath=abc.default\n`;
    fs.writeFileSync(path.join(firefox, 'profiles.ini'), ini);
    await goesThroughItsStates('firefox', { env: { ...process.env, HOME: home } });
    expect(fs.existsSync(path.join(firefox, 'abc.default/cert9.db'))).toBe(true);
    expect(fs.existsSync(path.join(elsewhere, 'cert9.db'))).toBe(true);
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

describe('what is missing', () => {
  it('certutil is named with its packages', async () => {
    const status = await storesFor(ca, { env: { HOME: temporaryFolder(), PATH: '' } }).status();
    const nss = status.find((one) => one.store === 'nss');
    expect(nss).toMatchObject({ state: 'unavailable', detail: expect.stringContaining('libnss3-tools') });
    expect(status.find((one) => one.store === 'java')?.state).toBe('unavailable');
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
    'has its cacerts changed and probed through keytool',
    async () => {
      const home = temporaryFolder();
      fs.mkdirSync(path.join(home, 'lib/security'), { recursive: true });
      fs.copyFileSync(java?.cacerts ?? '', path.join(home, 'lib/security/cacerts'));
      fs.chmodSync(path.join(home, 'lib/security/cacerts'), 0o644);
      await goesThroughItsStates('java', { env: { ...process.env, HOME: temporaryFolder(), JAVA_HOME: home } });
    },
    60_000,
  );
});
