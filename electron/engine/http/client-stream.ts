import type { Duplex } from 'node:stream';
import type { ConnectionInfo } from '../../../shared/model/connection.ts';
import type { Failure } from '../../../shared/model/failure.ts';
import type { RawHeaders } from '../../../shared/model/headers.ts';
import type { ProgramPort } from '../check/program-port.ts';
import type { UpstreamLoss } from '../http2/connection-loss.ts';
import type { ConnectionUser } from '../upstream/connection-user.ts';
import type { UpstreamConnection } from '../upstream/upstream-stream.ts';
import type { RequestContext } from './h1-request.ts';
import type { BodySink, RequestHead, ResponseHead } from './message.ts';

/** State that all streams of one client connection share. */
export interface ClientConnection extends ConnectionUser {
  info: ConnectionInfo;
  readonly context: RequestContext;
  /**
   * The ALPN list of the client's hello. Empty: no ALPN, or no TLS. Upstream gets the same offer (design, "HTTP/2").
   */
  readonly offeredAlpn: readonly string[];
  readonly serverName: string | null;
  /** The upstream connection of the last request. The next request reuses it if it is idle. */
  sticky: UpstreamConnection | null;
  /** The client runs on another machine. */
  readonly otherMachine: boolean;
  /** The port that the connection came in on if it is one program's; null for the common address. */
  readonly programPort: ProgramPort | null;
  /**
   * Called for each request on a connection whose TLS ends here: a request shows that the client accepted our
   * certificate.
   */
  readonly accepted?: () => void;
  /** Set for TLS whose client offered no ALPN. */
  readonly otherProtocol?: OtherProtocol;
}

/** For a connection that may carry another protocol than HTTP. */
export interface OtherProtocol {
  /** Whether a client's first bytes are not HTTP; null: there are too few. */
  isOther(bytes: Buffer): boolean | null;
  /** Takes over the connection. `ahead`: what the client has sent. */
  carry(ahead: Buffer): void;
}

/** How to cut off an exchange towards the client. `code`: the RST_STREAM code on h2; 0 if upstream gave none. */
export interface Reset {
  code: number;
  /** Upstream closed with a TCP reset; the client's connection is reset too. */
  tcpReset: boolean;
  /** Upstream's connection ended or failed to open: end the client's the same way. `stream`: `code` is upstream's. */
  lost?: UpstreamLoss;
  /** What was written before still goes to the client, at the client's speed. */
  afterBody?: boolean;
}

/** Receives a client's request: the body as it arrives, and events of the client's connection. */
export interface RequestHandlers {
  /** `requestPiece`, `requestEnd` and `requestFlush` work like BodySink's methods, for the request's body. */
  requestPiece(wire: Buffer | null, payload: readonly Buffer[]): boolean;
  requestEnd(trailers: RawHeaders): void;
  requestFlush(): void;
  /** The client disconnected or broke the protocol before the exchange was over. */
  clientAborted(failure: Failure, resetCode: number): void;
  /** The client closed its sending side after the request; it may still read (h1). */
  clientHalfClosed(): void;
  /** The client's socket has drained. */
  clientDrained(): void;
}

/** One request from a client, and the path for its response. The h1 and the h2 face both implement it. */
export interface ClientStream extends BodySink {
  readonly connection: ClientConnection;
  readonly head: RequestHead;
  /** `performance.now()`, milliseconds: the earliest time at which the head's last byte can have arrived. */
  readonly headAt: number;
  /** `performance.now()` when the response's first and last byte left. Valid once all writes are out (`turn.ts`). */
  readonly respondedAt: number;
  readonly wroteAt: number;
  /** Starts delivering the request's body and reporting failures. Call it once. */
  receive(handlers: RequestHandlers): void;
  resumeBody(): void;
  /** False if written bytes are known to be still in this process. */
  readonly hasTakenAll: boolean;
  /** Sends a 1xx response at once. */
  informational(head: ResponseHead): void;
  /** Sends the response's head. `piece`, `end` and `flush` carry the body after this call. */
  respond(head: ResponseHead): void;
  reset(reset: Reset): void;
  /** After a 101, or a 2xx to CONNECT: the raw connection and the bytes read ahead. Null on h2. */
  upgrade(): { socket: Duplex; ahead: Buffer } | null;
}

export type ClientStreamHandler = (stream: ClientStream) => void;

/** Handles an invalid message from the client. `head`: the message's head; null if it could not be parsed. */
export type ClientProblemHandler = (
  failure: Failure,
  connection: ClientConnection,
  head: { method: string; path: string; headers: RawHeaders } | null,
) => void;
