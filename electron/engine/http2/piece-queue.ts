/** Smaller pieces are joined, bytes: a peer may send one byte a frame, and each Buffer costs a hundred. */
const SMALL = 512;
/** So many small ones in a row become one. */
const RUN = 64;
/** After so many taken their places are given back. */
const TAKEN = 64;
const NOTHING = Buffer.alloc(0);

/** A small part of a read, kept long, would keep the whole read in memory, which no window counts. */
function alone(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

/** Bytes that wait, in the pieces that they came in. */
export class PieceQueue {
  #pieces: Buffer[] = [];
  #first = 0;
  /** Small ones at its end. */
  #small = 0;
  /** Bytes that wait. */
  bytes = 0;

  add(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#pieces.push(bytes);
    this.bytes += bytes.length;
    if (bytes.length >= SMALL) this.#small = 0;
    else if (++this.#small >= RUN) this.#join();
  }

  /** Adds a part of a read that may wait for long. */
  keep(bytes: Buffer): void {
    this.add(bytes.length * 4 < bytes.buffer.byteLength ? alone(bytes) : bytes);
  }

  /** At most `most` bytes of the piece that came first. Not to be asked where there are none. */
  take(most: number): Buffer {
    const piece = this.#pieces[this.#first] as Buffer;
    if (piece.length > most) {
      this.#pieces[this.#first] = piece.subarray(most);
      this.bytes -= most;
      return piece.subarray(0, most);
    }
    this.bytes -= piece.length;
    this.#pieces[this.#first] = NOTHING;
    this.#first += 1;
    if (this.bytes === 0) this.clear();
    else if (this.#first >= TAKEN) {
      this.#pieces.splice(0, this.#first);
      this.#first = 0;
    }
    return piece;
  }

  clear(): void {
    this.#pieces = [];
    this.#first = 0;
    this.#small = 0;
    this.bytes = 0;
  }

  /** Some of them may have been taken since they were counted. */
  #join(): void {
    const count = Math.min(this.#small, this.#pieces.length - this.#first);
    const joined = Buffer.concat(this.#pieces.splice(-count));
    this.#pieces.push(joined);
    this.#small = joined.length < SMALL ? 1 : 0;
  }
}
