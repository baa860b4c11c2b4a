import type { Writable } from 'node:stream';

/**
 * Gathers what one read gave rise to, and writes it in one call: a head and a small body leave in one packet, and one TLS
 * record. Neighbouring views of the same buffer are joined without a copy, so bytes passed on as they came cost nothing.
 */
export class GatheredWriter {
  readonly #socket: Writable;
  #pending: Buffer | null = null;
  #more: Buffer[] = [];
  #held = false;

  constructor(socket: Writable) {
    this.#socket = socket;
  }

  /** Whether what is written now stays here. */
  get held(): boolean {
    return this.#held;
  }

  /** What is written from here on stays here until `letGo`. */
  hold(): void {
    this.flush();
    this.#held = true;
  }

  /** Returns false like a stream's write. */
  letGo(): boolean {
    this.#held = false;
    return this.flush();
  }

  /** False when the socket holds more than it should; its 'drain' tells when it does not. */
  write(bytes: Buffer): boolean {
    const last = this.#pending;
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

  /** Returns false like a stream's write. */
  flush(): boolean {
    const last = this.#pending;
    if (this.#held) return false;
    if (last === null) return true;
    this.#pending = null;
    if (this.#more.length === 0) return this.#socket.write(last);
    const pieces = this.#more;
    this.#more = [];
    this.#socket.cork();
    for (const piece of pieces) this.#socket.write(piece);
    const open = this.#socket.write(last);
    this.#socket.uncork();
    return open;
  }
}
