import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import {
  authorityKeyIdentifier,
  basicConstraints,
  keyIdentifier,
  keyUsage,
  serverAuthentication,
  subjectAltName,
  subjectKeyIdentifier,
} from '../ca/certificate-extensions.ts';
import { commonNameFor } from '../ca/certificate-names.ts';
import { type Der, fromBytes, parts, toPem } from '../ca/der.ts';
import {
  type CertificateRequest,
  DAY,
  distinguishedName,
  publicKeyInfo,
  signCertificate,
  signCertificateAside,
} from '../ca/sign-certificate.ts';

/**
 * From March 2026 browsers reject leaves over 200 days (CA/Browser Forum SC-081). Less a day for backdating, and slack.
 */
const VALID_DAYS = 197;

/** The subject of a certificate, byte for byte as encoded. */
function subjectOf(certificate: X509Certificate): Der {
  const [unsigned] = parts(fromBytes(certificate.raw));
  const subject = parts(unsigned)[5];
  if (subject === undefined) throw new TypeError('the certificate has no subject');
  return subject;
}

/** Issues leaf certificates, all for one key. */
export class LeafIssuer {
  readonly #issuer: Der;
  readonly #issuerKey: KeyObject;
  readonly #leafKey: Der;
  readonly #fixedExtensions: Der[];

  constructor(ca: { certificatePem: string; keyPem: string }, leafKeyPem: string) {
    const certificate = new X509Certificate(ca.certificatePem);
    this.#issuer = subjectOf(certificate);
    this.#issuerKey = createPrivateKey(ca.keyPem);
    const leafKey = createPublicKey(leafKeyPem);
    this.#leafKey = publicKeyInfo(leafKey);
    this.#fixedExtensions = [
      basicConstraints(false),
      keyUsage('leaf'),
      serverAuthentication(),
      subjectKeyIdentifier(keyIdentifier(leafKey)),
      authorityKeyIdentifier(keyIdentifier(certificate.publicKey)),
    ];
  }

  /** A certificate for these names, PEM. Throws if a name is not valid in a certificate. */
  mint(names: readonly string[]): string {
    return toPem('CERTIFICATE', signCertificate(this.#request(names), this.#issuerKey));
  }

  /** Like `mint`, but signed on another thread. Rejects if a name is not valid in a certificate. */
  async mintAside(names: readonly string[]): Promise<string> {
    return toPem('CERTIFICATE', await signCertificateAside(this.#request(names), this.#issuerKey));
  }

  #request(names: readonly string[]): CertificateRequest {
    const now = Date.now();
    const commonName = commonNameFor(names);
    return {
      issuer: this.#issuer,
      subject: distinguishedName(commonName === undefined ? {} : { commonName }),
      publicKey: this.#leafKey,
      notBefore: new Date(now - DAY),
      notAfter: new Date(now + (VALID_DAYS - 1) * DAY),
      extensions: [...this.#fixedExtensions, subjectAltName(names, commonName === undefined)],
    };
  }
}
