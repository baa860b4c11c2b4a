import { SLAB_BYTES } from './slab-size.ts';

/**
 * Body bytes on their way to the writer thread. Pieces are copied into slabs of shared memory, which are reused once
 * they are written: posting the pieces themselves would clone each of them with the entire buffer behind it. The slabs
 * are shared, not transferred, because a transferred slab would be lost if the writer thread died.
 *
 * `limit` bounds the memory, counted in whole slabs: those being filled, and those sent but not yet returned.
 */
export class BodySlabs {
  readonly #limit: number;
  readonly #free: SharedArrayBuffer[] = [];
  #slabs: SharedArrayBuffer[] = [];
  #pieces: number[] = [];
  #current: Uint8Array = new Uint8Array(0);
  #used = 0;
  #away = 0;

  /** `limit`: bytes. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Bytes in slabs that are being filled or in use by the writer. */
  get held(): number {
    return (this.#slabs.length + this.#away) * SLAB_BYTES;
  }

  get isOverLimit(): boolean {
    return this.held > this.#limit;
  }

  /** Slabs ready for the next `take`, including the one being filled. */
  get filled(): number {
    return this.#slabs.length;
  }

  /**
   * Copies a piece at `offset` of its body. Returns the number of bytes kept: all of them, or fewer if `bounded` is set
   * and the limit is reached.
   */
  append(exchange: number, side: number, offset: number, piece: Uint8Array, bounded: boolean): number {
    let kept = 0;
    while (kept < piece.length) {
      if (this.#used === this.#current.length && !this.#next(bounded)) break;
      const room = this.#current.length - this.#used;
      const part = kept === 0 && piece.length <= room ? piece : piece.subarray(kept, kept + room);
      this.#current.set(part, this.#used);
      this.#note(exchange, side, offset + kept, part.length);
      this.#used += part.length;
      kept += part.length;
    }
    return kept;
  }

  /** Everything appended since the last call, for a batch. The slabs count as held until `giveBack`. */
  take(): { slabs: SharedArrayBuffer[]; pieces: number[] } {
    const taken = { slabs: this.#slabs, pieces: this.#pieces };
    this.#away += taken.slabs.length;
    this.#reset();
    return taken;
  }

  giveBack(slabs: SharedArrayBuffer[]): void {
    this.#away -= slabs.length;
    this.#free.push(...slabs);
    // Keep all slabs during heavy traffic: a released shared buffer is freed only after both threads collect garbage.
    if (this.held === 0) this.#free.splice(Math.ceil(this.#limit / 8 / SLAB_BYTES));
  }

  /** Drops everything that was not taken. */
  discard(): void {
    this.#reset();
  }

  #reset(): void {
    this.#slabs = [];
    this.#pieces = [];
    this.#current = new Uint8Array(0);
    this.#used = 0;
  }

  #next(bounded: boolean): boolean {
    if (bounded && this.held + SLAB_BYTES > this.#limit) return false;
    const slab = this.#free.pop() ?? new SharedArrayBuffer(SLAB_BYTES);
    this.#slabs.push(slab);
    this.#current = new Uint8Array(slab);
    this.#used = 0;
    return true;
  }

  /** Merges a piece into the previous row if it continues the same body. */
  #note(exchange: number, side: number, offset: number, length: number): void {
    const pieces = this.#pieces;
    const last = pieces.length - 6;
    const slab = this.#slabs.length - 1;
    const follows =
      last >= 0 &&
      pieces[last] === exchange &&
      pieces[last + 1] === side &&
      pieces[last + 3] === slab &&
      this.#used > 0;
    if (follows) pieces[last + 5] = (pieces[last + 5] ?? 0) + length;
    else pieces.push(exchange, side, offset, slab, this.#used, length);
  }
}
