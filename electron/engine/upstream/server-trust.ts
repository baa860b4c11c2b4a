import { X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import { createSecureContext, type PeerCertificate, type SecureContext } from 'node:tls';
import type { Settings } from '../../../shared/model/settings.ts';
import { describe, roundtripError } from '../errors.ts';
import { certificatesIn, trustedRoots } from '../tls/system-roots.ts';
import { verifyServerIdentity } from './server-identity.ts';

/** What upstream certificates are held against: options for `tls.connect`, the context shared by all connections. */
export interface UpstreamTrust {
  readonly secureContext: SecureContext;
  readonly rejectUnauthorized: boolean;
  readonly checkServerIdentity: (host: string, certificate: PeerCertificate) => Error | undefined;
}

export type TrustSettings = Pick<Settings, 'upstreamCaFiles' | 'insecureUpstream'>;

function readCaFile(file: string): string[] {
  try {
    const certificates = certificatesIn(fs.readFileSync(file, 'latin1'));
    if (certificates.length === 0) throw new Error('it holds no certificate in PEM');
    for (const pem of certificates) new X509Certificate(pem);
    return certificates;
  } catch (error) {
    throw roundtripError('settings.invalid', { detail: `the upstream CA file ${file}: ${describe(error)}` });
  }
}

/**
 * Reads the roots and builds the context that upstream TLS needs: some 30 to 60 ms, so call it once for each change of
 * these settings, not for each connection. Throws `settings.invalid` that names a CA file which can't be used.
 */
export function upstreamTlsOptions(settings: TrustSettings): UpstreamTrust {
  const extra = settings.upstreamCaFiles.flatMap(readCaFile);
  return {
    secureContext: createSecureContext({ ca: [...trustedRoots(), ...extra] }),
    rejectUnauthorized: !settings.insecureUpstream,
    checkServerIdentity: verifyServerIdentity,
  };
}
