import type { Exchange } from '../../../shared/model/exchange.ts';
import { firstHeader } from '../../../shared/model/headers.ts';

/**
 * Whether the response's body is complete according to its head although its end has not arrived. Over HTTP/2,
 * END_STREAM may follow in a frame by itself, and a client that has all the bytes does not wait for it.
 */
export function hasWholeBody({ request, response }: Pick<Exchange, 'request' | 'response'>): boolean {
  if (!response) return false;
  const { status, headers, body } = response;
  if (request.method === 'HEAD' || status === 204 || status === 304) return true;
  const length = firstHeader(headers, 'content-length');
  return length !== undefined && Number(length) === body.size;
}
