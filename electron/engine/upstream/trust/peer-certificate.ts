import type { X509Certificate } from 'node:crypto';
import type { PeerCertificate } from 'node:tls';

/**
 * The fields of Node's `getPeerCertificate(true)`, under the same names, each read on first use. Reading all of them,
 * with those of the issuers, takes OpenSSL 0.1 ms per connection, and most callers need only names and a fingerprint.
 */
export class PeerX509 {
  readonly x509: X509Certificate;
  #whole: PeerCertificate | undefined;

  constructor(x509: X509Certificate) {
    this.x509 = x509;
  }

  get #legacy(): PeerCertificate {
    this.#whole ??= this.x509.toLegacyObject();
    return this.#whole;
  }

  get raw(): Buffer {
    return this.x509.raw;
  }

  get subjectaltname(): string | undefined {
    return this.x509.subjectAltName;
  }

  get fingerprint256(): string {
    return this.x509.fingerprint256;
  }

  get subject(): PeerCertificate['subject'] {
    return this.#legacy.subject;
  }

  get issuer(): PeerCertificate['issuer'] {
    return this.#legacy.issuer;
  }

  get valid_from(): string {
    return this.x509.validFrom;
  }

  get valid_to(): string {
    return this.x509.validTo;
  }

  /** Size of an RSA key in bits; undefined for other keys. */
  get rsaBits(): number | undefined {
    const { asymmetricKeyType, asymmetricKeyDetails } = this.x509.publicKey;
    return asymmetricKeyType === 'rsa' ? asymmetricKeyDetails?.modulusLength : undefined;
  }

  /** The issuer's certificate, if the server sent it. */
  get issuerCertificate(): PeerX509 | undefined {
    const issuer = this.x509.issuerCertificate;
    return issuer && new PeerX509(issuer);
  }

  get isSelfSigned(): boolean {
    return this.x509.subject === this.x509.issuer && this.x509.checkIssued(this.x509);
  }
}
