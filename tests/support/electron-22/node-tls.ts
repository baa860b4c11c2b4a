import fs from 'node:fs';
import tls from 'node:tls';

/** Where Linux distributions store all roots in one file: Debian and Arch, Fedora, openSUSE, Alpine. */
const BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Node 22.15 added `getCACertificates`. This one has no `extra` certificates. */
function getCACertificates(source: string): readonly string[] {
  if (source === 'bundled') return tls.rootCertificates;
  const bundle = source === 'system' ? BUNDLES.find((file) => fs.existsSync(file)) : undefined;
  return bundle === undefined ? [] : (fs.readFileSync(bundle, 'latin1').match(CERTIFICATE) ?? []);
}

export * from 'node:tls';
export default { ...tls, getCACertificates };
