import tls from 'node:tls';

const CERTIFICATE = /-----BEGIN (?:TRUSTED )?CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END (?:TRUSTED )?CERTIFICATE-----/g;

/** Splits a PEM text into its certificates; drops comments between them. */
export function certificatesIn(pem: string): string[] {
  return pem.match(CERTIFICATE) ?? [];
}

const SOURCES = ['bundled', 'system', 'extra'] as const;

let known: readonly string[] | null = null;

/**
 * Every root that this machine trusts, PEM: Node's bundled roots, the system's, and NODE_EXTRA_CA_CERTS. Read once per
 * process, because it takes about 40 ms.
 */
export function trustedRoots(): readonly string[] {
  known ??= [...new Set(SOURCES.flatMap((source) => tls.getCACertificates(source)).map((pem) => pem.trim()))];
  return known;
}
