import { createHash, X509Certificate } from 'node:crypto';

/** Chromium's form of a CA for `--ignore-certificate-errors-spki-list`. */
export function browserSpki(caPem: string): string {
  const key = new X509Certificate(caPem).publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(key).digest('base64');
}
