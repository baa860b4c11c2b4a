import type { X509Certificate } from 'node:crypto';
import type { CertificateInfo } from '../../../shared/model/tls-info.ts';

/** OpenSSL writes one attribute a line, `CN=a\nO=b`. */
function onOneLine(name: string | undefined): string {
  return (name ?? '').split('\n').join(', ');
}

function isoDate(opensslDate: string): string {
  const time = Date.parse(opensslDate);
  return Number.isNaN(time) ? opensslDate : new Date(time).toISOString();
}

/** Node writes a comma within a name as \u002c (CVE-2021-44532), so each comma stands between two names. */
function splitAltNames(text: string | undefined): string[] {
  return text === undefined ? [] : text.split(', ');
}

/** What is shown and kept of a certificate. Throws nothing: an unreadable date stays as OpenSSL wrote it. */
export function certificateInfo(x509: X509Certificate): CertificateInfo {
  return {
    subject: onOneLine(x509.subject),
    issuer: onOneLine(x509.issuer),
    altNames: splitAltNames(x509.subjectAltName),
    serialNumber: x509.serialNumber,
    notBefore: isoDate(x509.validFrom),
    notAfter: isoDate(x509.validTo),
    fingerprint: x509.fingerprint256,
  };
}
