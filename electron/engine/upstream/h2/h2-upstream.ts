import type { Duplex } from 'node:stream';
import type { ConnectionInfo } from '../../../../shared/model/connection.ts';
import type { ConnectionEnder, EndReason } from '../../../../shared/model/insight/connection-end.ts';
import type { Limits } from '../../../../shared/model/limits.ts';
import { endedNow, endHttp2 } from '../../connection-ending.ts';
import { http2Options } from '../../http/h2-client.ts';
import { requestToHttp2 } from '../../http/header-rules.ts';
import type { RequestHead } from '../../http/message.ts';
import { Http2Connection } from '../../http2/connection.ts';
import { type ConnectionLoss, type Goaway, WITHOUT_GOAWAY } from '../../http2/connection-loss.ts';
import { CODE } from '../../http2/error-codes.ts';
import type { Http2Stream } from '../../http2/stream.ts';
import type { StreamHandlers } from '../../http2/stream-events.ts';
import type { ConnectionUser } from '../connection-user.ts';
import type { Origin } from '../origin.ts';
import type {
  ConnectionOwner,
  OpenedLine,
  Opening,
  UpstreamConnection,
  UpstreamHandlers,
  UpstreamStream,
} from '../upstream-stream.ts';
import type { H2Session } from './h2-session.ts';
import { H2UpstreamStream } from './h2-upstream-stream.ts';

/** The upstream side of h2: one connection that carries many exchanges. */
export class H2Upstream implements UpstreamConnection, H2Session {
  readonly origin: Origin;
  readonly info: ConnectionInfo;
  opening: Opening | null;
  idleSince = -1;
  user: ConnectionUser | null = null;
  #retired = false;
  readonly #http2: Http2Connection;
  /** Callbacks waiting for the peer's SETTINGS. */
  readonly #waiting: ((streams: number) => void)[] = [];
  readonly #owner: ConnectionOwner;
  readonly #limits: Limits;

  #loss = WITHOUT_GOAWAY;

  constructor({ socket, origin, info, opening, owner, limits }: OpenedLine<Duplex>) {
    this.origin = origin;
    this.info = info;
    this.opening = opening;
    this.#owner = owner;
    this.#limits = limits;
    // A server that ends its side is gone, with or without a GOAWAY: later requests to it would wait forever.
    socket.allowHalfOpen = false;
    const times = { idleTime: limits.idleSocketTime, streamSilence: limits.responseSilence };
    this.#http2 = new Http2Connection(
      socket,
      { ...http2Options(limits), ...times, server: false },
      {
        request: (stream) => stream.close({ by: 'loss', code: 0, cause: null }),
        refused: () => {},
        settings: (peer) => {
          if (peer.enableConnectProtocol) owner.extendedConnect(origin);
          owner.settled(this, peer.maxConcurrentStreams);
          this.user?.upstreamAllows?.(peer.maxConcurrentStreams);
          this.#tellSettled();
        },
        goaway: (code, text) => {
          this.#loss = { goaway: { code, text } };
          if (code !== CODE.NO_ERROR) this.#passGoaway({ code, text });
        },
        streamOver: () => this.#streamOver(),
        closed: (error) => {
          endHttp2(info, 'upstream', this.#http2, error);
          owner.gone(this);
          this.#tellSettled();
        },
      },
    );
    this.#http2.start();
  }

  /** Each client decides: its connection may also have exchanges elsewhere. */
  #passGoaway(goaway: Goaway): void {
    const exchanges = new Map<ConnectionUser, number>();
    for (const each of this.#http2.consumers) {
      if (each instanceof H2UpstreamStream) exchanges.set(each.user, (exchanges.get(each.user) ?? 0) + 1);
    }
    for (const [user, count] of exchanges) user.upstreamLeaves?.(goaway, count);
  }

  whenSettled(tell: (streams: number) => void): void {
    if (this.isSettled || !this.usable) tell(this.#http2.peer.maxConcurrentStreams);
    else this.#waiting.push(tell);
  }

  #tellSettled(): void {
    const { maxConcurrentStreams } = this.#http2.peer;
    for (const tell of this.#waiting.splice(0)) tell(maxConcurrentStreams);
  }

  /** Whether the peer has sent any valid HTTP/2. */
  get isSettled(): boolean {
    return this.#http2.peer.known;
  }

  /** What the end of the connection means for the exchanges on it. */
  get loss(): ConnectionLoss {
    return this.#loss;
  }

  get usable(): boolean {
    return this.#http2.usable;
  }

  get hasRoom(): boolean {
    return this.usable && !this.#retired && this.#http2.streams < this.#streamLimit;
  }

  get #streamLimit(): number {
    const { known, maxConcurrentStreams } = this.#http2.peer;
    // A peer that currently allows no streams refuses the one opened here and reports that.
    return known ? Math.max(maxConcurrentStreams, 1) : this.#owner.streamLimit(this.origin);
  }

  /** Streams open now. */
  get streams(): number {
    return this.#http2.streams;
  }

  begin(handlers: UpstreamHandlers, user: ConnectionUser): UpstreamStream {
    if (this.user === null || this.user.closed) this.user = user;
    return new H2UpstreamStream(this, handlers, user, this.#limits);
  }

  /** Writes to the socket so far. */
  get writes(): number {
    return this.#http2.writes;
  }

  /** Called by a stream: sends its request's head. */
  request(head: RequestHead, endStream: boolean, exchange: StreamHandlers): Http2Stream {
    const fields = head.wire ? requestToHttp2(head) : head.headers;
    return this.#http2.request(fields, endStream, exchange, head.neverIndexed ?? null);
  }

  #streamOver(): void {
    this.info.reused = true;
    if (this.hasRoom) this.#owner.free(this);
    else if (this.#retired && this.streams === 0) this.destroy('us', 'settings');
  }

  retire(): void {
    this.#retired = true;
    if (this.streams === 0) this.destroy('us', 'settings');
  }

  destroy(by: ConnectionEnder, why: EndReason): void {
    this.info.end ??= endedNow(by, why);
    this.#http2.destroy();
  }
}
