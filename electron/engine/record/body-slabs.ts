import { SLAB_BYTES } from '../../session/format/slab-size.ts';

/**
 * Body bytes on their way to the writer's thread. Pieces are copied into slabs of shared memory, which are used again once
 * they are written: posting the pieces themselves would clone each, and with it all of the buffer that it views. Shared and
 * not transferred, since a transferred slab would be lost with a writer's thread that dies.
 *
 * Memory is bounded by `limit`, counted in whole slabs: those being filled, those sent and not yet handed back.
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

  /** Bytes of memory held, here and on the way. */
  get held(): number {
    return (this.#slabs.length + this.#away) * SLAB_BYTES;
  }

  get isOverLimit(): boolean {
    return this.held > this.#limit;
  }

  /** Slabs that wait to be taken. */
  get filled(): number {
    return this.#slabs.length;
  }

  /**
   * Copies a piece that stands at `offset` of its body. Returns how many bytes of it were kept: all of them, or with
   * `bounded` fewer where the limit is reached.
   */
  append(exchange: number, side: 0 | 1, offset: number, piece: Uint8Array, bounded: boolean): number {
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

  /** Everything appended since it was called last, for a batch; the slabs are away until `giveBack`. */
  take(): { slabs: SharedArrayBuffer[]; pieces: number[] } {
    const taken = { slabs: this.#slabs, pieces: this.#pieces };
    this.#away += taken.slabs.length;
    this.#reset();
    return taken;
  }

  giveBack(slabs: SharedArrayBuffer[]): void {
    this.#away -= slabs.length;
    this.#free.push(...slabs);
    // All are kept while much comes: a shared buffer that is let go of is only freed once both threads collected their garbage.
    if (this.held === 0) this.#free.splice(Math.ceil(this.#limit / 8 / SLAB_BYTES));
  }

  /** Forgets what was not taken. */
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

  /** A piece that goes on where the last one of the same body ended makes one row with it. */
  #note(exchange: number, side: 0 | 1, offset: number, length: number): void {
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
