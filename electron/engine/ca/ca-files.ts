import { createPrivateKey, generateKeyPair, type KeyObject, X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { publishOnce, replaceFile } from '../../files/publish-file.ts';
import { basicConstraints, keyIdentifier, keyUsage, subjectKeyIdentifier } from './certificate-extensions.ts';
import { toPem } from './der.ts';
import { DAY, distinguishedName, selfSignCertificate } from './sign-certificate.ts';

/** What every CA of ours begins its common name with: how the trust stores tell an older one of ours. */
export const CA_NAME_PREFIX = 'Roundtrip CA ';
const VALID_DAYS = 3650;

/** Seals the key file, with the system's keychain under Electron. Both throw where they can't. */
export interface KeyGuard {
  wrap(pem: string): Buffer;
  unwrap(sealed: Buffer): string;
}

/** A CA's certificate and its private key (PKCS#8), both PEM. */
export interface Pair {
  certificatePem: string;
  keyPem: string;
}

/** A CA certificate of ours for a key, valid from now on. Its name comes of the key: renewed, it is the same CA to whoever checks a leaf. */
function certify(privateKey: KeyObject, publicKey: KeyObject, now: number): Pair {
  const id = keyIdentifier(publicKey);
  const certificate = selfSignCertificate(
    {
      // The key's id, not the machine's name: other people read the CA's name on phones and in logs, and two CAs of one name confuse path building.
      subject: distinguishedName({
        organization: 'Roundtrip',
        commonName: CA_NAME_PREFIX + id.toString('hex').slice(0, 8),
      }),
      notBefore: new Date(now - DAY),
      notAfter: new Date(now + (VALID_DAYS - 1) * DAY),
      extensions: [basicConstraints(true), keyUsage('ca'), subjectKeyIdentifier(id)],
    },
    privateKey,
  );
  const keyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { certificatePem: toPem('CERTIFICATE', certificate), keyPem };
}

/** Of P-256, as the leaves: it signs in a tenth of the time that RSA takes, and a client that knew RSA alone could use none of them. */
export async function makePair(now = Date.now()): Promise<Pair> {
  const { privateKey, publicKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
  return certify(privateKey, publicKey, now);
}

/** The same key with a new certificate: what the old one vouched for, the new one does. */
export function renewedPair({ certificatePem, keyPem }: Pair, now = Date.now()): Pair {
  return certify(createPrivateKey(keyPem), new X509Certificate(certificatePem).publicKey, now);
}

function readIfThere(file: string): Buffer | null {
  try {
    return fs.readFileSync(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

const KEY_BLOCK = /-----BEGIN PRIVATE KEY-----[^-]+-----END PRIVATE KEY-----\n?/;
const CERTIFICATE_BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/;

/** Before what a guard sealed, so that a sealed file is told from a damaged one. */
const SEALED = Buffer.from('roundtrip-sealed-key 1\n', 'latin1');

/** Whether a key file was sealed by the desktop app, which alone can open it. */
export function isSealedKey(file: Buffer): boolean {
  return file.subarray(0, SEALED.length).equals(SEALED);
}

/** A key file that the guard did not seal is taken as it is: the command line may have made it. */
function openKeyFile(file: Buffer, guard: KeyGuard | undefined): string {
  if (!isSealedKey(file)) return file.toString('latin1');
  if (guard === undefined) throw new Error('the desktop app sealed ca.key with the system keychain');
  return guard.unwrap(file.subarray(SEALED.length));
}

function keyFileOf(pair: Pair, guard: KeyGuard | undefined): string | Buffer {
  const text = pair.keyPem + pair.certificatePem;
  return guard ? Buffer.concat([SEALED, guard.wrap(text)]) : text;
}

/** Throws an Error that says what is wrong with them. */
export function checkedPair(keyText: string, certificateFile: string | null): Pair {
  const keyPem = KEY_BLOCK.exec(keyText)?.[0];
  const certificatePem = certificateFile ?? CERTIFICATE_BLOCK.exec(keyText)?.[0];
  if (keyPem === undefined) throw new Error('the key file holds no private key');
  if (certificatePem === undefined) throw new Error('ca.crt is missing');
  const certificate = new X509Certificate(certificatePem);
  if (!certificate.ca) throw new Error('ca.crt is not a CA certificate');
  if (!certificate.checkPrivateKey(createPrivateKey(keyPem)))
    throw new Error('ca.crt and ca.key do not belong together');
  return { certificatePem, keyPem };
}

/** An exchange of the CA that died between its two files: the key file, which holds the new certificate too, is the truth. */
function finishExchange(folder: string, keyText: string, certificate: string | null): string | null {
  const kept = CERTIFICATE_BLOCK.exec(keyText)?.[0];
  if (certificate === null || kept === undefined || certificate.trim() === kept.trim()) return certificate;
  if (!isFormer(folder, certificate)) return certificate;
  replaceFile(path.join(folder, 'ca.crt'), kept, 0o644);
  return kept;
}

function readPair(folder: string, guard: KeyGuard | undefined): Pair | null {
  // ca.key stands before ca.crt does, so they are read the other way round: a CA being made is never taken for half of one.
  const certificate = readIfThere(path.join(folder, 'ca.crt'));
  const sealed = readIfThere(path.join(folder, 'ca.key'));
  if (sealed === null && certificate === null) return null;
  if (sealed === null) throw new Error('ca.key is missing');
  const keyText = openKeyFile(sealed, guard);
  const pair = checkedPair(keyText, finishExchange(folder, keyText, certificate?.toString('latin1') ?? null));
  if (certificate === null) publishOnce(path.join(folder, 'ca.crt'), pair.certificatePem, 0o644);
  return pair;
}

/**
 * The key file is the one point at which a new CA comes to be: it holds the certificate too, so whichever process gets
 * its name first has made the CA, and a death before ca.crt stands loses nothing (the next start writes it).
 */
export async function readOrMakePair(folder: string, guard: KeyGuard | undefined): Promise<Pair> {
  const found = readPair(folder, guard);
  if (found !== null) return found;
  const made = await makePair();
  publishOnce(path.join(folder, 'ca.key'), keyFileOf(made, guard), 0o600);
  const pair = readPair(folder, guard);
  if (pair === null) throw new Error('the files went away while they were made');
  return pair;
}

/** Where the certificates of earlier CAs are kept, so that stores that trust one are told from those that don't. */
const FORMER = 'former-cas';

function formerName(certificatePem: string): string {
  return `${new X509Certificate(certificatePem).fingerprint256.replaceAll(':', '').slice(0, 32).toLowerCase()}.crt`;
}

function isFormer(folder: string, certificatePem: string): boolean {
  try {
    return fs.existsSync(path.join(folder, FORMER, formerName(certificatePem)));
  } catch {
    return false;
  }
}

/** The certificates of the CAs that this folder had before, PEM. Their keys are not kept. */
export function formerCertificates(folder: string): string[] {
  try {
    const names = fs.readdirSync(path.join(folder, FORMER)).filter((name) => /^[0-9a-f]{32}\.crt$/.test(name));
    return names.map((name) => fs.readFileSync(path.join(folder, FORMER, name), 'latin1'));
  } catch {
    return [];
  }
}

function setAside(folder: string, guard: KeyGuard | undefined, now: number): void {
  const former = path.join(folder, FORMER);
  fs.mkdirSync(former, { recursive: true, mode: 0o700 });
  try {
    const pair = readPair(folder, guard);
    if (pair) publishOnce(path.join(former, formerName(pair.certificatePem)), pair.certificatePem, 0o644);
  } catch {
    // Unreadable: the user may want to see, or mend, what there was.
    for (const name of ['ca.crt', 'ca.key']) {
      const file = path.join(folder, name);
      if (fs.existsSync(file)) fs.copyFileSync(file, path.join(former, `unreadable-${now}-${name}`));
    }
  }
}

/**
 * Puts another CA in the place of the folder's. The former certificate is kept in `former-cas`, files that can't be read
 * are kept there whole. A death in between leaves the old CA or the new one.
 */
export function replacePair(folder: string, guard: KeyGuard | undefined, pair: Pair): void {
  setAside(folder, guard, Date.now());
  replaceFile(path.join(folder, 'ca.key'), keyFileOf(pair, guard), 0o600);
  replaceFile(path.join(folder, 'ca.crt'), pair.certificatePem, 0o644);
}
