import type { RawHeaders } from '../../../shared/model/headers.ts';

/** What a stream has to send and may not have sent yet: its body's bytes, and how it ends. */
export class SendQueue {
  #pieces: Buffer[] = [];
  #first = 0;
  /** Bytes that wait. */
  bytes = 0;
  /** Nothing is added any more. */
  ended = false;
  /** Go out behind the last byte. */
  trailers: RawHeaders | null = null;

  add(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#pieces.push(bytes);
    this.bytes += bytes.length;
  }

  /** At most `most` bytes, as they were added: pieces are cut, never joined. Not to be asked where there are none. */
  take(most: number): Buffer {
    const piece = this.#pieces[this.#first] as Buffer;
    if (piece.length > most) {
      this.#pieces[this.#first] = piece.subarray(most);
      this.bytes -= most;
      return piece.subarray(0, most);
    }
    this.bytes -= piece.length;
    this.#first += 1;
    if (this.bytes === 0) this.#clear();
    return piece;
  }

  drop(): void {
    this.#clear();
    this.bytes = 0;
    this.trailers = null;
  }

  #clear(): void {
    this.#pieces = [];
    this.#first = 0;
  }
}
