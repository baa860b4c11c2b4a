import type { Exchange } from '../../../shared/model/exchange.ts';
import { firstHeader, mediaTypeOf } from '../../../shared/model/headers.ts';
import { originOf, type RecordedResponse, urlOf } from './recorded-page.ts';

/**
 * Round-trip times of a page's origins, milliseconds, by origin: the shortest TCP handshake. TLS and the upstream
 * proxy's CONNECT are parts of `connect`: only connections without a proxy count.
 */
function roundTrips(exchanges: readonly Exchange[]): Map<string, number> {
  const trips = new Map<string, number>();
  for (const { request, upstream, timings } of exchanges) {
    const handshake = timings.connect - Math.max(timings.ssl, 0);
    if (timings.connect <= 0 || handshake < 0 || upstream === null || upstream.via !== null) continue;
    const origin = originOf(request);
    trips.set(origin, Math.min(trips.get(origin) ?? Number.POSITIVE_INFINITY, handshake));
  }
  return trips;
}

/**
 * Milliseconds that the replay takes for a response, measured with 1,000 of 10 KB. It sends one after another, as the
 * recorded server did.
 */
const REPLAY = 0.05;

/** When the first byte of a response arrived, milliseconds since the Unix epoch. */
function firstByteAt({ startedAt, timings }: Exchange): number {
  const { blocked, dns, connect, send, wait } = timings;
  return [blocked, dns, connect, send, wait].reduce((at, phase) => at + Math.max(phase, 0), startedAt);
}

/** How many of `moments` (ascending) are not after `at`. */
function countUntil(moments: readonly number[], at: number): number {
  let [low, high] = [0, moments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((moments[middle] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The server's own time: the time to first byte without the round trip. Of 100 requests that arrive at once, the last
 * waits for the responses to all others. The replay has to send those too: it does not wait its own time for them
 * again. Returns milliseconds for an exchange. `exchanges`: of the page.
 */
export function serverTimes(exchanges: readonly Exchange[]): (exchange: Exchange) => number {
  const trips = roundTrips(exchanges);
  const begun = new Map<string, number[]>();
  for (const exchange of exchanges) {
    const origin = originOf(exchange.request);
    const moments = begun.get(origin);
    if (moments) moments.push(firstByteAt(exchange));
    else begun.set(origin, [firstByteAt(exchange)]);
  }
  for (const moments of begun.values()) moments.sort((one, other) => one - other);
  return (exchange) => {
    const origin = originOf(exchange.request);
    const { wait } = exchange.timings;
    const [at, moments] = [firstByteAt(exchange), begun.get(origin) ?? []];
    const meanwhile = countUntil(moments, at) - countUntil(moments, at - wait);
    return Math.max(wait - (trips.get(origin) ?? 0) - REPLAY * meanwhile, 0);
  };
}

/** Responses that a server reads from a file: it compares a date or a tag and needs no content. */
const FILE = /^(?:image|font|audio|video)\/|^text\/(?:css|javascript)$|javascript$|wasm$/;

type Timed = Omit<RecordedResponse, 'revalidationTime'>;

/** The fastest response for each key, milliseconds. */
function fastestBy(responses: readonly Timed[], keyOf: (response: Timed) => string): Map<string, number> {
  const fastest = new Map<string, number>();
  for (const response of responses) {
    const key = keyOf(response);
    fastest.set(key, Math.min(fastest.get(key) ?? Number.POSITIVE_INFINITY, response.serverTime));
  }
  return fastest;
}

/**
 * The time that a server takes to respond with 304. If the recording has a 304 of the same URL, that one's time.
 * Otherwise a file takes as long as the fastest response of its origin, which is close to the server's minimum.
 * Everything else takes as long as its response: an API has to compute it before it knows whether it changed. Returns
 * milliseconds for a response. `responses`: of the page, 304s included.
 */
export function revalidationTimes(responses: readonly Timed[]): (response: Timed) => number {
  const unchanged = fastestBy(
    responses.filter(({ status }) => status === 304),
    urlOf,
  );
  const fastest = fastestBy(responses, originOf);
  return (response) => {
    const recorded = unchanged.get(urlOf(response));
    if (recorded !== undefined) return recorded;
    const isFile = FILE.test(mediaTypeOf(firstHeader(response.headers, 'content-type')));
    return isFile ? (fastest.get(originOf(response)) ?? response.serverTime) : response.serverTime;
  };
}
