import type { RawHeaders } from '../../../shared/model/headers.ts';
import type { FloodLimits } from './flood-watch.ts';
import type { PeerSettings } from './settings.ts';
import type { Http2Stream } from './stream.ts';

export interface Http2Options {
  /** Whether the other side is the client. */
  server: boolean;
  /**
   * Receive windows of each stream and of the connection, bytes. At least 65,536: until the peer has read our SETTINGS
   * it may send 65,535 bytes, and the connection's initial window is never reduced (RFC 9113, section 6.9.2).
   */
  streamWindow: number;
  connectionWindow: number;
  /** Maximum number of concurrent streams that the peer may open. */
  streams: number;
  /** Maximum size of a header block, compressed and uncompressed, in bytes, and maximum number of fields. */
  headBytes: number;
  headFields: number;
  floods: FloodLimits;
  /** Delays our SETTINGS and everything after them until it calls back. Null or absent: they are sent at once. */
  whenReady?: ((ready: () => void) => void) | null;
  /** Milliseconds without open streams after which the connection closes gracefully. */
  idleTime: number;
  /** Milliseconds without traffic on a stream before `onSilence` is called. */
  streamSilence: number;
}

export interface Http2Handlers {
  /** A request arrived on a server connection. The stream holds incoming data until `listen` is called. */
  request(stream: Http2Stream, fields: RawHeaders, endStream: boolean): void;
  /** A request was refused. `fault`: the reason as part of a sentence; null if its head exceeds the limit. */
  refused(fault: string | null): void;
  /** The peer's SETTINGS arrived or changed. */
  settings(peer: PeerSettings): void;
  goaway(code: number, debug: string): void;
  /** A stream ended, which frees a slot for another. */
  streamOver(stream: Http2Stream): void;
  /** Nothing more arrives. `error`: the peer's fault (ConnectionFault) or the socket's error; null for a clean end. */
  closed(error: Error | null): void;
}
