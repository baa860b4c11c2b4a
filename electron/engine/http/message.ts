import type { RawHeaders } from '../../../shared/model/headers.ts';

/** How the end of a body is told (RFC 9112, section 6; h2 tells it with END_STREAM: `stream`). */
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

/** Names of the fields of an h2 head that no compressor may keep: a hop passes that on (RFC 7541, section 7.1.3). */
export type NeverIndexed = readonly string[] | null;

/** A request's head in the one shape that both faces make and take. */
export interface RequestHead {
  neverIndexed?: NeverIndexed;
  method: string;
  scheme: 'http' | 'https';
  /** As the client named it (Host, `:authority`), the scheme's own port left out. */
  authority: string;
  /** Where it goes. */
  host: string;
  port: number;
  path: string;
  version: HttpVersion;
  /** As on the wire; on h2 with the pseudo-header fields, in the client's order. */
  headers: RawHeaders;
  framing: Framing;
  /** The very bytes that an h1 upstream gets; null on h2. */
  wire: Buffer | null;
  /** Bytes as they came. */
  size: number;
  /** Asks to switch protocols (h1 Upgrade). */
  upgrade: boolean;
  /** Whether the client will send another request on its connection after this one. */
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
  /** What is wrong with the message, in words, where RFC 9112 reads it in one way all the same. Set by its end at the latest. */
  fault?: string;
}

/**
 * One read's worth of a body. `wire` is what came, framing included, and null on h2; `payload` is what it carries.
 * An h1 sink that has the same framing passes `wire` on untouched.
 */
export interface BodySink {
  /** False asks the source to hold until it is resumed. */
  piece(wire: Buffer | null, payload: readonly Buffer[]): boolean;
  end(trailers: RawHeaders): void;
  /** The source has nothing more to say for now: what was gathered goes out in one write. */
  flush(): void;
}
