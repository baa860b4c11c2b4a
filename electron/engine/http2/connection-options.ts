import type { RawHeaders } from '../../../shared/model/headers.ts';
import type { FloodLimits } from './flood-watch.ts';
import type { PeerSettings } from './settings.ts';
import type { Http2Stream } from './stream.ts';

export interface Http2Options {
  /** Whether the other side is the client. */
  server: boolean;
  /**
   * Bytes that a stream, and the connection, may have on the way to us. No less than 65,536: a peer may send one byte less
   * before it has read of it, and the connection's first window is never made smaller (RFC 9113, section 6.9.2).
   */
  streamWindow: number;
  connectionWindow: number;
  /** Streams that the peer may have open. */
  streams: number;
  /** Bytes of a header block, compressed and not, and the fields that it may hold. */
  headBytes: number;
  headFields: number;
  floods: FloodLimits;
  /** Our SETTINGS, and all behind them, go out once it calls back; without it at once. */
  whenReady?: ((ready: () => void) => void) | null;
  /** Milliseconds without a stream after which the connection ends well. */
  idleTime: number;
  /** Milliseconds after which a stream on which nothing passes is told of. */
  streamSilence: number;
}

export interface Http2Handlers {
  /** A client's request. Its stream holds what comes until somebody listens. */
  request(stream: Http2Stream, fields: RawHeaders, endStream: boolean): void;
  /** A request that was refused. `fault`: a part of a sentence; null: its head is over the limit. */
  refused(fault: string | null): void;
  /** The peer's SETTINGS have come, or others. */
  settings(peer: PeerSettings): void;
  goaway(code: number, debug: string): void;
  /** A stream has ended: there is room. */
  streamOver(stream: Http2Stream): void;
  /** Nothing comes any more. `error`: what the peer did (ConnectionFault), or the socket's; null for a plain end. */
  closed(error: Error | null): void;
}
