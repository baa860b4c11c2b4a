/** Literals longer than this are not kept; encoded bytes. */
export const LONGEST_KEPT = 64;

/** After this many different literals in a row, a repeat is no longer expected. */
const PATIENCE = 8;

/** Then only every sixteenth literal is kept, in case they start to repeat. */
const PROBE = 16;

/** Tracks whether literals in one position repeat: keeping those that don't costs more than it saves. */
export class LiteralHistory {
  #missed = 0;

  /** The kept literal occurred again. */
  found(): void {
    this.#missed = 0;
  }

  /** A different literal occurred. Returns whether to keep it. */
  worthKeeping(): boolean {
    this.#missed++;
    return this.#missed <= PATIENCE || this.#missed % PROBE === 0;
  }
}
