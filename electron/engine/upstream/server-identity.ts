import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import { failure, RoundtripError } from '../errors.ts';

/** Chrome's and OpenSSL's limit (security level 2). */
const RSA_BITS = 2048;

/** Signatures that can be forged: MD5 and SHA-1, with RSA, DSA and ECDSA; by their OID's DER bytes in hex. */
const WEAK_SIGNATURES = new Map([
  ['2a864886f70d010104', 'MD5'],
  ['2a864886f70d010105', 'SHA-1'],
  ['2b0e03021d', 'SHA-1'],
  ['2a8648ce380403', 'SHA-1'],
  ['2a8648ce3d0401', 'SHA-1'],
]);

/** Where the value of the DER element at `at` begins and ends. */
function derValue(bytes: Buffer, at: number): { start: number; end: number } {
  const first = bytes.readUInt8(at + 1);
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  const start = at + 2 + lengthBytes;
  return { start, end: start + (lengthBytes === 0 ? first : bytes.readUIntBE(at + 2, lengthBytes)) };
}

/**
 * A certificate is sequence(unsigned, sequence(algorithm, ...), signature), which OpenSSL has read before. Read by hand:
 * node-forge reads all of the certificate, which took longer than verifying it.
 */
function signatureHash(raw: Buffer): string | undefined {
  const unsigned = derValue(raw, derValue(raw, 0).start);
  const oid = derValue(raw, derValue(raw, unsigned.end).start);
  return WEAK_SIGNATURES.get(raw.toString('hex', oid.start, oid.end));
}

type Chained = PeerCertificate & { issuerCertificate?: Chained; modulus?: string; bits?: number };

function isSelfSigned(certificate: Chained): boolean {
  return certificate.issuerCertificate?.fingerprint256 === certificate.fingerprint256;
}

/** The leaf and its intermediates; a root's signature is not what makes it trusted. */
function chainOf(leaf: Chained): Chained[] {
  const chain: Chained[] = [];
  for (let one: Chained | undefined = leaf; one !== undefined && chain.length < 10; one = one.issuerCertificate) {
    if (chain.length > 0 && isSelfSigned(one)) break;
    chain.push(one);
    if (isSelfSigned(one)) break;
  }
  return chain;
}

function weakness(chain: Chained[]): string | undefined {
  for (const certificate of chain) {
    const { modulus, bits = RSA_BITS } = certificate;
    if (modulus !== undefined && bits < RSA_BITS) return `its RSA key has ${bits} bits`;
    const hash = signatureHash(certificate.raw);
    if (hash !== undefined) return `it is signed with ${hash}`;
  }
  return undefined;
}

/** `CN=a.test`, as far as there is one. */
export function subjectOf(certificate: PeerCertificate | undefined): string {
  const name = certificate?.subject?.CN ?? certificate?.subject?.O;
  return name === undefined ? 'no subject' : `CN=${[name].flat().join(', ')}`;
}

function wrongHost(host: string, certificate: PeerCertificate, detail: string): RoundtripError {
  const about = { host, subject: subjectOf(certificate), detail };
  return new RoundtripError(failure('upstream.certificate-wrong-host', about, 'ERR_TLS_CERT_ALTNAME_INVALID'));
}

/**
 * Node's `checkServerIdentity`, with what browsers ask beyond it: a subject alternative name (Node takes a bare CN), no
 * RSA key under 2,048 bits and no SHA-1 (OpenSSL refuses these by its security level, BoringSSL has none). The chain has
 * been verified before. Returns the failure, as Node wants it.
 */
export function verifyServerIdentity(host: string, certificate: PeerCertificate): Error | undefined {
  if (!certificate.subjectaltname) return wrongHost(host, certificate, 'no host (it has no subject alternative name)');
  if (checkServerIdentity(host, certificate) !== undefined)
    return wrongHost(host, certificate, certificate.subjectaltname);
  const detail = weakness(chainOf(certificate));
  if (detail === undefined) return undefined;
  return new RoundtripError(failure('upstream.certificate-weak', { host, subject: subjectOf(certificate), detail }));
}
