import type { Duplex } from 'node:stream';
import type { ConnectionInfo } from '../../../shared/model/connection.ts';
import type { Failure } from '../../../shared/model/failure.ts';
import type { RawHeaders } from '../../../shared/model/headers.ts';
import type { Door } from '../check/door.ts';
import type { UpstreamLoss } from '../http2/connection-loss.ts';
import type { ConnectionUser } from '../upstream/connection-user.ts';
import type { UpstreamConnection } from '../upstream/upstream-stream.ts';
import type { RequestContext } from './h1-request.ts';
import type { BodySink, RequestHead, ResponseHead } from './message.ts';

/** What every stream of one client connection shares. */
export interface ClientConnection extends ConnectionUser {
  info: ConnectionInfo;
  readonly context: RequestContext;
  /** What the client offered in its hello; empty: no ALPN, or no TLS. Upstream is offered the same (design, "HTTP/2"). */
  readonly offeredAlpn: readonly string[];
  readonly serverName: string | null;
  /** The upstream connection that carried its last request: the next one goes over it too where it is idle. */
  sticky: UpstreamConnection | null;
  /** It comes from another machine. */
  readonly otherMachine: boolean;
  /** The door that it came through, where its program has one of its own. */
  readonly door: Door | null;
  /** Called with each request of a connection whose TLS ends here: its client has accepted our certificate. */
  readonly accepted?: () => void;
}

/** How an exchange is cut off towards the client. `code`: the RST_STREAM code on h2; 0: upstream named none. */
export interface Reset {
  code: number;
  /** Upstream ended with a TCP reset, so the client gets one too. */
  tcpReset: boolean;
  /** Where upstream's connection ended, or could not be opened, the client's ends the same way; `stream`: `code` is upstream's. */
  lost?: UpstreamLoss;
}

/** Who takes a client's request: its body as it comes, and what becomes of the client. */
export interface RequestHandlers {
  /** Like a BodySink's `piece`, `end` and `flush`, of the request's body. */
  requestPiece(wire: Buffer | null, payload: readonly Buffer[]): boolean;
  requestEnd(trailers: RawHeaders): void;
  requestFlush(): void;
  /** The client went away, or broke the protocol, before the exchange was over. */
  clientAborted(failure: Failure, resetCode: number): void;
  /** The client ended its side of the connection behind the request, and may still read (h1). */
  clientHalfClosed(): void;
  /** What was written to the client has drained. */
  clientDrained(): void;
}

/** One request as a client's face hands it over, and the way back for its response. Both faces, h1 and h2, are one of these. */
export interface ClientStream extends BodySink {
  readonly connection: ClientConnection;
  readonly head: RequestHead;
  /** By `performance.now()`: since when the head's last byte may have been there. */
  readonly headAt: number;
  /** By `performance.now()`, once what was written so far is out (`turn.ts`): the response's first byte left, and its last. */
  readonly respondedAt: number;
  readonly wroteAt: number;
  /** Begins to deliver the request's body, and calls back on what goes wrong. Called once. */
  receive(taker: RequestHandlers): void;
  resumeBody(): void;
  /** Whether no byte that was written is known to have stayed here. */
  readonly hasTakenAll: boolean;
  /** Goes out at once. */
  informational(head: ResponseHead): void;
  /** After this `piece`, `end` and `flush` carry the response's body. */
  respond(head: ResponseHead): void;
  reset(reset: Reset): void;
  /** After a 101: the raw connection, with what was read ahead. h2 has none. */
  upgrade(): { socket: Duplex; ahead: Buffer } | null;
}

export type ClientStreamHandler = (stream: ClientStream) => void;

/** A message that the client got wrong, with the status it is answered with where it is one for an answer. */
export type ClientProblemHandler = (
  failure: Failure,
  connection: ClientConnection,
  head: { method: string; path: string; headers: RawHeaders } | null,
) => void;
