import fs from 'node:fs';
import tls from 'node:tls';

/** Where Linux distributions keep all roots in one file: Debian and Arch, Fedora, openSUSE, Alpine. */
const BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

const CERTIFICATE = /-----BEGIN (?:TRUSTED )?CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END (?:TRUSTED )?CERTIFICATE-----/g;

/** The certificates within a PEM text, each by itself; comments between them are dropped. */
export function certificatesIn(pem: string): string[] {
  return pem.match(CERTIFICATE) ?? [];
}

function firstBundle(): string[] {
  for (const file of BUNDLES) {
    try {
      return certificatesIn(fs.readFileSync(file, 'latin1'));
    } catch {
      // Another distribution's place.
    }
  }
  return [];
}

/** Before Node 22.15 there is no getCACertificates (Electron 22): only Linux has its roots in a file then. */
function systemRoots(): string[] {
  if (typeof tls.getCACertificates !== 'function') return firstBundle();
  return [...tls.getCACertificates('system'), ...tls.getCACertificates('extra')];
}

let known: readonly string[] | null = null;

/**
 * Every root that this machine trusts, PEM: Node's bundled ones, the system's, NODE_EXTRA_CA_CERTS. Read once in a
 * process: it takes about 40 ms.
 */
export function trustedRoots(): readonly string[] {
  known ??= [...new Set([...tls.rootCertificates, ...systemRoots()].map((pem) => pem.trim()))];
  return known;
}
