import { firstHeader, headerPairs, type RawHeaders } from '../../../shared/model/headers.ts';
import type { RecordedResponse } from '../page/recorded-page.ts';
import type { VariantPlan } from '../variants.ts';

/**
 * Fields that are not replayed, besides HTTP/2's `:status`: those of one connection (RFC 9110, section 7.6.1), framing,
 * which the replay writes itself, and fields that would redirect the browser elsewhere or clear its cache.
 */
const DROPPED = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  'trailer',
  'te',
  'content-length',
  'date',
  'alt-svc',
  'clear-site-data',
  'strict-transport-security',
  'access-control-allow-origin',
  'timing-allow-origin',
]);
/** Replaced in variants that set the cache's behaviour. */
const CACHING = new Set(['cache-control', 'expires', 'pragma', 'etag', 'last-modified', 'age', 'vary']);

const YEAR = 31_536_000;

export interface HeadContext {
  plan: VariantPlan;
  /** The request's `Origin`. */
  origin: string | undefined;
  /** The response is a page's document. */
  isDocument: boolean;
  /** The page has URLs of cleartext HTTP. */
  hasCleartext: boolean;
}

/** `Expires` relative to now, as it was relative to the recorded `Date`. */
function shiftedExpiry(value: string, recorded: RawHeaders): string {
  const [expires, date] = [Date.parse(value), Date.parse(firstHeader(recorded, 'date') ?? '')];
  return Number.isNaN(expires - date) ? value : new Date(Date.now() + expires - date).toUTCString();
}

function cachingFields({ id }: RecordedResponse, cache: VariantPlan['cache']): [string, string][] {
  if (cache === 'fresh') return [['cache-control', `public, max-age=${YEAR}, immutable`]];
  return [
    ['cache-control', 'no-cache'],
    ['etag', `"${id}"`],
  ];
}

/**
 * The fields of a replayed response: those recorded, with dates relative to now and CORS permissions for the requesting
 * origin. `Timing-Allow-Origin` makes the page's timings readable, and cleartext URLs in the page become TLS.
 */
export function responseFields(
  response: RecordedResponse,
  { plan, origin, isDocument, hasCleartext }: HeadContext,
): [string, string][] {
  const setsCache = plan.cache !== 'empty' && !isDocument && response.status === 200;
  const fields = headerPairs(response.headers)
    .filter(([name]) => {
      const lower = name.toLowerCase();
      return !lower.startsWith(':') && !DROPPED.has(lower) && !(setsCache && CACHING.has(lower));
    })
    .map(([name, value]): [string, string] =>
      name.toLowerCase() === 'expires' ? [name, shiftedExpiry(value, response.headers)] : [name, value],
    );
  const allowed = firstHeader(response.headers, 'access-control-allow-origin');
  if (allowed !== undefined) fields.push(['access-control-allow-origin', allowed === '*' ? '*' : (origin ?? allowed)]);
  if (setsCache) fields.push(...cachingFields(response, plan.cache));
  if (isDocument && hasCleartext) fields.push(['content-security-policy', 'upgrade-insecure-requests']);
  return [...fields, ['timing-allow-origin', '*']];
}

/** Whether requests of different origins get different fields. */
export function dependsOnOrigin({ headers }: RecordedResponse): boolean {
  const allowed = firstHeader(headers, 'access-control-allow-origin');
  return allowed !== undefined && allowed !== '*';
}

/** Permission for a preflight that the recording does not hold (Fetch, section 4.8). */
export function preflightFields(origin: string, method: string, headers: string | undefined): [string, string][] {
  return [
    ['access-control-allow-origin', origin],
    ['access-control-allow-credentials', 'true'],
    ['access-control-allow-methods', method],
    ...(headers === undefined ? [] : [['access-control-allow-headers', headers] satisfies [string, string]]),
  ];
}
