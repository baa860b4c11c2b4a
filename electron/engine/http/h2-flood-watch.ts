import type { ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import type { Failure } from '../../../shared/model/failure.ts';
import type { LimitName, Limits } from '../../../shared/model/limits.ts';
import { failure } from '../errors.ts';

/** More than a frame's head, and than the RST_STREAM or WINDOW_UPDATE that may go with it. */
const BESIDE_A_PIECE = 64;

/** Leaks as time goes on, and is over when more came at once than it holds. */
class Bucket {
  readonly #size: number;
  readonly #leakPerSecond: number;
  #level = 0;
  #at = performance.now();

  constructor(size: number, leakPerSecond: number) {
    this.#size = size;
    this.#leakPerSecond = leakPerSecond;
  }

  /** Whether it runs over. */
  add(amount: number): boolean {
    const now = performance.now();
    const leaked = ((now - this.#at) / 1000) * this.#leakPerSecond;
    this.#at = now;
    this.#level = Math.max(0, this.#level - leaked + amount);
    return this.#level > this.#size;
  }
}

/**
 * Notices a client that sends what costs us more than it costs the client. node:http2 shows neither WINDOW_UPDATE nor
 * PRIORITY frames nor those it does not know; what they weigh is known all the same: the bytes that were read, without
 * those that came out of streams. So nothing is done for each frame but for those that ask for an answer.
 */
export class FloodWatch {
  readonly #socket: Socket;
  readonly #limits: Limits;
  readonly #cutOff: (about: Failure) => void;
  readonly #answered: Bucket;
  readonly #resets: Bucket;
  readonly #beside: Bucket;
  #readBefore: number;
  #explained = 0;
  #over = false;

  /** `cutOff`: called once. */
  constructor(session: ServerHttp2Session, socket: Socket, limits: Limits, cutOff: (about: Failure) => void) {
    this.#socket = socket;
    this.#limits = limits;
    this.#cutOff = cutOff;
    this.#answered = new Bucket(limits.http2Pings, limits.http2Pings / 10);
    this.#resets = new Bucket(limits.http2Resets, limits.http2Resets / 10);
    // Bytes that streams hold and nobody has read yet look like the others: no more than the connection's window.
    const held = limits.http2ConnectionWindow + limits.http2ControlBytes;
    this.#beside = new Bucket(held, limits.http2ControlBytes);
    this.#readBefore = socket.bytesRead;
    const answered = (): void => this.#count(this.#answered, 1, 'PING or SETTINGS frames at once', 'http2Pings');
    session.on('ping', answered).on('remoteSettings', answered);
  }

  /** So many bytes of a head or a body came out of a stream. */
  took(bytes: number): void {
    this.#explained += bytes + BESIDE_A_PIECE;
  }

  /** A stream ended before its request did: what it held, or what is still on the way, will come out of none. */
  left(): void {
    this.took(this.#limits.http2StreamWindow);
  }

  /** The client took a request back. */
  reset(): void {
    this.#count(this.#resets, 1, 'requests at once that it took back', 'http2Resets');
  }

  /** Weighs what came since the last time. */
  weigh(): void {
    const read = this.#socket.bytesRead;
    const beside = read - this.#readBefore - this.#explained;
    this.#readBefore = read;
    this.#explained = 0;
    this.#count(this.#beside, beside, 'bytes a second of frames that belong to no request', 'http2ControlBytes');
  }

  #count(bucket: Bucket, amount: number, what: string, name: LimitName): void {
    if (!bucket.add(amount) || this.#over) return;
    this.#over = true;
    this.#cutOff(failure('client.http2-flood', { limit: this.#limits[name], what, name }));
  }
}
