import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type CertificateAuthority, openCertificateAuthority } from '../../electron/engine/ca/certificate-authority.ts';

/** A CA for a whole file's tests; call `remove` after them. */
export async function testCa(): Promise<{ ca: CertificateAuthority; folder: string; remove: () => void }> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-test-ca-'));
  const ca = await openCertificateAuthority(folder);
  return { ca, folder, remove: () => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 }) };
}
