import type { CertificateInfo } from '../../../shared/model/tls-info.ts';
import { CA_NAME_PREFIX } from './ca-files.ts';
import { DAY } from './sign-certificate.ts';

/** Early enough that whoever opens Roundtrip twice a year meets the notice before anything breaks. */
export const RENEW_BEFORE = 180 * DAY;

/** `renew`: ours, and near its end or past it. `replace`: likewise, but the user's own, which only they can renew. */
export type CaLife = 'fresh' | 'renew' | 'replace';

/** `now`: milliseconds since the Unix epoch. */
export function lifeOf({ subject, notAfter }: CertificateInfo, now: number): CaLife {
  if (Date.parse(notAfter) - now > RENEW_BEFORE) return 'fresh';
  return subject.includes(`CN=${CA_NAME_PREFIX}`) ? 'renew' : 'replace';
}
