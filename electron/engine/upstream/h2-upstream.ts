import type { Duplex } from 'node:stream';
import type { ConnectionInfo } from '../../../shared/model/connection.ts';
import type { Limits } from '../../../shared/model/limits.ts';
import { http2Options } from '../http/h2-client.ts';
import { requestToHttp2 } from '../http/header-rules.ts';
import type { RequestHead } from '../http/message.ts';
import { Http2Connection } from '../http2/connection.ts';
import type { Http2Stream } from '../http2/stream.ts';
import { H2UpstreamStream } from './h2-upstream-stream.ts';
import type { Origin } from './origin.ts';
import type { Acquiring } from './try-connecting.ts';
import type {
  ConnectionOwner,
  Opening,
  UpstreamConnection,
  UpstreamHandlers,
  UpstreamStream,
} from './upstream-stream.ts';

/** Streams opened on a session before its peer's SETTINGS say how many it takes. */
const STREAMS_AT_FIRST = 10;

/** The h2 face to upstream: one connection that carries many exchanges. */
export class H2Upstream implements UpstreamConnection {
  readonly origin: Origin;
  readonly info: ConnectionInfo;
  opening: Opening | null;
  idleSince = -1;
  readonly #http2: Http2Connection;
  readonly #owner: ConnectionOwner;
  readonly #limits: Limits;
  /** Exchanges that a stream is kept for. */
  readonly #promised = new Map<object, Acquiring>();

  constructor(
    socket: Duplex,
    origin: Origin,
    info: ConnectionInfo,
    opening: Opening,
    owner: ConnectionOwner,
    limits: Limits,
  ) {
    this.origin = origin;
    this.info = info;
    this.opening = opening;
    this.#owner = owner;
    this.#limits = limits;
    // A server that ends its side is gone, with or without a GOAWAY: what was asked of it next would wait for ever.
    socket.allowHalfOpen = false;
    const { idleSocketTime, responseSilence } = limits;
    const options = {
      ...http2Options(limits),
      server: false,
      idleTime: idleSocketTime,
      streamSilence: responseSilence,
    };
    this.#http2 = new Http2Connection(socket, options, {
      request: (stream) => stream.close({ by: 'loss', code: 0, cause: null }),
      refused: () => {},
      settings: (peer) => {
        if (peer.enableConnectProtocol) owner.extendedConnect(origin);
        // Also where it is full: those that wait now know that they need another session.
        owner.free(this);
      },
      goaway: () => {},
      streamOver: () => this.#streamOver(),
      closed: () => owner.gone(this),
    });
    this.#http2.start();
  }

  /** Whether its peer has said anything that is HTTP/2. */
  get isSettled(): boolean {
    return this.#http2.peer.known;
  }

  get usable(): boolean {
    return this.#http2.usable;
  }

  get hasRoom(): boolean {
    const { known, maxConcurrentStreams } = this.#http2.peer;
    // A peer that takes none for now refuses the one that is asked of it, and says so.
    const most = known ? Math.max(maxConcurrentStreams, 1) : STREAMS_AT_FIRST;
    return this.usable && this.#http2.streams + this.#countPromised() < most;
  }

  /** Whether it is usable, and its peer has not said yet how many streams it takes. */
  get isUnsettled(): boolean {
    return this.usable && !this.#http2.peer.known;
  }

  /** Keeps a stream for an exchange until that begins, or is cancelled. */
  keepRoomFor(acquiring: Acquiring): void {
    this.#promised.set(acquiring, acquiring);
  }

  #countPromised(): number {
    if (this.#promised.size === 0) return 0;
    for (const each of this.#promised.values()) if (each.cancelled) this.#promised.delete(each);
    return this.#promised.size;
  }

  /** Streams open now. */
  get streams(): number {
    return this.#http2.streams;
  }

  begin(handlers: UpstreamHandlers): UpstreamStream {
    this.#promised.delete(handlers);
    return new H2UpstreamStream(this, handlers, this.#limits);
  }

  /** For a stream of ours: its request's head goes out. */
  request(head: RequestHead, endStream: boolean, exchange: H2UpstreamStream): Http2Stream {
    const fields = head.wire ? requestToHttp2(head) : head.headers;
    return this.#http2.request(fields, endStream, exchange, head.neverIndexed ?? null);
  }

  #streamOver(): void {
    this.info.reused = true;
    if (this.hasRoom) this.#owner.free(this);
  }

  destroy(): void {
    this.#http2.destroy();
  }
}
