import type { Timings } from '../model/timings.ts';

const NAMES = ['dns', 'connect', 'ssl', 'send', 'wait', 'receive', 'failedTries'] as const;

/** The phases that rules read, in milliseconds; -1 as in `Timings`. */
export type FactTimings = Readonly<Pick<Timings, (typeof NAMES)[number]>>;

const PHASES = NAMES.length;
/** Exchanges of which one array holds the phases. */
const BLOCK = 1024;

let cells = new Float64Array(BLOCK * PHASES);
let filled = 0;

/**
 * A copy of the phases. An object with a number in each field takes three times the memory, because the engine keeps
 * every fraction in its own object.
 */
export function factTimings(timings: FactTimings): FactTimings {
  if (filled === BLOCK) {
    cells = new Float64Array(BLOCK * PHASES);
    filled = 0;
  }
  const begin = filled * PHASES;
  filled += 1;
  for (let at = 0; at < PHASES; at++) cells[begin + at] = timings[NAMES[at] ?? 'dns'];
  return new BlockTimings(cells, begin);
}

/** The getters are in the order of NAMES. */
class BlockTimings implements FactTimings {
  readonly #cells: Float64Array;
  readonly #begin: number;

  constructor(block: Float64Array, begin: number) {
    this.#cells = block;
    this.#begin = begin;
  }

  get dns(): number {
    return this.#at(0);
  }

  get connect(): number {
    return this.#at(1);
  }

  get ssl(): number {
    return this.#at(2);
  }

  get send(): number {
    return this.#at(3);
  }

  get wait(): number {
    return this.#at(4);
  }

  get receive(): number {
    return this.#at(5);
  }

  get failedTries(): number {
    return this.#at(6);
  }

  #at(phase: number): number {
    return this.#cells[this.#begin + phase] ?? -1;
  }
}
