import type { Exchange } from '../../../shared/model/exchange.ts';
import { originOf } from './recorded-page.ts';

/**
 * Round-trip times of a page's origins, milliseconds, by origin: the shortest TCP handshake. TLS and the upstream
 * proxy's CONNECT are parts of `connect`, so only connections without a proxy count.
 */
export function roundTrips(exchanges: readonly Exchange[]): Map<string, number> {
  const trips = new Map<string, number>();
  for (const { request, upstream, timings } of exchanges) {
    const handshake = timings.connect - Math.max(timings.ssl, 0);
    if (timings.connect <= 0 || handshake < 0 || upstream === null || upstream.via !== null) continue;
    const origin = originOf(request);
    trips.set(origin, Math.min(trips.get(origin) ?? Number.POSITIVE_INFINITY, handshake));
  }
  return trips;
}

/** What the server itself took: the time to first byte less the round trip in it. Milliseconds. */
export function serverTime(exchange: Exchange, trips: ReadonlyMap<string, number>): number {
  return Math.max(exchange.timings.wait - (trips.get(originOf(exchange.request)) ?? 0), 0);
}
