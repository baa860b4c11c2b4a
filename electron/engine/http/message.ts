import type { RawHeaders } from '../../../shared/model/headers.ts';

/** How a message defines the end of its body (RFC 9112, section 6). `stream`: h2's END_STREAM. */
export type Framing =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly length: number }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'close' }
  | { readonly kind: 'stream' };

export const NO_BODY_FRAMING: Framing = { kind: 'none' };
export const CHUNKED_FRAMING: Framing = { kind: 'chunked' };
export const CLOSE_FRAMING: Framing = { kind: 'close' };
export const STREAM_FRAMING: Framing = { kind: 'stream' };

export type HttpVersion = 'HTTP/1.0' | 'HTTP/1.1' | 'HTTP/2.0';

/** Names of h2 fields that no compressor may index; each hop must preserve this (RFC 7541, section 7.1.3). */
export type NeverIndexed = readonly string[] | null;

/** A request's head in the common form that both faces produce and consume. */
export interface RequestHead {
  neverIndexed?: NeverIndexed;
  method: string;
  scheme: 'http' | 'https';
  /** As the client sent it (Host, `:authority`), without the scheme's default port. */
  authority: string;
  /** The host to connect to. */
  host: string;
  port: number;
  path: string;
  version: HttpVersion;
  /** As on the wire; on h2 with the pseudo-header fields, in the client's order. */
  headers: RawHeaders;
  framing: Framing;
  /** The exact bytes for an h1 upstream; null on h2. */
  wire: Buffer | null;
  /** Size of the head as received, bytes. */
  size: number;
  /** A rule sends the request elsewhere. */
  isMapped?: boolean;
  /** Asks to switch protocols (h1 Upgrade). */
  upgrade: boolean;
  /** Whether the client may send another request on its connection. */
  keepAlive: boolean;
}

export interface ResponseHead {
  neverIndexed?: NeverIndexed;
  status: number;
  statusText: string;
  version: HttpVersion;
  headers: RawHeaders;
  framing: Framing;
  wire: Buffer | null;
  size: number;
  keepAlive: boolean;
  /**
   * A description of the message's fault, if RFC 9112 still allows only one reading. Set at the message's end at the
   * latest.
   */
  fault?: string;
}

/** Whether the connection carries other bytes than HTTP after this response (RFC 9110, sections 7.8 and 9.3.6). */
export function switchesProtocol(status: number, method: string): boolean {
  return status === 101 || (method === 'CONNECT' && status >= 200 && status < 300);
}

/**
 * Accepts a body, one read's part at a time. `wire`: the bytes as received, with framing; null on h2. `payload`: the
 * content in them. An h1 sink with the same framing forwards `wire` unchanged.
 */
export interface BodySink {
  /** Returning false asks the source to pause until it is resumed. */
  piece(wire: Buffer | null, payload: readonly Buffer[]): boolean;
  end(trailers: RawHeaders): void;
  /** The source has no more bytes for now: write what was collected, in one call. */
  flush(): void;
}
