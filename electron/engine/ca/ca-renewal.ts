import type { CertificateInfo } from '../../../shared/model/tls-info.ts';
import { CA_NAME_PREFIX } from './ca-files.ts';
import { DAY } from './sign-certificate.ts';

/** Milliseconds. A user who opens Roundtrip twice a year still sees the notice before the CA expires. */
const RENEW_BEFORE = 180 * DAY;

/**
 * `renew`: our CA expires soon or has expired. `replace`: the same for a user's own CA, which only the user can renew.
 */
export type CaLife = 'fresh' | 'renew' | 'replace';

/** `now`: milliseconds since the Unix epoch. */
export function lifeOf({ subject, notAfter }: CertificateInfo, now: number): CaLife {
  if (Date.parse(notAfter) - now > RENEW_BEFORE) return 'fresh';
  return subject.includes(`CN=${CA_NAME_PREFIX}`) ? 'renew' : 'replace';
}
