import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { CACERTS_PASSWORD, findJava } from '../../../../../electron/system/trust/java.ts';
import { withTrusted } from '../../../../../electron/system/trust/jks.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';
import { testCa } from '../../../../support/test-ca.ts';

/** An empty keystore that keytool lists with this password. */
const EMPTY = Buffer.from('feedfeed0000000200000000e2686e45fb43dfa4d992dd41ceb6b21c6330d792', 'hex');

async function certificate(): Promise<X509Certificate> {
  const { ca, remove } = await testCa();
  remove();
  return new X509Certificate(ca.certificatePem);
}

describe('a JKS keystore with one more certificate', () => {
  const java = findJava(process.env);
  it.skipIf(java === null)('is read by keytool, and has the last certificate of a name', async () => {
    const [first, last] = [await certificate(), await certificate()];
    const once = withTrusted(EMPTY, 'roundtrip', first.raw, CACERTS_PASSWORD);
    const twice = withTrusted(once ?? EMPTY, 'roundtrip', last.raw, CACERTS_PASSWORD);
    const file = path.join(temporaryFolder(), 'keystore');
    fs.writeFileSync(file, withTrusted(twice ?? EMPTY, 'other', first.raw, CACERTS_PASSWORD) ?? '');
    const listed = spawnSync(
      java?.keytool ?? '',
      ['-J-Duser.language=en', '-list', '-keystore', file, '-storepass', CACERTS_PASSWORD],
      { encoding: 'utf8' },
    ).stdout;
    expect(listed).toContain('contains 2 entries');
    expect(listed).toMatch(new RegExp(`roundtrip, .*trustedCertEntry,\\s+.*${last.fingerprint256}`));
  });

  it.each([
    ['another password', EMPTY, 'secret'],
    ['another format', Buffer.from('308205d502010330820599', 'hex'), CACERTS_PASSWORD],
    [
      'a byte that is wrong',
      Buffer.from(EMPTY.toString('hex').replace('00000000', '00000001'), 'hex'),
      CACERTS_PASSWORD,
    ],
    ['nothing in it', Buffer.alloc(0), CACERTS_PASSWORD],
  ])('is not made of a keystore with %s', async (_what, keystore, password) => {
    expect(withTrusted(keystore, 'roundtrip', (await certificate()).raw, password)).toBeNull();
  });
});
