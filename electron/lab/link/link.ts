/** The emulated network between browser and replay origin. */
export interface LinkConditions {
  /** Milliseconds. */
  rtt: number;
  /** Megabits per second, each way; 0: no limit. */
  bandwidth: number;
  /** Nagle's algorithm on the server's side (RFC 896). */
  nagle: boolean;
}

type Direction = 'up' | 'down';

const BITS_PER_BYTE = 8;
/** Megabits per second to bits per millisecond. */
const PER_MEGABIT = 1000;

/** The browser's access link: all its connections share the bandwidth. Times are of `performance.now()`. */
export class Link {
  readonly conditions: LinkConditions;
  readonly #bitsPerMs: number;
  readonly #free: Record<Direction, number> = { up: 0, down: 0 };

  constructor(conditions: LinkConditions) {
    this.conditions = conditions;
    this.#bitsPerMs = conditions.bandwidth > 0 ? conditions.bandwidth * PER_MEGABIT : Number.POSITIVE_INFINITY;
  }

  /** Whether connections behave as on plain loopback. */
  get isTransparent(): boolean {
    const { rtt, nagle } = this.conditions;
    return rtt === 0 && !nagle && this.#bitsPerMs === Number.POSITIVE_INFINITY;
  }

  /** Puts bytes on the link, no earlier than `from`; returns when the other end has them. */
  carry(bytes: number, direction: Direction, from: number): number {
    const sent = Math.max(from, this.#free[direction]) + (bytes * BITS_PER_BYTE) / this.#bitsPerMs;
    this.#free[direction] = sent;
    return sent + this.conditions.rtt / 2;
  }
}
