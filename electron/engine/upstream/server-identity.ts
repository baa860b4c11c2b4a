import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import forge from 'node-forge';
import { failure, RoundtripError } from '../errors.ts';

/** Chrome's and OpenSSL's limit (security level 2). */
const RSA_BITS = 2048;

/** Signatures that can be forged: MD5 and SHA-1, with RSA, DSA and ECDSA. */
const WEAK_SIGNATURES = new Map([
  ['1.2.840.113549.1.1.4', 'MD5'],
  ['1.2.840.113549.1.1.5', 'SHA-1'],
  ['1.3.14.3.2.29', 'SHA-1'],
  ['1.2.840.10040.4.3', 'SHA-1'],
  ['1.2.840.10045.4.1', 'SHA-1'],
]);

/** A certificate is sequence(unsigned, sequence(algorithm, ...), signature). */
function signatureHash(raw: Buffer): string | undefined {
  const { asn1 } = forge;
  const [, algorithm] = asn1.fromDer(raw.toString('latin1')).value as forge.asn1.Asn1[];
  const [oid] = (algorithm?.value ?? []) as forge.asn1.Asn1[];
  return WEAK_SIGNATURES.get(asn1.derToOid(oid?.value as string));
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
