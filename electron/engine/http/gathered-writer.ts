import type { Writable } from 'node:stream';
import { leftAt, type Outgoing, turn as theTurn } from '../turn.ts';

/** Bytes that justify an immediate write instead of waiting for the end of the turn. */
const MANY = 16 * 1024;

/**
 * Collects everything that one read caused to be written, and writes it in one call: a head and a small body leave in
 * one packet and one TLS record. Adjacent views of the same buffer are joined without copying, which makes it free to
 * pass bytes on unchanged.
 */
export class GatheredWriter implements Outgoing {
  readonly #socket: Writable;
  readonly #turn: typeof theTurn;
  #pending: Buffer | null = null;
  #more: Buffer[] = [];
  #bytes = 0;
  #held = false;
  /** The turn will call `goOut`. */
  #taken = false;
  #waits = false;
  #hasWritten = false;
  /** Bytes collected or written since `begin`. */
  size = 0;
  /** `performance.now()` when the first and the last write since `begin` left; -1: no write yet. */
  firstAt = -1;
  lastAt = -1;

  constructor(socket: Writable, turn = theTurn) {
    this.#socket = socket;
    this.#turn = turn;
  }

  /** Starts a new message. */
  begin(): void {
    this.#hasWritten = false;
    this.size = 0;
    this.firstAt = -1;
  }

  /** Whether any byte has been written to the socket since `begin`. */
  get hasWritten(): boolean {
    return this.#hasWritten;
  }

  /** Delays the next write until the turn has processed everything it read. */
  waitForTurnEnd(): void {
    this.#waits = true;
  }

  /** Whether new writes are held back. */
  get held(): boolean {
    return this.#held;
  }

  /** Holds back all further writes until `letGo`. */
  hold(): void {
    this.goOut();
    this.#held = true;
  }

  /** Writes the held bytes. Returns false like a stream's write. */
  letGo(): boolean {
    this.#held = false;
    return this.goOut();
  }

  /** Returns false when the socket's buffer is full; wait for its 'drain' then. */
  write(bytes: Buffer): boolean {
    const last = this.#pending;
    this.#bytes += bytes.length;
    this.size += bytes.length;
    if (last === null) {
      this.#pending = bytes;
    } else if (last.buffer === bytes.buffer && last.byteOffset + last.length === bytes.byteOffset) {
      this.#pending = Buffer.from(last.buffer, last.byteOffset, last.length + bytes.length);
    } else {
      this.#more.push(last);
      this.#pending = bytes;
    }
    return !this.#held && !this.#socket.writableNeedDrain;
  }

  /** Writes the collected bytes, now or at the end of the turn. Returns false like a stream's write. */
  flush(): boolean {
    if (this.#held) return false;
    if (this.#pending === null) return true;
    if (this.#waits) return this.#writeAtTurnEnd();
    if (this.#bytes < MANY) this.#taken ||= this.#turn.takes(this);
    return this.#taken && this.#bytes < MANY ? !this.#socket.writableNeedDrain : this.goOut();
  }

  #writeAtTurnEnd(): boolean {
    if (!this.#taken) this.#turn.add(this);
    this.#taken = true;
    return !this.#socket.writableNeedDrain;
  }

  /**
   * Writes the collected bytes now. Call it before ending or detaching the socket. Returns false like a stream's write.
   */
  goOut(): boolean {
    this.#taken = false;
    this.#waits = false;
    const last = this.#pending;
    if (this.#held) return false;
    if (last === null) return true;
    const pieces = this.#more;
    this.#pending = null;
    this.#bytes = 0;
    if (this.#socket.destroyed) return true;
    this.#hasWritten = true;
    const before = performance.now();
    const open = pieces.length === 0 ? this.#socket.write(last) : this.#writeTogether(pieces, last);
    this.lastAt = leftAt(before);
    if (this.firstAt < 0) this.firstAt = this.lastAt;
    return open;
  }

  #writeTogether(pieces: readonly Buffer[], last: Buffer): boolean {
    this.#more = [];
    this.#socket.cork();
    for (const piece of pieces) this.#socket.write(piece);
    const open = this.#socket.write(last);
    this.#socket.uncork();
    return open;
  }

  internalError(error: unknown): void {
    this.#socket.destroy(error instanceof Error ? error : new Error(String(error)));
  }
}
