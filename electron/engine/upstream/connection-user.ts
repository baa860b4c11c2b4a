import type { ConnectionInfo } from '../../../shared/model/connection.ts';
import type { Goaway } from '../http2/connection-loss.ts';

/** The client connection whose requests an upstream connection carries. */
export interface ConnectionUser {
  /** The client has closed its side and sends nothing more. */
  closed: boolean;
  /** An HTTP/2 client: its requests share upstream sessions with each other, and with no other open client's. */
  multiplexes?: boolean;
  /**
   * Upstream sent a GOAWAY with an error, and `exchanges` requests of this client continue over that upstream
   * connection. HTTP/2 clients only.
   */
  upstreamLeaves?(goaway: Goaway, exchanges: number): void;
  /** The SETTINGS of its upstream connection allow `streams` requests at once. HTTP/2 clients only. */
  upstreamAllows?(streams: number): void;
  /** An upstream connection whose last request was this client's is gone. HTTP/1.1 clients only. */
  upstreamGone?(connection: ConnectionInfo): void;
}
