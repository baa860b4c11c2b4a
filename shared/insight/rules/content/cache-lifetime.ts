import { remembered } from '../../../format/remembered.ts';

/** What a response's fields say about its freshness (RFC 9111, section 4.2.1). */
export interface CacheLifetime {
  /** Seconds; null without max-age and Expires. */
  seconds: number | null;
  /** It must not be cached, or only for one user or with revalidation: a deliberate choice that needs no finding. */
  deliberate: boolean;
}

interface CacheFields {
  'cache-control'?: string;
  expires?: string;
}

/** What Cache-Control says alone. */
const stated = remembered((value): CacheLifetime => {
  const control = value.toLowerCase();
  const deliberate = /no-store|no-cache|must-revalidate|private|stale-while-revalidate/.test(control);
  const age = /(?:^|[\s,])max-age\s*=\s*"?(\d+)/.exec(control);
  return { seconds: age === null ? null : Number(age[1]), deliberate };
});

/** `at`: when the response arrived, milliseconds since the Unix epoch. */
export function cacheLifetime(fields: CacheFields, at: number): CacheLifetime {
  const lifetime = stated(fields['cache-control'] ?? '');
  const { seconds, deliberate } = lifetime;
  if (seconds !== null || fields.expires === undefined) return lifetime;
  const expires = Date.parse(fields.expires);
  // An invalid date means "already expired" (RFC 9111, section 5.3).
  return { seconds: Number.isNaN(expires) ? 0 : Math.max(0, (expires - at) / 1000), deliberate };
}
