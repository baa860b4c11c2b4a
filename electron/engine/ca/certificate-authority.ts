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

/** Whether a system call failed on a new file that was to replace one of the CA's two files. */
function isWriting(error: unknown): boolean {
  if (!(error instanceof Error) || !/^E[A-Z]+$/.test(systemCode(error) ?? '')) return false;
  // A copy of one of the two names that file first.
  return 'dest' in error || !('path' in error && /[/\\]ca\.(?:key|crt)$/.test(String(error.path)));
}

/** Turns any error with the folder's files into a failure that tells the user what to do. */
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
 * Opens the CA in the data folder (`ca.crt`, and `ca.key`, which only the user can read), or creates it on first use.
 * Processes that call this concurrently get the same CA. Rejects with `ca.unreadable` if the pair can't be used and
 * with `ca.write-failed` if the folder can't be written to; in both cases the existing files stay unchanged.
 */
export function openCertificateAuthority(dataFolder: string, guard?: KeyGuard): Promise<CertificateAuthority> {
  return guarded(dataFolder, () => readOrMakePair(dataFolder, guard));
}

function replacedBy(folder: string, guard: KeyGuard | undefined, pair: Pair): Pair {
  replacePair(folder, guard, pair);
  return pair;
}

/** Replaces the folder's CA, readable or not, with a new key and certificate. Rejects with `ca.unreadable`. */
export function rotateCertificateAuthority(folder: string, guard?: KeyGuard): Promise<CertificateAuthority> {
  return guarded(folder, async () => replacedBy(folder, guard, await makePair()));
}

/**
 * Issues a new certificate for the CA's existing key. Leaves also verify with the old certificate until it expires;
 * nothing breaks before the trust stores have the new one. Rejects with `ca.unreadable`.
 */
export function renewCertificateAuthority(
  folder: string,
  ca: CertificateAuthority,
  guard?: KeyGuard,
): Promise<CertificateAuthority> {
  return guarded(folder, () => replacedBy(folder, guard, renewedPair(ca)));
}

/** Replaces the folder's CA with the user's own. `pair`: from `readCaMaterial`. Rejects with `ca.unreadable`. */
export function adoptCertificateAuthority(folder: string, pair: Pair, guard?: KeyGuard): Promise<CertificateAuthority> {
  return guarded(folder, () => replacedBy(folder, guard, pair));
}
