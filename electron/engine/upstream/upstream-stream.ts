import type { Duplex } from 'node:stream';
import type { ConnectionInfo } from '../../../shared/model/connection.ts';
import type { Failure } from '../../../shared/model/failure.ts';
import type { RawHeaders } from '../../../shared/model/headers.ts';
import type { ConnectionEnder, EndReason } from '../../../shared/model/insight/connection-end.ts';
import type { Limits } from '../../../shared/model/limits.ts';
import type { BodySink, RequestHead, ResponseHead } from '../http/message.ts';
import type { UpstreamLoss } from '../http2/connection-loss.ts';
import type { FailedOpening } from './connect/failed-opening.ts';
import type { ConnectionUser } from './connection-user.ts';
import type { Origin } from './origin.ts';
import type { RetryCause } from './retry-policy.ts';

/** How an attempt without a complete response ended. */
export interface UpstreamEnd {
  failure: Failure;
  /** Set if upstream allows the request to be sent again. */
  retry: RetryCause | null;
  /** The RST_STREAM code of an h2 upstream, to be forwarded; 0 if there was none. */
  resetCode: number;
  tcpReset: boolean;
  /** What was lost on h2: the stream or its connection. */
  lost?: UpstreamLoss;
}

/**
 * Events of an upstream stream, always in the order informational*, response, piece*, end; `failed` may occur at any
 * time.
 */
export interface UpstreamHandlers {
  informational(head: ResponseHead): void;
  /** `firstByteAt`: `performance.now()` at the first byte of this head. */
  response(head: ResponseHead, firstByteAt: number): void;
  piece(wire: Buffer | null, payload: readonly Buffer[]): boolean;
  end(trailers: RawHeaders): void;
  flush(): void;
  failed(end: UpstreamEnd): void;
  drain(): void;
  /** The response is complete, and upstream no longer reads the request that is still being sent. */
  stopped(): void;
}

/** When the written parts of a message left, by `performance.now()`; -1: not yet. */
export interface Written {
  /** The first byte. */
  readonly firstAt: number;
  /** The last byte, if the whole message was written. */
  readonly lastAt: number;
}

export const NEVER_WRITTEN: Written = { firstAt: -1, lastAt: -1 };

/** One upstream request and its response. `piece`, `end` and `flush` carry the request's body. */
export interface UpstreamStream extends BodySink {
  readonly written: Written;
  /** For a message that has not left as a whole: calls `tell` once, when more of it may have left. */
  whenOut(tell: () => void): void;
  /**
   * Writes the head; it completes a request without a body. `repeatable`: whether the request may be sent again if the
   * connection turns out to be dead.
   */
  send(head: RequestHead, repeatable: boolean): void;
  /** Resumes the response's body after the `piece` handler returned false. */
  resume(): void;
  /** The client half-closed its side after the request. Returns false if upstream cannot be notified. */
  halfClose(): boolean;
  /** Cancels the exchange because the client disconnected. */
  cancel(code: number): void;
  /** After a 101, or a 2xx to CONNECT: the raw connection and the bytes already read from it. */
  upgrade(): { socket: Duplex; ahead: Buffer } | null;
}

/**
 * How long opening a connection took, in milliseconds, and when, by `performance.now()`; -1 for a step that was
 * skipped.
 */
export interface Opening {
  startedAt: number;
  endedAt: number;
  dns: number;
  /** TCP, CONNECT and TLS together. */
  connect: number;
  ssl: number;
  /** How long the answers waited for this thread: our overhead, and in no other phase. */
  late: number;
  /** The failed attempts before the one that succeeded. */
  failed: FailedOpening[];
}

/** What a new connection starts with. `L`: the type of its socket. */
export interface OpenedLine<L> {
  socket: L;
  origin: Origin;
  info: ConnectionInfo;
  opening: Opening;
  owner: ConnectionOwner;
  limits: Limits;
}

/** A connection to an origin. */
export interface UpstreamConnection {
  readonly origin: Origin;
  readonly info: ConnectionInfo;
  /** Whether it can take a request now. */
  readonly hasRoom: boolean;
  /** Set until the first exchange has read it. */
  opening: Opening | null;
  /** By `performance.now()`; -1 while it is in use. Only the pool writes it. */
  idleSince: number;
  /** Whose requests it carries, or for whom it was opened; or null. A shared connection names one of its open users. */
  user: ConnectionUser | null;
  /**
   * Called if the origin sends bytes before the first request, which `upgrade` then returns; null: they end the
   * connection. HTTP/1.1 only.
   */
  onFirstWord?: (() => void) | null;
  readonly hasSpokenFirst?: boolean;
  /** Starts one exchange on the connection. */
  begin(handlers: UpstreamHandlers, user: ConnectionUser): UpstreamStream;
  /**
   * Calls back once the peer's SETTINGS have arrived or can no longer arrive. `streams`: how many requests they allow
   * at once. HTTP/2 only.
   */
  whenSettled?(tell: (streams: number) => void): void;
  /** Accepts no more requests, and closes once the current ones are done. */
  retire(): void;
  /** `by`, `why`: for the record, unless the end has begun before. */
  destroy(by: ConnectionEnder, why: EndReason): void;
}

/** Notifications from a connection to its pool. */
export interface ConnectionOwner {
  /** The connection can take a request (again). */
  free(connection: UpstreamConnection): void;
  gone(connection: UpstreamConnection): void;
  /** The origin supports extended CONNECT (RFC 8441). */
  extendedConnect(origin: Origin): void;
  /** The number of concurrent streams to assume of the origin until its SETTINGS arrive. */
  streamLimit(origin: Origin): number;
  /** The peer's SETTINGS arrived and allow `streams` concurrent streams. */
  settled(connection: UpstreamConnection, streams: number): void;
}
