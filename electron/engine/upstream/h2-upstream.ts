import * as http2 from 'node:http2';
import type { Socket } from 'node:net';
import type { ConnectionInfo } from '../../../shared/model/connection.ts';
import type { Limits } from '../../../shared/model/limits.ts';
import { http2Options } from '../http/h2-client.ts';
import { H2UpstreamStream } from './h2-upstream-stream.ts';
import { addressOf, type Origin } from './origin.ts';
import type {
  ConnectionOwner,
  Opening,
  UpstreamConnection,
  UpstreamHandlers,
  UpstreamStream,
} from './upstream-stream.ts';

/** The h2 face to upstream: one session that carries many exchanges. */
export class H2Upstream implements UpstreamConnection {
  readonly origin: Origin;
  readonly info: ConnectionInfo;
  opening: Opening | null;
  readonly #session: http2.ClientHttp2Session;
  readonly #owner: ConnectionOwner;
  readonly #limits: Limits;
  #streams = 0;
  #goingAway = false;
  /** Why the session ended, for the streams that it took along. */
  error: Error | null = null;

  constructor(
    socket: Socket,
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
    // Streams end before their session tells why, so the socket is asked.
    socket.on('error', (error) => {
      this.error = error;
    });
    const options = http2Options(limits);
    this.#session = http2.connect(`https://${addressOf(origin)}`, {
      ...options,
      settings: { ...options.settings, enablePush: false },
      createConnection: () => socket,
    });
    this.#session.once('connect', () => this.#session.setLocalWindowSize(limits.http2ConnectionWindow));
    this.#session.on('error', (error) => {
      this.error ??= error;
    });
    this.#session.on('goaway', () => {
      this.#goingAway = true;
    });
    this.#session.on('remoteSettings', (settings) => {
      if (settings.enableConnectProtocol) owner.extendedConnect(origin);
    });
    this.#session.on('close', () => owner.gone(this));
    // Only an idle session is closed for silence: an open stream may be a long poll.
    this.#session.setTimeout(limits.idleSocketTime, () => {
      if (this.#streams === 0) this.#session.close();
    });
  }

  get usable(): boolean {
    return !this.#goingAway && !this.#session.closed && !this.#session.destroyed;
  }

  get hasRoom(): boolean {
    if (!this.usable) return false;
    const most = this.#session.remoteSettings?.maxConcurrentStreams ?? 100;
    return this.#streams < most;
  }

  /** Streams open now. */
  get streams(): number {
    return this.#streams;
  }

  begin(handlers: UpstreamHandlers): UpstreamStream {
    this.#streams += 1;
    return new H2UpstreamStream(this, this.#session, handlers, this.#limits);
  }

  streamDone(): void {
    this.#streams -= 1;
    this.info.reused = true;
    if (this.hasRoom) this.#owner.free(this);
    else if (this.#streams === 0 && this.#goingAway) this.#session.close();
  }

  destroy(): void {
    this.#session.destroy();
  }
}
