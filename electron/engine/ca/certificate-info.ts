import type { X509Certificate } from 'node:crypto';
import type { CertificateInfo } from '../../../shared/model/tls-info.ts';

/** OpenSSL writes one attribute per line, `CN=a\nO=b`. */
function onOneLine(name: string | undefined): string {
  return (name ?? '').split('\n').join(', ');
}

function isoDate(opensslDate: string): string {
  const time = Date.parse(opensslDate);
  return Number.isNaN(time) ? opensslDate : new Date(time).toISOString();
}

/** Node escapes a comma within a name as \u002c (CVE-2021-44532); every literal comma is a separator. */
function splitAltNames(text: string | undefined): string[] {
  return text === undefined ? [] : text.split(', ');
}

/** The certificate details that are shown and recorded. Never throws: an unparsable date stays as OpenSSL wrote it. */
export function certificateInfo(x509: X509Certificate): CertificateInfo {
  return {
    subject: onOneLine(x509.subject),
    issuer: onOneLine(x509.issuer),
    altNames: splitAltNames(x509.subjectAltName),
    serialNumber: x509.serialNumber,
    notBefore: isoDate(x509.validFrom),
    notAfter: isoDate(x509.validTo),
    fingerprint: x509.fingerprint256,
    ...keyOf(x509),
  };
}

function keyOf(x509: X509Certificate): Pick<CertificateInfo, 'keyType' | 'keyBits'> {
  try {
    const { asymmetricKeyType: keyType, asymmetricKeyDetails: details } = x509.publicKey;
    if (keyType === undefined) return {};
    return details?.modulusLength === undefined ? { keyType } : { keyType, keyBits: details.modulusLength };
  } catch {
    // A key of a kind that this Node's OpenSSL or BoringSSL can't read.
    return {};
  }
}
