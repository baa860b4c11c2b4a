import type { Timings } from '../model/timings.ts';

const PHASES = ['dns', 'connect', 'ssl', 'send', 'wait', 'receive', 'failedTries', 'rulesSend'] as const;

/** The phases that rules read, in milliseconds; -1 as in `Timings`. */
export type FactTimings = Readonly<Pick<Timings, (typeof PHASES)[number]>>;

/** Cells of one exchange: its start, its end and its phases. */
const CELLS = 2 + PHASES.length;
/** Exchanges of which one array holds the times. */
const BLOCK = 1024;

let cells = new Float64Array(BLOCK * CELLS);
let filled = 0;

/**
 * The times of an exchange. An object with a number in each field takes three times the memory, because the engine
 * keeps every fraction in a separate object. The getters are in the order of the cells.
 */
export class FactTimes implements FactTimings {
  readonly #cells: Float64Array;
  readonly #begin: number;

  constructor({ start, end, timings }: { start: number; end: number; timings: FactTimings }) {
    if (filled === BLOCK) {
      cells = new Float64Array(BLOCK * CELLS);
      filled = 0;
    }
    this.#cells = cells;
    this.#begin = filled * CELLS;
    filled += 1;
    const { dns, connect, ssl, send, wait, receive, failedTries, rulesSend } = timings;
    // `cells.set` with an array takes ten times as long.
    let at = this.#begin;
    for (const time of [start, end, dns, connect, ssl, send, wait, receive, failedTries, rulesSend]) {
      cells[at] = time;
      at += 1;
    }
  }

  get start(): number {
    return this.#at(0);
  }

  get end(): number {
    return this.#at(1);
  }

  get dns(): number {
    return this.#at(2);
  }

  get connect(): number {
    return this.#at(3);
  }

  get ssl(): number {
    return this.#at(4);
  }

  get send(): number {
    return this.#at(5);
  }

  get wait(): number {
    return this.#at(6);
  }

  get receive(): number {
    return this.#at(7);
  }

  get failedTries(): number {
    return this.#at(8);
  }

  get rulesSend(): number {
    return this.#at(9);
  }

  #at(cell: number): number {
    return this.#cells[this.#begin + cell] ?? -1;
  }
}
