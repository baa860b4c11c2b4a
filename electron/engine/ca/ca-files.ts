import { createPrivateKey, generateKeyPair, type KeyObject, X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { readOwnFile } from '../../files/own-file.ts';
import { publishOnce, replaceFile } from '../../files/publish-file.ts';
import { basicConstraints, keyIdentifier, keyUsage, subjectKeyIdentifier } from './certificate-extensions.ts';
import { toPem } from './der.ts';
import { DAY, distinguishedName, selfSignCertificate } from './sign-certificate.ts';

/** The prefix of every Roundtrip CA's common name; identifies older Roundtrip CAs in trust stores. */
export const CA_NAME_PREFIX = 'Roundtrip CA ';
const VALID_DAYS = 3650;

/** Encrypts the key file, with the system's keychain under Electron. Both functions throw on failure. */
export interface KeyGuard {
  wrap(pem: string): Buffer;
  unwrap(sealed: Buffer): string;
}

/** A CA's certificate and its private key (PKCS#8), both PEM. */
export interface Pair {
  certificatePem: string;
  keyPem: string;
}

/**
 * Issues a CA certificate for a key, valid from now on. Its name is derived from the key: a renewed certificate still
 * verifies the leaves issued before.
 */
function certify(privateKey: KeyObject, publicKey: KeyObject, now: number): Pair {
  const id = keyIdentifier(publicKey);
  const certificate = selfSignCertificate(
    {
      // The key's id, not the machine's name: other people see the CA's name on phones and in logs, and two CAs with
      // the same name confuse path building.
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

/**
 * Makes a P-256 key, like the leaves' key: signing takes a tenth of the time of RSA. An RSA CA would not help a client
 * that supports only RSA, since the leaves are P-256 too.
 */
export async function makePair(now = Date.now()): Promise<Pair> {
  const { privateKey, publicKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
  return certify(privateKey, publicKey, now);
}

/** The same key with a new certificate, which verifies all leaves that the old one verified. */
export function renewedPair({ certificatePem, keyPem }: Pair, now = Date.now()): Pair {
  return certify(createPrivateKey(keyPem), new X509Certificate(certificatePem).publicKey, now);
}

const KEY_BLOCK = /-----BEGIN PRIVATE KEY-----[^-]+-----END PRIVATE KEY-----\n?/;
const CERTIFICATE_BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/;

/** Precedes an encrypted key, to distinguish an encrypted file from a damaged one. */
const SEALED = Buffer.from('roundtrip-sealed-key 1\n', 'latin1');

/** Whether the desktop app encrypted the key file. Only the desktop app can decrypt it. */
export function isSealedKey(file: Buffer): boolean {
  return file.subarray(0, SEALED.length).equals(SEALED);
}

/** A key file that the guard did not encrypt is read as plain PEM: the command line may have written it. */
function openKeyFile(file: Buffer, guard: KeyGuard | undefined): string {
  if (!isSealedKey(file)) return file.toString('latin1');
  if (guard === undefined) throw new Error('the desktop app sealed ca.key with the system keychain');
  return guard.unwrap(file.subarray(SEALED.length));
}

function keyFileOf(pair: Pair, guard: KeyGuard | undefined): string | Buffer {
  const text = pair.keyPem + pair.certificatePem;
  return guard ? Buffer.concat([SEALED, guard.wrap(text)]) : text;
}

/** Parses and checks both. Throws an Error that names the problem. */
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

/**
 * Completes a CA replacement that was interrupted between its two files. ca.key also holds the new certificate and
 * wins.
 */
function finishExchange(folder: string, keyText: string, certificate: string | null): string | null {
  const kept = CERTIFICATE_BLOCK.exec(keyText)?.[0];
  if (certificate === null || kept === undefined || certificate.trim() === kept.trim()) return certificate;
  if (!isFormer(folder, certificate)) return certificate;
  replaceFile(path.join(folder, 'ca.crt'), kept, 0o644);
  return kept;
}

function readPair(folder: string, guard: KeyGuard | undefined): Pair | null {
  // ca.key is written before ca.crt. Reading them in reverse order never sees a certificate without its key.
  const certificate = readOwnFile(path.join(folder, 'ca.crt'));
  const sealed = readOwnFile(path.join(folder, 'ca.key'));
  if (sealed === null && certificate === null) return null;
  if (sealed === null) throw new Error('ca.key is missing');
  const keyText = openKeyFile(sealed, guard);
  const pair = checkedPair(keyText, finishExchange(folder, keyText, certificate?.toString('latin1') ?? null));
  if (certificate === null) publishOnce(path.join(folder, 'ca.crt'), pair.certificatePem, 0o644);
  return pair;
}

/**
 * Publishing the key file creates the CA: the file holds the certificate too, and the process that publishes it first
 * wins. A crash before ca.crt is written loses nothing, because the next start writes it.
 */
export async function readOrMakePair(folder: string, guard: KeyGuard | undefined): Promise<Pair> {
  const found = readPair(folder, guard);
  if (found !== null) return found;
  const made = await makePair();
  publishOnce(path.join(folder, 'ca.key'), keyFileOf(made, guard), 0o600);
  const pair = readPair(folder, guard);
  if (pair === null) throw new Error('the files were removed while they were created');
  return pair;
}

/** The folder for the certificates of earlier CAs; needed to recognize trust stores that still trust one of them. */
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

/** The certificates of this folder's earlier CAs, PEM. Their keys are not kept. */
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
  let pair: Pair | null;
  try {
    pair = readPair(folder, guard);
  } catch {
    keepUnreadable(folder, former, now);
    return;
  }
  if (pair) publishOnce(path.join(former, formerName(pair.certificatePem)), pair.certificatePem, 0o644);
}

/** The user may want to inspect or repair the files. */
function keepUnreadable(folder: string, former: string, now: number): void {
  for (const name of ['ca.crt', 'ca.key']) {
    const file = path.join(folder, name);
    if (fs.existsSync(file)) fs.copyFileSync(file, path.join(former, `unreadable-${now}-${name}`));
  }
}

/**
 * Replaces the folder's CA. Keeps the former certificate in `former-cas`, or both files unchanged if they can't be
 * read. A crash in between leaves either the old CA or the new one.
 */
export function replacePair(folder: string, guard: KeyGuard | undefined, pair: Pair): void {
  setAside(folder, guard, Date.now());
  replaceFile(path.join(folder, 'ca.key'), keyFileOf(pair, guard), 0o600);
  replaceFile(path.join(folder, 'ca.crt'), pair.certificatePem, 0o644);
}
