/** Bytes of a full segment on Ethernet, with TCP's timestamps. */
const SEGMENT = 1448;
/** RFC 6928: ten segments. */
const INITIAL = 10 * SEGMENT;
/** Linux's usual limit of a send buffer. Bytes. */
const LARGEST = 4 * 1024 * 1024;

/**
 * How much a TCP sender may have in flight: slow start from ten segments (RFC 5681, RFC 6928), without losses. With
 * Nagle's algorithm, a segment that is not full waits until everything before it is acknowledged (RFC 896).
 */
export class SendWindow {
  readonly #nagle: boolean;
  #size = INITIAL;
  #underWay = 0;

  constructor(nagle: boolean) {
    this.#nagle = nagle;
  }

  /** Bytes of `waiting` that may be sent now. */
  room(waiting: number): number {
    const free = Math.min(waiting, this.#size - this.#underWay);
    if (!this.#nagle || this.#underWay === 0) return Math.max(free, 0);
    // Only full segments; the rest waits for the acknowledgement.
    return Math.max(Math.floor(free / SEGMENT) * SEGMENT, 0);
  }

  /** Returns whether the last segment is not full, which receivers acknowledge late. */
  sent(bytes: number): boolean {
    this.#underWay += bytes;
    return bytes % SEGMENT !== 0;
  }

  acknowledged(bytes: number): void {
    this.#underWay -= bytes;
    this.#size = Math.min(this.#size + bytes, LARGEST);
  }
}
