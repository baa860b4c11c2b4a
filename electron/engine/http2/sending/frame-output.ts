import type { Duplex } from 'node:stream';
import { leftAt, type Outgoing, turn } from '../../turn.ts';

/** Target size of one write, bytes: several TLS records, yet small enough that streams take turns. */
export const WRITE_BYTES = 256 * 1024;

/** Supplies stream bodies while there is room. */
export interface FrameSource {
  /** Pushes frames. Returns true if there is more and only the size of this write stopped it. */
  fill(output: FrameOutput): boolean;
  written(): void;
}

/** Has frames among the collected bytes. */
export interface FrameSender {
  /** They left at `at`, by `performance.now()`. */
  left(at: number): void;
}

/**
 * Collects the frames of one event-loop turn and writes them in one call: heads, bodies and window updates of many
 * streams share a TLS record. Writing at the end of the turn also combines the output caused by several sockets without
 * delaying it with a timer.
 */
export class FrameOutput implements Outgoing {
  readonly #socket: Duplex;
  readonly #source: FrameSource;
  readonly #onInternalError: (error: unknown) => void;
  #pieces: Buffer[] = [];
  /** The senders of those frames. A sender of several frames is listed several times. */
  #senders: FrameSender[] = [];
  #scheduled = false;
  #readsFirst: boolean;
  #held = false;
  /** Bytes collected. */
  bytes = 0;
  /** The socket's buffer is full; 'drain' clears this. */
  blocked = false;
  /** Bytes pushed since the socket's buffer was last empty. */
  unread = 0;
  /** Number of writes to the socket. */
  writes = 0;

  /**
   * `onInternalError` receives errors thrown by the source. `readsFirst`: delays the first write by one turn, in which
   * pending input is read. A TLS 1.3 client may have rejected our certificate and closed the connection; writing first
   * would hide its alert.
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

  /** Holds all output until `release`. */
  hold(): void {
    this.#held = true;
  }

  /** Sends `first`, then the held output. */
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

  /** The last bytes pushed are frames of `sender`. */
  pushedFor(sender: FrameSender): void {
    this.#senders.push(sender);
  }

  /** Drops unsent output, which the peer will not read. */
  discard(): void {
    this.#pieces = [];
    this.#senders = [];
    this.bytes = 0;
  }

  /** Schedules a write at the end of the turn. */
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

  /** Writes everything that the windows and the socket allow. */
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
      // Frames pushed meanwhile join this write.
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
    const senders = this.#senders;
    this.#pieces = [];
    this.#senders = [];
    this.bytes = 0;
    if (!this.#socket.writable) return;
    this.writes += 1;
    const before = performance.now();
    if (!this.#socket.write(all)) this.blocked = true;
    const at = leftAt(before);
    for (const sender of senders) sender.left(at);
  }
}
