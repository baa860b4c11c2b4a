import type { PeerX509 } from './trust/peer-certificate.ts';

type PurposeCode = 'upstream.certificate-wrong-purpose' | 'upstream.certificate-issuer-not-ca';

/** id-kp-serverAuth and anyExtendedKeyUsage (RFC 5280, section 4.2.1.12). */
const FOR_SERVERS = ['1.3.6.1.5.5.7.3.1', '2.5.29.37.0'];

function allowsServers({ x509 }: PeerX509): boolean {
  // Node calls the extended key usage `keyUsage`; undefined: any use.
  const uses: readonly string[] | undefined = x509.keyUsage;
  return uses === undefined || uses.some((use) => FOR_SERVERS.includes(use));
}

/** digitalSignature, keyEncipherment and keyAgreement, in the first byte of the bits (section 4.2.1.3). */
const FOR_TLS = 0xa8;
const KEY_USAGE = Buffer.from('0603551d0f', 'hex');

/**
 * Node does not expose the key usage. In DER: its OID, an optional critical flag of three bytes, OCTET STRING, BIT
 * STRING.
 */
function keyUsageAllowsTls({ raw }: PeerX509): boolean {
  const at = raw.indexOf(KEY_USAGE);
  if (at < 0) return true;
  const value = at + KEY_USAGE.length;
  const octets = raw[value] === 1 ? value + 3 : value;
  const bits = raw[octets + 5];
  return bits === undefined || (bits & FOR_TLS) !== 0;
}

export function nameOf(name: PeerX509['issuer'] | undefined): string {
  const known = name?.CN ?? name?.O;
  return known === undefined ? 'an issuer without a name' : [known].flat().join(', ');
}

function issuersOf(certificate: PeerX509): PeerX509[] {
  const issuers: PeerX509[] = [];
  // A root is its own issuer.
  for (let at = certificate; !at.isSelfSigned && issuers.length < 10; ) {
    const next = at.issuerCertificate;
    if (next === undefined) break;
    issuers.push(next);
    at = next;
  }
  return issuers;
}

/**
 * Explains OpenSSL's "unsuitable certificate purpose". OpenSSL reports it for the server's own certificate, and also
 * for an issuer that is not a CA: most often an ordinary certificate that was used to sign another one.
 */
export function purposeFault(certificate: PeerX509 | undefined): [code: PurposeCode, detail: string] {
  if (certificate === undefined) return ['upstream.certificate-wrong-purpose', 'it is for another purpose'];
  const issuers = issuersOf(certificate);
  const notCa = issuers.find(({ x509 }) => !x509.ca);
  if (notCa) return ['upstream.certificate-issuer-not-ca', nameOf(notCa.subject)];
  if (!allowsServers(certificate))
    return ['upstream.certificate-wrong-purpose', 'its extended key usage does not include servers'];
  if (!keyUsageAllowsTls(certificate))
    return ['upstream.certificate-wrong-purpose', 'its key usage does not include TLS'];
  const limited = issuers.find((issuer) => !allowsServers(issuer));
  if (limited) {
    const detail = `the extended key usage of its issuer ${nameOf(limited.subject)} does not include servers`;
    return ['upstream.certificate-wrong-purpose', detail];
  }
  // The server did not send that issuer: it is one of the certificates trusted here.
  return ['upstream.certificate-issuer-not-ca', nameOf((issuers.at(-1) ?? certificate).issuer)];
}
