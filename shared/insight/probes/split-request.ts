import type { Exchange } from '../../model/exchange.ts';

/** Bytes of a full TCP segment on Ethernet, with timestamps. */
const SEGMENT = 1448;
/** Round trips for which the cost is given, milliseconds: a near and a far server. */
const ROUND_TRIPS = [20, 100] as const;

/** How a request with a body left the client. */
export interface SplitRequest {
  /** Head and body arrived, and left, in one piece. */
  inOnePiece: boolean;
  /** Milliseconds from the first byte out to the last. */
  apart: number;
  /** Segments that the bytes need in any case. */
  segments: number;
}

/** Null for a request without a body, over HTTP/2 (where frames of many requests share segments), or not sent. */
export function splitRequest({ client, request, timings }: Exchange): SplitRequest | null {
  if (client.protocol === 'h2' || client.protocol === 'tunnel' || request.body.size === 0 || timings.send < 0)
    return null;
  const segments = Math.ceil((request.headSize + request.body.size) / SEGMENT);
  return { inOnePiece: timings.send === 0, apart: timings.send, segments };
}

/**
 * What it means, one sentence. Without Nagle's algorithm a second segment follows at once and costs no round trip; with
 * it, the segment waits for the acknowledgement of the first (RFC 9293, section 3.7.4).
 */
export function splitSentence({ inOnePiece, apart, segments }: SplitRequest): string {
  const needed = segments === 1 ? 'one segment' : `${segments} segments`;
  if (inOnePiece) return `Head and body left in one piece, which fits in ${needed}.`;
  const costs = ROUND_TRIPS.map((rtt) => `${rtt} ms at a round trip of ${rtt} ms`).join(', ');
  return (
    `Head and body left in at least two pieces, ${apart.toFixed(1)} ms apart; ${needed} would do. With Nagle's ` +
    `algorithm in the client, the second piece costs a round trip: ${costs}.`
  );
}
