/** Numbers that a seed determines, which makes runs repeatable (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** An integer from 0 up to, but not including, `below`. */
  below(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)] as T;
  }
}

/** The bytes in up to eight pieces, cut anywhere; or byte by byte, once in a while. Each piece is a copy. */
export function cutUp(bytes: Buffer, random: Random): Buffer[] {
  const single = random.below(8) === 0;
  const cuts = single
    ? Array.from(bytes.keys())
    : Array.from({ length: random.below(8) }, () => random.below(bytes.length + 1));
  const offsets = [0, ...cuts.sort((one, other) => one - other), bytes.length];
  const pieces: Buffer[] = [];
  for (let index = 1; index < offsets.length; index += 1) {
    const piece = bytes.subarray(offsets[index - 1], offsets[index]);
    if (piece.length > 0) pieces.push(Buffer.from(piece));
  }
  return pieces;
}
