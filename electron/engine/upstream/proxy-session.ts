import * as http2 from 'node:http2';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { Limits } from '../../../shared/model/limits.ts';
import { describe, failure } from '../errors.ts';
import { ConnectionError } from './connection-failure.ts';
import { addressOf } from './origin.ts';
import { ANSWER_KEPT, type TunnelAnswer } from './proxy-answer.ts';
import type { LineOptions, ProxyLine } from './proxy-line.ts';

/**
 * How long a tunnel may be silent once our side has ended; milliseconds. Not every proxy hands that end on as RFC 9113, section
 * 8.5 wants it (nghttpx 1.52 does not): the server then waits for us, and the proxy resets the stream after a minute.
 */
const HALF_OPEN_TIME = 5_000;

/**
 * One HTTP/2 connection to a proxy. Each tunnel is a stream of it (RFC 9113, section 8.5). By node:http2, whose streams are
 * what TLS can stand on: a tunnel carries many exchanges, so that what it costs is not felt as it would be for each of them.
 */
export class ProxySession {
  /** What it stands on. */
  readonly socket: TLSSocket;
  readonly #session: http2.ClientHttp2Session;
  #streams = 0;
  #goingAway = false;

  constructor(socket: TLSSocket, address: string, limits: Limits) {
    this.socket = socket;
    // A proxy that ends its side is gone, with or without a GOAWAY.
    socket.allowHalfOpen = false;
    this.#session = http2.connect(`https://${address}`, {
      settings: { initialWindowSize: limits.http2StreamWindow, enablePush: false },
      // In MiB: above what the connection's window lets a proxy send ahead.
      maxSessionMemory: 2 * Math.ceil(limits.http2ConnectionWindow / 1024 / 1024),
      createConnection: () => socket,
    });
    this.#session.once('connect', () => this.#session.setLocalWindowSize(limits.http2ConnectionWindow));
    this.#session.on('goaway', () => {
      this.#goingAway = true;
    });
    // Its streams say so too, and they are what somebody waits for.
    this.#session.on('error', () => {});
    this.#session.setTimeout(limits.idleSocketTime, () => {
      if (this.#streams === 0) this.#session.close();
    });
  }

  get hasRoom(): boolean {
    const { closed, destroyed, remoteSettings } = this.#session;
    return !this.#goingAway && !closed && !destroyed && this.#streams < (remoteSettings?.maxConcurrentStreams ?? 100);
  }

  whenClosed(tell: () => void): void {
    this.#session.once('close', tell);
  }

  /** Throws where the session has ended. */
  open(target: string, authorization: string | null): http2.ClientHttp2Stream {
    const stream = this.#session.request({
      ':method': 'CONNECT',
      ':authority': target,
      ...(authorization !== null && { 'proxy-authorization': authorization }),
    });
    this.#streams += 1;
    stream.once('close', () => {
      this.#streams -= 1;
    });
    return stream;
  }

  /** Takes no more tunnels, and ends with the last. */
  retire(): void {
    this.#goingAway = true;
    this.#session.close();
  }

  destroy(): void {
    this.#session.destroy();
  }
}

/** A tunnel's place on a session: a stream for each time that the proxy is asked. */
export class SessionLine implements ProxyLine {
  readonly #session: ProxySession;
  readonly #options: LineOptions;
  readonly reopen: () => Promise<ProxyLine>;
  #stream: http2.ClientHttp2Stream | null = null;

  constructor(session: ProxySession, options: LineOptions, reopen: () => Promise<ProxyLine>) {
    this.#session = session;
    this.#options = options;
    this.reopen = reopen;
  }

  get tunnel(): Duplex {
    if (!this.#stream) throw new Error('the proxy was not asked yet');
    return this.#stream;
  }

  /** NTLM lets in a connection, not a stream: HTTP/2 has no place for it. */
  get again(): boolean {
    return this.#options.proxy.door.scheme !== 'ntlm';
  }

  ask(target: string, authorization: string | null): Promise<TunnelAnswer> {
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
      let stream: http2.ClientHttp2Stream;
      try {
        stream = this.#session.open(target, authorization);
      } catch (error) {
        lost(describe(error));
        return;
      }
      this.#stream = stream;
      // It goes on listening: what nobody hears ends the thread.
      stream.on('error', (error) => lost(describe(error)));
      stream.once('close', () => lost(null));
      stream.once('response', (headers, _flags, raw?: string[]) => {
        const status = Number(headers[':status']);
        // An older Electron's Node does not give them as they came.
        const fields = raw ?? Object.entries(headers).flatMap(([name, value]) => [name, String(value)]);
        const head = { status, statusText: '', headers: fields };
        const answered = (body: Buffer): void => {
          clearTimeout(timer);
          resolve({ head, body, reusable: true });
        };
        if (status < 200 || status >= 300) {
          readPage(stream, answered);
          return;
        }
        stream.once('finish', () => stream.setTimeout(HALF_OPEN_TIME, () => this.destroy()));
        answered(Buffer.alloc(0));
      });
    });
  }

  destroy(): void {
    this.#stream?.close(http2.constants.NGHTTP2_CANCEL);
  }
}

/** The first of a page that says why there is no tunnel. */
function readPage(stream: http2.ClientHttp2Stream, done: (body: Buffer) => void): void {
  const pieces: Buffer[] = [];
  let size = 0;
  const finish = (): void => {
    done(Buffer.concat(pieces).subarray(0, ANSWER_KEPT));
    stream.close(http2.constants.NGHTTP2_CANCEL);
  };
  stream.on('data', (piece: Buffer) => {
    pieces.push(piece);
    size += piece.length;
    if (size >= ANSWER_KEPT) finish();
  });
  stream.once('end', finish);
}
