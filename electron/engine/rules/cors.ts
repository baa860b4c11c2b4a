import { firstHeader, type RawHeaders } from '../../../shared/model/headers.ts';
import type { RequestHead, ResponseHead } from '../http/message.ts';
import { withField } from './fields.ts';

export function corsFields(headers: RawHeaders): string[] {
  const origin = firstHeader(headers, 'origin');
  if (origin === undefined) return [];
  return ['Access-Control-Allow-Origin', origin, 'Access-Control-Allow-Credentials', 'true', 'Vary', 'Origin'];
}

/** The fields that let a preflight pass (Fetch standard, "CORS-preflight fetch"); null if it is not a preflight. */
export function preflightFields({ method, headers }: RequestHead): string[] | null {
  const wanted = firstHeader(headers, 'access-control-request-method');
  if (method !== 'OPTIONS' || wanted === undefined) return null;
  const names = firstHeader(headers, 'access-control-request-headers');
  const allowed = names === undefined ? [] : ['Access-Control-Allow-Headers', names];
  return [...corsFields(headers), 'Access-Control-Allow-Methods', wanted, ...allowed];
}

/**
 * Status and fields that let the page at the request's origin read the response. A preflight also needs a successful
 * status. Without an Origin field, nothing changes.
 */
export function allowingCors(
  { status, headers, version }: ResponseHead,
  request: RequestHead,
): Pick<ResponseHead, 'status' | 'headers'> {
  const preflight = preflightFields(request);
  const fields = preflight ?? corsFields(request.headers);
  const isHttp2 = version === 'HTTP/2.0';
  let changed = headers;
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index] ?? '';
    const value = fields[index + 1] ?? '';
    changed = withField(changed, isHttp2 ? name.toLowerCase() : name, name === 'Vary' ? varyOn(value, changed) : value);
  }
  const isSuccess = status >= 200 && status < 300;
  return { status: preflight && !isSuccess ? 204 : status, headers: changed };
}

/** A response may already vary on other fields. */
function varyOn(name: string, headers: RawHeaders): string {
  const before = firstHeader(headers, 'vary');
  const names = before?.split(',').map((each) => each.trim().toLowerCase()) ?? [];
  if (before === undefined) return name;
  return names.includes(name.toLowerCase()) || names.includes('*') ? before : `${before}, ${name}`;
}
