import type { RawHeaders } from '../../../shared/model/headers.ts';

/**
 * The (empty) trailers of a body that ended by RST_STREAM with NO_ERROR instead of END_STREAM. The reset is passed on
 * because clients differ: curl and Chromium treat it as the end, Go and undici as an error.
 */
export const RESET_END: RawHeaders = [];

/** How a stream ended before both sides had sent END_STREAM. */
export interface StreamClose {
  /** The peer reset or refused it (GOAWAY); a protocol violation or internal error; the connection was lost. */
  by: 'peer' | 'fault' | 'loss';
  /** The RST_STREAM code, the peer's or ours: INTERNAL_ERROR if `cause` is an internal error. */
  code: number;
  cause: Error | null;
}

/** Events of a stream. None follow `onClosed`. */
export interface StreamHandlers {
  /** A response head; also called for each informational head before it. */
  onHead(fields: RawHeaders, endStream: boolean): void;
  /** Returns false to pause until `resume`. */
  onData(bytes: Buffer): boolean;
  onEnd(trailers: RawHeaders): void;
  /** Called after a socket read that delivered something to this stream. */
  onReadOver(): void;
  /** The written data was sent. */
  onDrained(): void;
  /** No traffic for the configured time. */
  onSilence(): void;
  onClosed(how: StreamClose): void;
}
