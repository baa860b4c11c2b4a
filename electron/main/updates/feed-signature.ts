import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';

/** The parts of a feed (`latest-linux.yml`) that decide which bytes are installed. */
export interface SignedRelease {
  version: string;
  files: readonly { url: string; sha512: string }[];
}

/** The rest of a feed (dates, sizes, notes) does not affect what is run, and electron-builder may add to it. */
function signedBytes({ version, files }: SignedRelease): Buffer {
  const names = files.map(({ url, sha512 }) => [url, sha512]);
  return Buffer.from(JSON.stringify([version, names]));
}

/** The public half of a private key (PEM), as base64 of its SPKI: the package carries it. */
export function publicKeyOf(privateKeyPem: string): string {
  return createPublicKey(createPrivateKey(privateKeyPem)).export({ format: 'der', type: 'spki' }).toString('base64');
}

/** The signature (ECDSA with SHA-256 for a P-256 key), base64: the feed's field `signature`. */
export function signRelease(release: SignedRelease, privateKeyPem: string): string {
  return sign('sha256', signedBytes(release), privateKeyPem).toString('base64');
}

/** Whether the private half of `publicKey` (base64 SPKI) signed this release. Never throws. */
export function isSignedRelease(release: SignedRelease, signature: unknown, publicKey: string): boolean {
  if (typeof signature !== 'string') return false;
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    return verify('sha256', signedBytes(release), key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}
