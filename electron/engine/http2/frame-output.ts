import type { Duplex } from 'node:stream';
import { leftAt, type Outgoing, turn } from '../turn.ts';

/** A write's worth of frames, bytes: several TLS records, and little enough that streams take turns. */
export const WRITE_BYTES = 256 * 1024;

/** What is sent as far as there is room: the bodies of streams. */
export interface FrameSource {
  /** Pushes frames. True where there is more, and only this write's size was in the way. */
  fill(output: FrameOutput): boolean;
  written(): void;
}

/**
 * Gathers the frames that one turn of the event loop gave rise to, and writes them in one call: heads, bodies and window
 * updates of many streams leave in one TLS record. At the turn's end, so that what several sockets brought in it goes out
 * together; nothing waits for a timer.
 */
export class FrameOutput implements Outgoing {
  readonly #socket: Duplex;
  readonly #source: FrameSource;
  readonly #onInternalError: (error: unknown) => void;
  #pieces: Buffer[] = [];
  #scheduled = false;
  #readsFirst: boolean;
  #held = false;
  /** Bytes gathered. */
  bytes = 0;
  /** The socket holds more than it should; its 'drain' tells when it does not. */
  blocked = false;
  /** Bytes pushed since the socket was last empty. */
  unread = 0;
  /** Writes to the socket so far. */
  writes = 0;
  /** The last write left, by `performance.now()`; -1: none did. */
  lastAt = -1;

  /**
   * `onInternalError` receives what the source threw. `readsFirst`: the first write waits one more turn, in which pending
   * input is read. A TLS 1.3 client may have rejected our certificate and hung up: a write first would hide its alert.
   */
  constructor(socket: Duplex, source: FrameSource, onInternalError: (error: unknown) => void, readsFirst = false) {
    this.#socket = socket;
    this.#source = source;
    this.#onInternalError = onInternalError;
    this.#readsFirst = readsFirst;
    socket.on('drain', () => {
      this.blocked = false;
      this.unread = 0;
      this.flush();
    });
  }

  /** Nothing goes out until `release`. */
  hold(): void {
    this.#held = true;
  }

  /** What was held goes out, behind `first`. */
  release(first: Buffer): void {
    this.#held = false;
    this.#pieces.unshift(first);
    this.bytes += first.length;
    this.schedule();
  }

  push(bytes: Buffer): void {
    this.#pieces.push(bytes);
    this.bytes += bytes.length;
    if (this.blocked) this.unread += bytes.length;
    this.schedule();
  }

  /** Drops what has not gone out: the peer will not read it. */
  discard(): void {
    this.#pieces = [];
    this.bytes = 0;
  }

  /** Something waits to be sent. */
  schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    turn.add(this);
  }

  goOut(): void {
    if (!this.#scheduled) return;
    if (this.#readsFirst) {
      this.#readsFirst = false;
      turn.add(this);
    } else this.flush();
  }

  internalError(error: unknown): void {
    this.#onInternalError(error);
  }

  /** Writes all that windows and the socket let through. */
  flushAll(): void {
    do this.flush();
    while (this.#scheduled && !this.blocked);
  }

  flush(): void {
    if (this.#held) {
      this.#scheduled = false;
      return;
    }
    try {
      // What is pushed meanwhile goes out with this write.
      this.#scheduled = true;
      const more = this.#source.fill(this);
      this.#scheduled = false;
      if (this.bytes > 0) this.#write();
      this.#source.written();
      if (more && !this.blocked) this.schedule();
    } catch (error) {
      this.#scheduled = false;
      this.#onInternalError(error);
    }
  }

  #write(): void {
    const [first] = this.#pieces;
    const all = first && this.#pieces.length === 1 ? first : Buffer.concat(this.#pieces, this.bytes);
    this.#pieces = [];
    this.bytes = 0;
    if (!this.#socket.writable) return;
    this.writes += 1;
    const before = performance.now();
    if (!this.#socket.write(all)) this.blocked = true;
    this.lastAt = leftAt(before);
  }
}
