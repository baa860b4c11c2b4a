import { Duplex } from 'node:stream';
import type { RawHeaders } from '../../../../shared/model/headers.ts';
import { pseudo } from '../../http/h2-headers.ts';
import type { ResponseHead } from '../../http/message.ts';
import type { Http2Connection } from '../../http2/connection.ts';
import { CODE, codeName } from '../../http2/error-codes.ts';
import type { Http2Stream } from '../../http2/stream.ts';
import type { StreamClose, StreamHandlers } from '../../http2/stream-events.ts';

/**
 * How long a tunnel may be silent after our side has ended, in milliseconds. Not every proxy forwards that end as RFC
 * 9113, section 8.5 requires (nghttpx 1.52 does not): the server then waits for us, and the proxy resets the stream
 * after a minute.
 */
const HALF_OPEN_TIME = 5_000;

/** The error for a tunnel that ended as if by a server's RST (RFC 9113, section 8.5). */
function resetError(code: number): Error {
  const error = new Error(`the proxy reset the tunnel (${codeName(code)})`);
  return code === CODE.CONNECT_ERROR ? Object.assign(error, { code: 'ECONNRESET' }) : error;
}

/** Why a stream closed too early; null if it ended without a fault. */
function reasonOf({ by, code, cause }: StreamClose): Error | null {
  if (by !== 'peer') return cause;
  return code === CODE.NO_ERROR || code === CODE.CANCEL ? null : resetError(code);
}

/**
 * A CONNECT on an HTTP/2 connection and the tunnel it becomes: bytes in both directions, each with a separate end (RFC
 * 9113, section 8.5). Emits `responded` with the head of the proxy's response. Without a 2xx, it reads the body of that
 * response.
 */
export class TunnelStream extends Duplex implements StreamHandlers {
  readonly #stream: Http2Stream;
  #head: Pick<ResponseHead, 'status' | 'statusText' | 'headers'> | null = null;
  #drained: (() => void) | null = null;
  #halfOpen: NodeJS.Timeout | null = null;

  /** `authorization`: the value of Proxy-Authorization, or null. */
  constructor(connection: Http2Connection, target: string, authorization: string | null) {
    super();
    const fields = [':method', 'CONNECT', ':authority', target];
    if (authorization !== null) fields.push('proxy-authorization', authorization);
    this.#stream = connection.request(fields, false, this, null);
  }

  onHead(fields: RawHeaders): void {
    const status = Number(pseudo(fields, ':status'));
    if (status < 200) return;
    // A tunnel has no length, even if its response declares one (RFC 9110, section 9.3.6).
    if (status < 300) this.#stream.expect(-1);
    this.#head = { status, statusText: '', headers: fields.slice(2) };
    this.emit('responded', this.#head);
  }

  onData(bytes: Buffer): boolean {
    this.#halfOpen?.refresh();
    return this.push(bytes);
  }

  onEnd(): void {
    this.push(null);
  }

  onReadOver(): void {
    // Each piece was already forwarded on arrival.
  }

  onDrained(): void {
    const drained = this.#drained;
    this.#drained = null;
    drained?.();
  }

  onSilence(): void {
    // The tunnel's user decides how long it may be silent.
  }

  onClosed(how: StreamClose): void {
    this.destroy(reasonOf(how) ?? undefined);
  }

  override _read(): void {
    this.#stream.resume();
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    if (this.#stream.write(chunk)) done();
    else this.#drained = done;
  }

  override _final(done: () => void): void {
    this.#stream.end([]);
    this.#halfOpen = setTimeout(() => this.destroy(), HALF_OPEN_TIME).unref();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (this.#halfOpen) clearTimeout(this.#halfOpen);
    // If both directions have ended, written data may still be on its way out.
    if (!(this.writableFinished && this.readableEnded)) this.#stream.reset(error ? CODE.CONNECT_ERROR : CODE.CANCEL);
    done(error);
  }
}
