import { TextDecoder } from 'node:util';

/**
 * Finds text in bytes that come in pieces, regardless of case. `*` stands for anything in between. Keeps no more than
 * the length of what it looks for.
 *
 * For ASCII, bytes are read as Latin-1: no byte of a longer UTF-8 character is in ASCII, and decoding is ten times as
 * fast as with UTF-8.
 */
export class TextFinder {
  readonly #parts: readonly string[];
  readonly #decoder: TextDecoder | null;
  #next = 0;
  #tail = '';

  constructor(wanted: string) {
    this.#parts = wanted
      .toLowerCase()
      .split('*')
      .filter((part) => part !== '');
    // Any bytes are accepted: what is not UTF-8 has no text to find.
    this.#decoder = /^[\0-\x7f]*$/.test(wanted) ? null : new TextDecoder('utf-8');
  }

  /** Takes the next piece; true once everything was found. */
  push(bytes: Uint8Array): boolean {
    const text = this.#tail + this.#decoded(bytes).toLowerCase();
    let from = 0;
    for (let part = this.#parts[this.#next]; part !== undefined; part = this.#parts[this.#next]) {
      const at = text.indexOf(part, from);
      if (at < 0) {
        this.#tail = text.slice(Math.max(from, text.length - part.length + 1));
        return false;
      }
      from = at + part.length;
      this.#next += 1;
    }
    return true;
  }

  #decoded(bytes: Uint8Array): string {
    if (this.#decoder) return this.#decoder.decode(bytes, { stream: true });
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  }
}
