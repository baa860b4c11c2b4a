import type { ComposedRequest } from '../../../../shared/model/replay/composed-request.ts';
import type { ReplayResult } from '../../../../shared/model/replay/replay-request.ts';

/** As many as browsers follow. */
export const MOST_REDIRECTS = 20;

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Only for the origin for which they were given. */
const CREDENTIALS = new Set(['authorization', 'cookie', 'proxy-authorization']);
const OF_BODY = new Set(['content-length', 'content-type', 'content-encoding', 'transfer-encoding']);

/** 301 and 302 turn a POST into a GET, as all clients do; 303 does this for every method (RFC 9110, section 15.4). */
function becomesGet(status: number, method: string): boolean {
  if (status === 303) return method !== 'HEAD';
  return (status === 301 || status === 302) && method === 'POST';
}

/** The request to follow a redirect, or null if the response is not a redirect that can be followed. */
export function redirected(request: ComposedRequest, { status, location }: ReplayResult): ComposedRequest | null {
  if (!REDIRECTS.has(status) || location === null || !URL.canParse(location, request.url)) return null;
  const [from, to] = [new URL(request.url), new URL(location, request.url)];
  if (to.protocol !== 'http:' && to.protocol !== 'https:') return null;
  const asGet = becomesGet(status, request.method);
  const headers = request.headers.filter(([name]) => {
    const lower = name.toLowerCase();
    if (lower === 'host' || (asGet && OF_BODY.has(lower))) return false;
    return from.origin === to.origin || !CREDENTIALS.has(lower);
  });
  return {
    ...request,
    url: to.href,
    headers,
    method: asGet ? 'GET' : request.method,
    body: asGet ? { kind: 'none' } : request.body,
  };
}
