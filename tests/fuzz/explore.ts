import { mutate } from './mutate.ts';
import { Random } from './random.ts';
import type { FuzzTarget } from './target.ts';

/** Inputs kept in memory as a basis for others: enough for each kind of outcome, and bounded. */
const MOST_KEPT = 3000;

/** An input that violated a property, and the seed of its cuts. */
export interface Found {
  bytes: Buffer;
  seed: number;
  error: Error;
}

/** The error that a target throws on an input, or null. */
export async function failure(target: FuzzTarget, bytes: Buffer, seed: number): Promise<Error | null> {
  try {
    await target.run(Buffer.from(bytes), new Random(seed));
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Derives inputs from others, and keeps those with a new outcome: a guide without coverage measurements. */
export class Explorer {
  readonly #target: FuzzTarget;
  readonly #random: Random;
  readonly #pool: Buffer[];
  readonly #outcomes = new Set<string>();
  runs = 0;

  /** `kept`: the target's corpus. */
  constructor(target: FuzzTarget, kept: readonly Buffer[], seed: number) {
    this.#target = target;
    this.#random = new Random(seed);
    this.#pool = [Buffer.alloc(0), ...target.seeds, ...kept];
  }

  get outcomes(): number {
    return this.#outcomes.size;
  }

  /** Tries the next input, which is passed to `before`. Null: all properties hold. */
  async next(before: (bytes: Buffer, seed: number) => void): Promise<Found | null> {
    const random = this.#random;
    const { words } = this.#target;
    const bytes = mutate(random.pick(this.#pool), random.pick(this.#pool), words, random);
    const seed = random.below(2 ** 32);
    before(bytes, seed);
    this.runs += 1;
    try {
      const outcome = await this.#target.run(Buffer.from(bytes), new Random(seed));
      this.#remember(outcome, bytes);
      return null;
    } catch (error) {
      return { bytes, seed, error: error instanceof Error ? error : new Error(String(error)) };
    }
  }

  #remember(outcome: string, bytes: Buffer): void {
    if (this.#outcomes.has(outcome) || this.#outcomes.size >= MOST_KEPT) return;
    this.#outcomes.add(outcome);
    this.#pool.push(Buffer.from(bytes));
  }
}
