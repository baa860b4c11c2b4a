import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { Limits } from '../../../../shared/model/limits.ts';
import { describe, failure } from '../../../failures/errors.ts';
import { http2Options } from '../../http/h2-client.ts';
import { Http2Connection } from '../../http2/connection.ts';
import { ConnectionError } from '../connect/connection-error.ts';
import { addressOf } from '../origin.ts';
import { BODY_KEPT, type ConnectResponse } from './connect-response.ts';
import type { LineOptions, ProxyLine } from './proxy-line.ts';
import { TunnelStream } from './tunnel-stream.ts';

/** One HTTP/2 connection to a proxy. Each tunnel is one of its streams (RFC 9113, section 8.5). */
export class ProxySession {
  /** The underlying connection. */
  readonly socket: TLSSocket;
  readonly #http2: Http2Connection;

  /** `closed` is called once, when the session can carry nothing more. */
  constructor(socket: TLSSocket, limits: Limits, closed: () => void) {
    this.socket = socket;
    // A proxy that ends its side is gone, with or without a GOAWAY.
    socket.allowHalfOpen = false;
    const { idleSocketTime, responseSilence } = limits;
    const times = { idleTime: idleSocketTime, streamSilence: responseSilence };
    this.#http2 = new Http2Connection(
      socket,
      { ...http2Options(limits), server: false, ...times },
      {
        request: (stream) => stream.close({ by: 'loss', code: 0, cause: null }),
        refused: () => {},
        settings: () => {},
        goaway: () => {},
        streamOver: () => {},
        closed,
      },
    );
    this.#http2.start();
  }

  get hasRoom(): boolean {
    return this.#http2.usable && this.#http2.streams < this.#http2.peer.maxConcurrentStreams;
  }

  /** Throws an Error if the session has ended. */
  open(target: string, authorization: string | null): TunnelStream {
    if (!this.#http2.usable) throw new Error('its HTTP/2 connection has ended');
    return new TunnelStream(this.#http2, target, authorization);
  }

  /** Accepts no more tunnels, and closes after the last one. */
  retire(): void {
    this.#http2.close();
  }

  destroy(): void {
    this.#http2.destroy();
  }
}

/** A tunnel over a session: one stream for each CONNECT. */
export class SessionLine implements ProxyLine {
  readonly #session: ProxySession;
  readonly #options: LineOptions;
  readonly reopen: () => Promise<ProxyLine>;
  #stream: TunnelStream | null = null;

  constructor(session: ProxySession, options: LineOptions, reopen: () => Promise<ProxyLine>) {
    this.#session = session;
    this.#options = options;
    this.reopen = reopen;
  }

  get tunnel(): Duplex {
    if (!this.#stream) throw new Error('the proxy was not asked yet');
    return this.#stream;
  }

  /** NTLM authenticates a connection, not a stream: it does not work over HTTP/2. */
  staysFor(): boolean {
    return this.#options.proxy.authenticator.scheme !== 'ntlm';
  }

  ask(target: string, authorization: string | null): Promise<ConnectResponse> {
    const address = addressOf(this.#options.proxy);
    const { timeLimit } = this.#options;
    return new Promise((resolve, reject) => {
      const lost = (detail: string | null): void => {
        const about =
          detail === null
            ? failure('proxy.empty-answer', { address })
            : failure('proxy.connect-failed', { address, detail });
        fail(new ConnectionError(about, true));
      };
      const fail = (error: ConnectionError): void => {
        clearTimeout(timer);
        this.destroy();
        reject(error);
      };
      const timer = setTimeout(() => {
        fail(new ConnectionError(failure('proxy.timeout', { address, seconds: timeLimit / 1000 }, 'ETIMEDOUT'), false));
      }, timeLimit);
      let stream: TunnelStream;
      try {
        stream = this.#session.open(target, authorization);
      } catch (error) {
        lost(describe(error));
        return;
      }
      this.#stream = stream;
      // The listener stays: an unhandled error ends the thread.
      stream.on('error', (error) => lost(describe(error)));
      stream.once('close', () => lost(null));
      stream.once('responded', (head: ConnectResponse['head']) => {
        const responded = (body: Buffer): void => {
          clearTimeout(timer);
          resolve({ head, body, reusable: true });
        };
        if (head.status < 200 || head.status >= 300) readPage(stream, responded);
        else responded(Buffer.alloc(0));
      });
    });
  }

  destroy(): void {
    this.#stream?.destroy();
  }
}

/** The beginning of the page that explains why there is no tunnel. */
function readPage(stream: TunnelStream, done: (body: Buffer) => void): void {
  const pieces: Buffer[] = [];
  let size = 0;
  const finish = (): void => {
    done(Buffer.concat(pieces).subarray(0, BODY_KEPT));
    stream.destroy();
  };
  stream.on('data', (piece: Buffer) => {
    pieces.push(piece);
    size += piece.length;
    if (size >= BODY_KEPT) finish();
  });
  stream.once('end', finish);
}
