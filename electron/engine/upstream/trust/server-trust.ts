import { X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import {
  createSecureContext,
  type PeerCertificate,
  type SecureContext,
  type SecureContextOptions,
  type SecureVersion,
} from 'node:tls';
import type { Settings } from '../../../../shared/model/settings.ts';
import { describe, roundtripError } from '../../../failures/errors.ts';
import { refuseLockedHere } from '../../../files/locked-here.ts';
import { certificatesIn, trustedRoots } from '../../ca/system-roots.ts';
import type { ClientCertificate } from './client-certificate.ts';
import { verifyServerIdentity } from './server-identity.ts';

/** The trust for upstream certificates: options for `tls.connect`, with a context shared by all connections. */
export interface UpstreamTrust {
  readonly secureContext: SecureContext;
  readonly rejectUnauthorized: boolean;
  readonly checkServerIdentity: (host: string, certificate: PeerCertificate) => Error | undefined;
}

export type TrustSettings = Pick<Settings, 'upstreamCaFiles' | 'insecureUpstream'>;

function readCaFile(file: string): string[] {
  try {
    refuseLockedHere(file);
    const certificates = certificatesIn(fs.readFileSync(file, 'latin1'));
    if (certificates.length === 0) throw new Error('it holds no certificate in PEM');
    for (const pem of certificates) new X509Certificate(pem);
    return certificates;
  } catch (error) {
    throw roundtripError('settings.invalid', { detail: `the upstream CA file ${file}: ${describe(error)}` });
  }
}

/** OpenSSL considers versions before 1.2 weak, and offers them only at SECLEVEL 0. */
function versions(minVersion: SecureVersion | undefined): SecureContextOptions {
  if (minVersion === undefined) return {};
  const old = minVersion === 'TLSv1' || minVersion === 'TLSv1.1';
  return old ? { minVersion, ciphers: 'DEFAULT@SECLEVEL=0' } : { minVersion };
}

/**
 * Reads the roots and builds the context for upstream TLS. This takes 30 to 60 ms: call it once per settings change,
 * not per connection. `minVersion`: the oldest accepted TLS version. `client`: presented to servers that request a
 * certificate. Throws `settings.invalid`, which names the unusable CA file.
 */
export function upstreamTlsOptions(
  settings: TrustSettings,
  minVersion?: SecureVersion,
  client: ClientCertificate | null = null,
): UpstreamTrust {
  const extra = settings.upstreamCaFiles.flatMap(readCaFile);
  return {
    secureContext: createSecureContext({ ca: [...trustedRoots(), ...extra], ...versions(minVersion), ...client }),
    rejectUnauthorized: !settings.insecureUpstream,
    checkServerIdentity: verifyServerIdentity,
  };
}
