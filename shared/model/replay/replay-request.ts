import type { Failure } from '../failure.ts';
import type { RawHeaders } from '../headers.ts';
import type { ReplayOf, ReplayRoute } from './replay-of.ts';

/** A request that Roundtrip itself sends. Plain data: it crosses threads. */
export interface ReplayRequest {
  method: string;
  scheme: 'http' | 'https';
  /** Where the connection goes. */
  host: string;
  port: number;
  /** `host[:port]`: the name by which the origin is requested. */
  authority: string;
  /** The target as sent, raw. */
  path: string;
  version: 'HTTP/1.0' | 'HTTP/1.1' | 'HTTP/2.0';
  /** As sent, in this order; on h2 with the pseudo-header fields. */
  headers: RawHeaders;
  trailers: RawHeaders;
  /** For SNI and the certificate's check. */
  serverName: string;
  /** What TLS offers by ALPN; empty: nothing. More than the protocol of `version` lets upstream's choice change it. */
  alpn: readonly string[];
  /** Whether rules apply to it. */
  rules: boolean;
  route: ReplayRoute;
  replayOf: ReplayOf | null;
}

/** How a replayed request ended. */
export interface ReplayResult {
  /** Its id in the recorded session. */
  exchange: number;
  /** 0: no response. */
  status: number;
  /** Milliseconds, -1 where unknown. */
  ttfb: number;
  /** Milliseconds. */
  total: number;
  failure: Failure | null;
  /** The response's Location field, or null. */
  location: string | null;
}
