/** Literals longer than this are not kept, bytes as encoded. */
export const LONGEST_KEPT = 64;

/** After so many others in a row, a literal is not expected to come again. */
const PATIENCE = 8;

/** Then only each sixteenth is kept, in case they begin to. */
const PROBE = 16;

/** Whether literals that come in one place repeat: to keep those that do not costs more than it saves. */
export class LiteralHistory {
  #missed = 0;

  /** The kept one came again. */
  found(): void {
    this.#missed = 0;
  }

  /** Another one came: whether to keep that. */
  worthKeeping(): boolean {
    this.#missed++;
    return this.#missed <= PATIENCE || this.#missed % PROBE === 0;
  }
}
