import type { Exchange } from '../../../shared/model/exchange.ts';
import { firstHeader } from '../../../shared/model/headers.ts';

/**
 * Whether all of a response's body has come, as its head says, though its end has not: over HTTP/2 END_STREAM may follow in
 * a frame by itself, and a client that has all it wants does not wait for it.
 */
export function hasWholeBody({ request, response }: Pick<Exchange, 'request' | 'response'>): boolean {
  if (!response) return false;
  const { status, headers, body } = response;
  if (request.method === 'HEAD' || status === 204 || status === 304) return true;
  const length = firstHeader(headers, 'content-length');
  return length !== undefined && Number(length) === body.size;
}
