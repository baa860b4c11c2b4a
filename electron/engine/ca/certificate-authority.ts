import { createHash, type KeyObject, X509Certificate } from 'node:crypto';
import path from 'node:path';
import type { CertificateInfo } from '../../../shared/model/tls-info.ts';
import { describe, roundtripError, systemCode } from '../../failures/errors.ts';
import { fileProblem } from '../../files/file-problem.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { type KeyGuard, makePair, type Pair, readOrMakePair, renewedPair, replacePair } from './ca-files.ts';
import { certificateInfo } from './certificate-info.ts';

export interface CertificateAuthority extends Pair {
  info: CertificateInfo;
  /** Base64 of SHA-256 over the public key's SPKI: Chromium's `--ignore-certificate-errors-spki-list`. */
  spkiHash: string;
  certificatePath: string;
}

function spkiHashOf(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64');
}

function authorityOf(folder: string, pair: Pair): CertificateAuthority {
  const certificate = new X509Certificate(pair.certificatePem);
  return {
    ...pair,
    info: certificateInfo(certificate),
    spkiHash: spkiHashOf(certificate.publicKey),
    certificatePath: path.join(folder, 'ca.crt'),
  };
}

/** Whether a system call failed on another file than the CA's own two: on a new one that was to take their place. */
function isWriting(error: unknown): boolean {
  if (!(error instanceof Error) || !/^E[A-Z]+$/.test(systemCode(error) ?? '')) return false;
  return !('path' in error && /[/\\]ca\.(?:key|crt)$/.test(String(error.path)));
}

/** Whatever goes wrong with the folder's files, in one sentence with what to do. */
async function guarded(folder: string, work: () => Promise<Pair> | Pair): Promise<CertificateAuthority> {
  try {
    makeFolder(folder);
    return authorityOf(folder, await work());
  } catch (error) {
    if (!isWriting(error)) throw roundtripError('ca.unreadable', { path: folder, detail: describe(error) });
    const detail = fileProblem(error, path.join(folder, 'ca.key'));
    throw roundtripError('ca.write-failed', { path: folder, detail }, systemCode(error));
  }
}

/**
 * The CA kept in the data folder (`ca.crt`, and `ca.key` which only the user can read), made at first use. Several
 * processes may call it at once and get the same one. A pair that can't be used rejects with `ca.unreadable`, a folder
 * that can't be written to with `ca.write-failed`; both are left as they are.
 */
export function openCertificateAuthority(dataFolder: string, guard?: KeyGuard): Promise<CertificateAuthority> {
  return guarded(dataFolder, () => readOrMakePair(dataFolder, guard));
}

function replacedBy(folder: string, guard: KeyGuard | undefined, pair: Pair): Pair {
  replacePair(folder, guard, pair);
  return pair;
}

/** A new key and certificate in place of the folder's CA, readable or not. Rejects with `ca.unreadable`. */
export function rotateCertificateAuthority(folder: string, guard?: KeyGuard): Promise<CertificateAuthority> {
  return guarded(folder, async () => replacedBy(folder, guard, await makePair()));
}

/**
 * A new certificate for the CA's own key: leaves verify by the old one too until that expires, so that nothing breaks
 * before the stores have the new one. Rejects with `ca.unreadable`.
 */
export function renewCertificateAuthority(
  folder: string,
  ca: CertificateAuthority,
  guard?: KeyGuard,
): Promise<CertificateAuthority> {
  return guarded(folder, () => replacedBy(folder, guard, renewedPair(ca)));
}

/** The user's own CA in place of the folder's. `pair`: of `readCaMaterial`. Rejects with `ca.unreadable`. */
export function adoptCertificateAuthority(folder: string, pair: Pair, guard?: KeyGuard): Promise<CertificateAuthority> {
  return guarded(folder, () => replacedBy(folder, guard, pair));
}
