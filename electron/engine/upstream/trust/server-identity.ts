import { X509Certificate } from 'node:crypto';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import { failure, RoundtripError } from '../../../failures/errors.ts';
import { PeerX509 } from './peer-certificate.ts';

/** The limit of Chrome and OpenSSL (security level 2). */
const RSA_BITS = 2048;

/**
 * Forgeable signature algorithms: MD5 and SHA-1 with RSA, DSA and ECDSA; keyed by the hex of their OID's DER encoding.
 */
const WEAK_SIGNATURES = new Map([
  ['2a864886f70d010104', 'MD5'],
  ['2a864886f70d010105', 'SHA-1'],
  ['2b0e03021d', 'SHA-1'],
  ['2a8648ce380403', 'SHA-1'],
  ['2a8648ce3d0401', 'SHA-1'],
]);

/** The start and end of the value in the DER element at `at`. */
function derValue(bytes: Buffer, at: number): { start: number; end: number } {
  const first = bytes.readUInt8(at + 1);
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  const start = at + 2 + lengthBytes;
  return { start, end: start + (lengthBytes === 0 ? first : bytes.readUIntBE(at + 2, lengthBytes)) };
}

/**
 * Returns the name of a weak signature algorithm, or undefined. A certificate is sequence(unsigned, sequence(algorithm,
 * ...), signature), already parsed by OpenSSL. Parsed by hand because node-forge parses the entire certificate, which
 * took longer than verifying it.
 */
function signatureHash(raw: Buffer): string | undefined {
  const unsigned = derValue(raw, derValue(raw, 0).start);
  const oid = derValue(raw, derValue(raw, unsigned.end).start);
  return WEAK_SIGNATURES.get(raw.toString('hex', oid.start, oid.end));
}

/** The leaf and its intermediates. The root is left out, because trust in it does not depend on its signature. */
function chainOf(leaf: PeerX509): PeerX509[] {
  const chain: PeerX509[] = [];
  for (let one: PeerX509 | undefined = leaf; one && chain.length < 10; one = one.issuerCertificate) {
    const ends = one.isSelfSigned;
    if (!ends || chain.length === 0) chain.push(one);
    if (ends) break;
  }
  return chain;
}

function weakness(chain: PeerX509[]): string | undefined {
  for (const { rsaBits = RSA_BITS, raw } of chain) {
    if (rsaBits < RSA_BITS) return `its RSA key has ${rsaBits} bits`;
    const hash = signatureHash(raw);
    if (hash !== undefined) return `it is signed with ${hash}`;
  }
  return undefined;
}

/** `CN=a.test`, or as much of it as the certificate has. */
export function subjectOf(certificate: PeerX509 | undefined): string {
  const name = certificate?.subject?.CN ?? certificate?.subject?.O;
  return name === undefined ? 'no subject' : `CN=${[name].flat().join(', ')}`;
}

function wrongHost(host: string, certificate: PeerX509, detail: string): RoundtripError {
  const about = { host, subject: subjectOf(certificate), detail };
  return new RoundtripError(failure('upstream.certificate-wrong-host', about, 'ERR_TLS_CERT_ALTNAME_INVALID'));
}

/**
 * Node's `checkServerIdentity` plus the checks of browsers: a subject alternative name is required (Node accepts a bare
 * CN), RSA keys need 2,048 bits, and SHA-1 is rejected (OpenSSL enforces these by its security level; BoringSSL has
 * none). The chain has already been verified. Returns the failure, as Node expects. For a socket passed to
 * `rememberPeer`, also checks the intermediates.
 */
export function verifyServerIdentity(host: string, given: PeerCertificate): Error | undefined {
  const certificate = given instanceof PeerX509 ? given : new PeerX509(new X509Certificate(given.raw));
  const { subjectaltname } = certificate;
  if (!subjectaltname) return wrongHost(host, certificate, 'no host (it has no subject alternative name)');
  // Without the subject, because names that appear only there do not count.
  const named = { subjectaltname, subject: {} } as PeerCertificate;
  if (checkServerIdentity(host, named) !== undefined) return wrongHost(host, certificate, subjectaltname);
  const detail = weakness(chainOf(certificate));
  if (detail === undefined) return undefined;
  return new RoundtripError(failure('upstream.certificate-weak', { host, subject: subjectOf(certificate), detail }));
}
