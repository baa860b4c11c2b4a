import { createHash, X509Certificate } from 'node:crypto';
import { roundtripError } from '../../failures/errors.ts';
import type { Pair } from './ca-files.ts';
import { fromBytes, parts, toBytes } from './der.ts';
import { pkcs12File } from './pkcs12.ts';

/** The export formats of a CA. `p12` includes the private key and needs a passphrase. */
export const CA_FORMS = ['pem', 'der', 'p12', 'android', 'ios'] as const;
export type CaForm = (typeof CA_FORMS)[number];

export interface ExportedCa {
  /** The suggested file name. */
  name: string;
  extension: string;
  description: string;
  bytes: Buffer;
}

/** Characters. Shorter passphrases can be brute-forced in an afternoon. */
const SHORTEST_PASSPHRASE = 8;

/**
 * `openssl x509 -subject_hash_old`: the first four bytes of the subject's MD5, little endian. Android's system store
 * uses it as the file name.
 */
function subjectHashOld(certificate: X509Certificate): string {
  const subject = parts(parts(fromBytes(certificate.raw))[0])[5];
  if (subject === undefined) throw new TypeError('the certificate has no subject');
  return createHash('md5').update(toBytes(subject)).digest().readUInt32LE(0).toString(16).padStart(8, '0');
}

/** A UUID derived from the CA: installing the profile again replaces the earlier one. */
function uuidOf(certificate: X509Certificate, salt: string): string {
  const hex = createHash('sha256').update(certificate.raw).update(salt).digest('hex').toUpperCase();
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A configuration profile with one payload, com.apple.security.root (Apple, "Configuration Profile Reference"). */
function iosProfile(certificate: X509Certificate): string {
  const name = escaped(/CN=(.+)/.exec(certificate.subject)?.[1] ?? 'Roundtrip CA');
  const [inner, outer] = [uuidOf(certificate, 'certificate'), uuidOf(certificate, 'profile')];
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>PayloadContent</key>
  <array>
    <dict>
      <key>PayloadCertificateFileName</key><string>roundtrip-ca.cer</string>
      <key>PayloadContent</key><data>${certificate.raw.toString('base64')}</data>
      <key>PayloadDisplayName</key><string>${name}</string>
      <key>PayloadIdentifier</key><string>dev.roundtrip.ca.${inner}</string>
      <key>PayloadType</key><string>com.apple.security.root</string>
      <key>PayloadUUID</key><string>${inner}</string>
      <key>PayloadVersion</key><integer>1</integer>
    </dict>
  </array>
  <key>PayloadDescription</key><string>Lets Roundtrip show this device’s HTTPS traffic.</string>
  <key>PayloadDisplayName</key><string>${name}</string>
  <key>PayloadIdentifier</key><string>dev.roundtrip.profile.${outer}</string>
  <key>PayloadRemovalDisallowed</key><false/>
  <key>PayloadType</key><string>Configuration</string>
  <key>PayloadUUID</key><string>${outer}</string>
  <key>PayloadVersion</key><integer>1</integer>
</dict>
</plist>
`;
}

async function pkcs12(pair: Pair, passphrase: string): Promise<Buffer> {
  if (passphrase.length >= SHORTEST_PASSPHRASE) return pkcs12File(pair, passphrase);
  const detail = `a PKCS#12 file holds the private key: give a passphrase of ${SHORTEST_PASSPHRASE} characters or more`;
  throw roundtripError('ca.export-refused', { detail });
}

/** Exports the CA as a file. Rejects with `ca.export-refused`. */
export async function exportedCa(pair: Pair, form: CaForm, passphrase: string): Promise<ExportedCa> {
  if (form !== 'p12') return exportedCertificate(pair, form);
  const bytes = await pkcs12(pair, passphrase);
  return { name: 'roundtrip-ca.p12', extension: 'p12', description: 'Key and certificate (PKCS#12)', bytes };
}

/** Exports the CA's certificate as a file. */
export function exportedCertificate(pair: Pair, form: Exclude<CaForm, 'p12'>): ExportedCa {
  const certificate = new X509Certificate(pair.certificatePem);
  const pem = Buffer.from(pair.certificatePem, 'latin1');
  switch (form) {
    case 'pem':
      return { name: 'roundtrip-ca.crt', extension: 'crt', description: 'Certificate (PEM)', bytes: pem };
    case 'der':
      return { name: 'roundtrip-ca.cer', extension: 'cer', description: 'Certificate (DER)', bytes: certificate.raw };
    case 'android': {
      const name = `${subjectHashOld(certificate)}.0`;
      return { name, extension: '0', description: 'Android system certificate', bytes: pem };
    }
    case 'ios': {
      const bytes = Buffer.from(iosProfile(certificate), 'utf8');
      const description = 'Configuration profile';
      return { name: 'roundtrip-ca.mobileconfig', extension: 'mobileconfig', description, bytes };
    }
  }
}
