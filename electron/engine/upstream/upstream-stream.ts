import type { Duplex } from 'node:stream';
import type { ConnectionInfo } from '../../../shared/model/connection.ts';
import type { Failure } from '../../../shared/model/failure.ts';
import type { RawHeaders } from '../../../shared/model/headers.ts';
import type { BodySink, RequestHead, ResponseHead } from '../http/message.ts';
import type { UpstreamLoss } from '../http2/connection-loss.ts';
import type { FailedOpening } from './connect/failed-opening.ts';
import type { ConnectionUser } from './connection-user.ts';
import type { Origin } from './origin.ts';
import type { RetryCause } from './retry-policy.ts';

/** How a try ended that brought no whole response. */
export interface UpstreamEnd {
  failure: Failure;
  /** Set where the request can be sent again as far as upstream is concerned. */
  retry: RetryCause | null;
  /** The RST_STREAM code of an h2 upstream, to be passed on; 0 where there was none. */
  resetCode: number;
  tcpReset: boolean;
  /** What ended on h2. */
  lost?: UpstreamLoss;
}

/** What an upstream stream tells: always in the order informational*, response, piece*, end; or failed at any time. */
export interface UpstreamHandlers {
  informational(head: ResponseHead): void;
  /** `firstByteAt`: `performance.now()` at the first byte of this head. */
  response(head: ResponseHead, firstByteAt: number): void;
  piece(wire: Buffer | null, payload: readonly Buffer[]): boolean;
  end(trailers: RawHeaders): void;
  flush(): void;
  failed(end: UpstreamEnd): void;
  drain(): void;
  /** The response is complete, and upstream takes no more of the request that is still on its way. */
  stopped(): void;
}

/** When what was written of a message left, by `performance.now()`, for whoever asks once it is out (`turn.ts`). */
export interface Written {
  /** Its first byte; -1: not yet. */
  readonly firstAt: number;
  /** The last byte written to that connection. */
  readonly lastAt: number;
}

/** One request on its way upstream, and the response coming back. `piece`, `end` and `flush` carry the request's body. */
export interface UpstreamStream extends BodySink {
  readonly written: Written;
  /**
   * Writes the head; a request without a body is complete with it. `repeatable`: whether the request may be sent again
   * where the connection turns out to be dead.
   */
  send(head: RequestHead, repeatable: boolean): void;
  /** Takes up the response's body again after `piece` of the handlers said false. */
  resume(): void;
  /** The client has ended its side behind the request. False where upstream can't be told so. */
  halfClose(): boolean;
  /** Gives the exchange up: the client went away. */
  cancel(code: number): void;
  /** After a 101: the raw connection and what was read ahead of it. */
  upgrade(): { socket: Duplex; ahead: Buffer } | null;
}

/** What opening a connection cost, milliseconds, and when, by `performance.now()`; -1 where it did not take place. */
export interface Opening {
  startedAt: number;
  endedAt: number;
  dns: number;
  /** TCP, CONNECT and TLS together. */
  connect: number;
  ssl: number;
  /** The tries before the one that succeeded. */
  failed: FailedOpening[];
}

/** A connection to an origin. */
export interface UpstreamConnection {
  readonly origin: Origin;
  readonly info: ConnectionInfo;
  /** Whether it can take a request now. */
  readonly hasRoom: boolean;
  /** Set until the first exchange has taken it. */
  opening: Opening | null;
  /** By `performance.now()`; -1 while it is in use. Its pool's to write. */
  idleSince: number;
  /** Whose requests it carries; null before the first. A shared connection names one of its open users. */
  readonly user: ConnectionUser | null;
  /** Lends the connection for one exchange. */
  begin(handlers: UpstreamHandlers, user: ConnectionUser): UpstreamStream;
  /** Calls back once its peer's SETTINGS have come, or can't come any more. Only HTTP/2 has them. */
  whenSettled?(tell: () => void): void;
  /** Takes no more requests, and closes once those it carries are over. */
  retire(): void;
  destroy(): void;
}

/** What a connection tells its pool. */
export interface ConnectionOwner {
  /** It can take a request (again). */
  free(connection: UpstreamConnection): void;
  gone(connection: UpstreamConnection): void;
  /** The origin takes extended CONNECT (RFC 8441). */
  extendedConnect(origin: Origin): void;
  /** The number of concurrent streams to assume of the origin until its SETTINGS arrive. */
  streamLimit(origin: Origin): number;
  /** SETTINGS arrived that allow `streams` concurrent streams. */
  settled(connection: UpstreamConnection, streams: number): void;
}
