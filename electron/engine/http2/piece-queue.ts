/** Pieces below this size are joined, bytes: a peer may send one byte per frame, and each Buffer costs a hundred. */
const SMALL = 512;
/** Number of consecutive small pieces that are joined into one. */
const RUN = 64;
/** Number of taken pieces after which their array slots are freed. */
const TAKEN = 64;
const NOTHING = Buffer.alloc(0);

/** Copies a small part of a read: kept for long, it would keep the whole read in memory, which no window counts. */
function alone(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

/** A queue of bytes, kept in the pieces in which they arrived. */
export class PieceQueue {
  #pieces: Buffer[] = [];
  #first = 0;
  /** Number of small pieces at the end. */
  #small = 0;
  /** Number of queued bytes. */
  bytes = 0;

  add(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#pieces.push(bytes);
    this.bytes += bytes.length;
    if (bytes.length >= SMALL) this.#small = 0;
    else if (++this.#small >= RUN) this.#join();
  }

  /** Adds part of a read that may stay queued for long. */
  keep(bytes: Buffer): void {
    this.add(bytes.length * 4 < bytes.buffer.byteLength ? alone(bytes) : bytes);
  }

  /** Takes up to `most` bytes of the first piece. The queue must not be empty. */
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

  /** Joins the small pieces at the end. Some may have been taken since they were counted. */
  #join(): void {
    const count = Math.min(this.#small, this.#pieces.length - this.#first);
    const joined = Buffer.concat(this.#pieces.splice(-count));
    this.#pieces.push(joined);
    this.#small = joined.length < SMALL ? 1 : 0;
  }
}
