import type { Exchange } from '../../model/exchange.ts';
import { firstHeader } from '../../model/headers.ts';

/** Bytes of a full TCP segment on Ethernet, with timestamps. */
const SEGMENT = 1448;
/** Round trips for which the cost is given, milliseconds: a near and a far server. */
const ROUND_TRIPS = [20, 100] as const;

/** How a request with a body left the client. */
export interface SplitRequest {
  /** Head and body arrived, and left, in one piece: in one segment, or in several that came together. */
  inOnePiece: boolean;
  /** Milliseconds from the first byte out to the last. */
  apart: number;
  /** Segments that the bytes need in any case. */
  segments: number;
  /** The request has `Expect: 100-continue`: its body waits on purpose (RFC 9110, section 10.1.1). */
  expects: boolean;
}

/**
 * Null for a request without a body, over HTTP/2 (where frames of many requests share segments), not sent, or held by
 * the throttle.
 */
export function splitRequest({ client, request, timings }: Exchange): SplitRequest | null {
  if (client.protocol === 'h2' || client.protocol === 'tunnel' || request.body.size === 0) return null;
  if (timings.send < 0 || timings.rulesSend > 0) return null;
  const segments = Math.ceil((request.headSize + request.body.size) / SEGMENT);
  const expects = firstHeader(request.headers, 'expect')?.toLowerCase() === '100-continue';
  return { inOnePiece: timings.send === 0, apart: timings.send, segments, expects };
}

/** Segments that one write of a program fills at most: longer bodies leave in pieces in any case. */
const SMALL = 12;

/**
 * What it means, one sentence. Without Nagle's algorithm a second segment follows at once and costs no round trip; with
 * it, the segment waits for the acknowledgement of the first (RFC 9293, section 3.7.4). Pieces that follow at once may
 * arrive together: then nobody waited between them.
 */
export function splitSentence({ inOnePiece, apart, segments, expects }: SplitRequest): string {
  const needed = segments === 1 ? 'one segment' : `${segments.toLocaleString('en')} segments`;
  if (inOnePiece) return `Head and body arrived in one piece, which fits in ${needed}.`;
  const took = `${apart.toFixed(1)} ms`;
  if (expects) return `The body followed after ${took}: the client waited for the response 100 (Expect: 100-continue).`;
  if (segments > SMALL) return `Head and body need ${needed}, which arrived within ${took}.`;
  const costs = ROUND_TRIPS.map((rtt) => `${rtt} ms at a round trip of ${rtt} ms`).join(', ');
  return (
    `Head and body left in at least two pieces, ${took} apart; ${needed} would do. With Nagle's ` +
    `algorithm in the client, the second piece costs a round trip: ${costs}.`
  );
}
