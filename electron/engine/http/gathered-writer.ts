import type { Writable } from 'node:stream';
import { leftAt, type Outgoing, turn as theTurn } from '../turn.ts';

/** Bytes that are worth a write of their own: they don't wait for the turn's end. */
const MANY = 16 * 1024;

/**
 * Gathers what one read gave rise to, and writes it in one call: a head and a small body leave in one packet, and one TLS
 * record. Neighbouring views of the same buffer are joined without a copy, so bytes passed on as they came cost nothing.
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
  /** Since `begin`, by `performance.now()`: the first write to the socket left, and the last; -1: none yet. */
  firstAt = -1;
  lastAt = -1;

  constructor(socket: Writable, turn = theTurn) {
    this.#socket = socket;
    this.#turn = turn;
  }

  /** A new message begins. */
  begin(): void {
    this.#hasWritten = false;
    this.firstAt = -1;
  }

  /** Whether a byte has gone to the socket since `begin`. */
  get hasWritten(): boolean {
    return this.#hasWritten;
  }

  /** The next write waits until everything that this turn has read was worked on. */
  waitForTurnEnd(): void {
    this.#waits = true;
  }

  /** Whether what is written now stays here. */
  get held(): boolean {
    return this.#held;
  }

  /** What is written from here on stays here until `letGo`. */
  hold(): void {
    this.goOut();
    this.#held = true;
  }

  /** Returns false like a stream's write. */
  letGo(): boolean {
    this.#held = false;
    return this.goOut();
  }

  /** False when the socket holds more than it should; its 'drain' tells when it does not. */
  write(bytes: Buffer): boolean {
    const last = this.#pending;
    this.#bytes += bytes.length;
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

  /** Writes what there is, now or at the end of the turn. Returns false like a stream's write. */
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

  /** Writes what there is, now: a socket that is to be ended, or handed on, has to have it. Returns false like a stream's write. */
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

  broken(error: unknown): void {
    this.#socket.destroy(error instanceof Error ? error : new Error(String(error)));
  }
}
