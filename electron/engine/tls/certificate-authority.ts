import { createHash, createPrivateKey, generateKeyPair, type KeyObject, X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { CertificateInfo } from '../../../shared/model/tls-info.ts';
import { describe, roundtripError } from '../errors.ts';
import { basicConstraints, keyIdentifier, keyUsage, subjectKeyIdentifier } from './certificate-extensions.ts';
import { certificateInfo } from './certificate-info.ts';
import { toPem } from './der.ts';
import { publishOnce } from './publish-file.ts';
import { DAY, distinguishedName, selfSignCertificate } from './sign-certificate.ts';

/** What every CA of ours begins its common name with: how the trust stores tell an older one of ours. */
export const CA_NAME_PREFIX = 'Roundtrip CA ';
const VALID_DAYS = 3650;

/** Seals the key file, with the system's keychain under Electron. Both throw where they can't. */
export interface KeyGuard {
  wrap(pem: string): Buffer;
  unwrap(sealed: Buffer): string;
}

export interface CertificateAuthority {
  certificatePem: string;
  keyPem: string;
  info: CertificateInfo;
  /** Base64 of SHA-256 over the public key's SPKI: Chromium's `--ignore-certificate-errors-spki-list`. */
  spkiHash: string;
  certificatePath: string;
}

interface Pair {
  certificatePem: string;
  keyPem: string;
}

async function makePair(): Promise<Pair> {
  const { privateKey, publicKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const id = keyIdentifier(publicKey);
  const now = Date.now();
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

/** A key file that the guard did not seal is taken as it is: the command line may have made it. */
function openKeyFile(sealed: Buffer, guard: KeyGuard | undefined): string {
  const text = sealed.toString('latin1');
  if (KEY_BLOCK.test(text)) return text;
  if (guard === undefined) throw new Error('it holds no private key in PEM, or the desktop app sealed it');
  return guard.unwrap(sealed);
}

function checkedPair(keyText: string, certificateFile: string | null): Pair {
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

function readPair(folder: string, guard: KeyGuard | undefined): Pair | null {
  // ca.key stands before ca.crt does, so they are read the other way round: a CA being made is never taken for half of one.
  const certificate = readIfThere(path.join(folder, 'ca.crt'));
  const sealed = readIfThere(path.join(folder, 'ca.key'));
  if (sealed === null && certificate === null) return null;
  if (sealed === null) throw new Error('ca.key is missing');
  const pair = checkedPair(openKeyFile(sealed, guard), certificate?.toString('latin1') ?? null);
  if (certificate === null) publishOnce(path.join(folder, 'ca.crt'), pair.certificatePem, 0o644);
  return pair;
}

/**
 * The key file is the one point at which a new CA comes to be: it holds the certificate too, so whichever process gets
 * its name first has made the CA, and a death before ca.crt stands loses nothing (the next start writes it).
 */
async function readOrMakePair(folder: string, guard: KeyGuard | undefined): Promise<Pair> {
  const found = readPair(folder, guard);
  if (found !== null) return found;
  const made = await makePair();
  const text = made.keyPem + made.certificatePem;
  publishOnce(path.join(folder, 'ca.key'), guard ? guard.wrap(text) : text, 0o600);
  const pair = readPair(folder, guard);
  if (pair === null) throw new Error('the files went away while they were made');
  return pair;
}

function spkiHashOf(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64');
}

/**
 * The CA kept in the data folder (`ca.crt`, and `ca.key` which only the user can read), made at first use. Several
 * processes may call it at once and get the same one. A folder or pair that can't be used rejects with `ca.unreadable`
 * and is left as it is.
 */
export async function openCertificateAuthority(dataFolder: string, guard?: KeyGuard): Promise<CertificateAuthority> {
  try {
    fs.mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
    const pair = await readOrMakePair(dataFolder, guard);
    const certificate = new X509Certificate(pair.certificatePem);
    return {
      ...pair,
      info: certificateInfo(certificate),
      spkiHash: spkiHashOf(certificate.publicKey),
      certificatePath: path.join(dataFolder, 'ca.crt'),
    };
  } catch (error) {
    throw roundtripError('ca.unreadable', { path: dataFolder, detail: describe(error) });
  }
}
