import type { ConnectionInfo } from '../../../../shared/model/connection.ts';
import type { RequestHead } from '../../http/message.ts';
import type { ConnectionLoss } from '../../http2/connection-loss.ts';
import type { Http2Stream } from '../../http2/stream.ts';
import type { StreamHandlers } from '../../http2/stream-events.ts';
import type { Origin } from '../origin.ts';

/** What a stream uses of the upstream HTTP/2 session that carries it. */
export interface H2Session {
  readonly origin: Origin;
  readonly info: ConnectionInfo;
  /** Whether it can carry another stream. */
  readonly usable: boolean;
  /** Writes to the socket so far. */
  readonly writes: number;
  /** How the connection was lost; null while it is open. */
  readonly loss: ConnectionLoss | null;
  /** Whether the peer has sent any valid HTTP/2. */
  readonly isSettled: boolean;
  /** Opens a stream and sends the request's head. */
  request(head: RequestHead, endStream: boolean, exchange: StreamHandlers): Http2Stream;
}
