import type { Protocol } from '../../model/connection.ts';
import type { Exchange } from '../../model/exchange.ts';
import { allHeaders, firstHeader, type RawHeaders } from '../../model/headers.ts';

/** Whether the client accepts trailers, and what happened to those that upstream sent. */
export interface TrailerProbe {
  /** The request has `TE: trailers` (RFC 9110, section 10.1.4). */
  accepts: boolean;
  /** Trailer fields from upstream. */
  received: number;
  /** They reached the client: the exchange ended as its protocol says, and its protocol can carry them. */
  arrived: boolean;
}

export function trailerProbe({ client, request, response, state }: Exchange): TrailerProbe {
  const received = (response?.trailers.length ?? 0) / 2;
  return {
    accepts: acceptsTrailers(allHeaders(request.headers, 'te').join(', ')),
    received,
    arrived: received > 0 && reachesClient(state, client.protocol, response !== null && hasLength(response.headers)),
  };
}

/** `te`: the values of TE, joined by commas. */
export function acceptsTrailers(te: string): boolean {
  return te.split(',').some((coding) => coding.trim().toLowerCase() === 'trailers');
}

/** A server of HTTP/2 may announce a length and send trailers. */
export function hasLength(headers: RawHeaders): boolean {
  return firstHeader(headers, 'content-length') !== undefined;
}

/**
 * HTTP/1.1 carries trailers only after the last chunk, and a response with a length has no chunks (RFC 9112, section
 * 6.3). HTTP/1.0 has no chunked coding. `sized`: of `hasLength`.
 */
export function reachesClient(state: Exchange['state'], protocol: Protocol, sized: boolean): boolean {
  if (state !== 'complete' || protocol === 'http/1.0') return false;
  return protocol === 'h2' || !sized;
}

/** What it means, one sentence. */
export function trailerSentence({ accepts, received, arrived }: TrailerProbe): string {
  const asked = accepts
    ? 'The client accepts trailers (TE: trailers)'
    : 'The client does not say that it accepts trailers';
  if (received === 0) return `${asked}; none were sent.`;
  const fields = received === 1 ? '1 trailer field' : `${received} trailer fields`;
  return `${asked}; ${fields} came from upstream and ${arrived ? 'reached the client' : 'did not reach the client'}.`;
}
