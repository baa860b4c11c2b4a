import fs from 'node:fs';

const SPACE = 0x20;
const DIGIT = 0x30;

/** Calls between two readings while cores are free, and between two decisions while they are not. */
const CALM_CALLS = 32;
const BUSY_CALLS = 512;
/**
 * At or above this delay per call, in milliseconds, cores are not free. An idle machine starts a thread within
 * microseconds.
 */
const BUSY = 0.02;

/**
 * Opens a reader of the time that the calling thread has been ready to run but waited for a core, in milliseconds since
 * it began. Null if the system does not count it. Linux does (Documentation/scheduler/sched-stats.rst: the second
 * number).
 */
export function openSchedstat(): (() => number) | null {
  let file: number;
  try {
    file = fs.openSync('/proc/thread-self/schedstat', 'r');
  } catch {
    return null;
  }
  const text = Buffer.alloc(64);
  return () => {
    const length = fs.readSync(file, text, 0, text.length, 0);
    let nanoseconds = 0;
    for (let at = text.indexOf(SPACE) + 1; at < length && text[at] !== SPACE; at += 1)
      nanoseconds = nanoseconds * 10 + (text[at] ?? DIGIT) - DIGIT;
    return nanoseconds / 1e6;
  };
}

/**
 * How long this thread has waited for a core. Reading it from the kernel costs 1.5 us of CPU. It is therefore read on
 * each call only while other programs keep the cores busy, and otherwise occasionally.
 */
export class RunDelay {
  readonly #read: (() => number) | null;
  #value = 0;
  /** Waiting time that passed unobserved: it belongs to no measured interval. */
  #unseen = 0;
  #watching = false;
  #from = 0;
  #callsLeft = CALM_CALLS;

  constructor(read = openSchedstat()) {
    this.#read = read;
    this.#value = read?.() ?? 0;
    this.#unseen = this.#value;
    this.#from = this.#value;
  }

  /** Observed waiting time, milliseconds. The difference of two values is the wait in between. */
  get total(): number {
    if (this.#read && (this.#watching || this.#callsLeft === 1)) this.#look(this.#read());
    this.#callsLeft -= 1;
    if (this.#callsLeft === 0) this.#decide();
    return this.#value - this.#unseen;
  }

  #look(value: number): void {
    if (!this.#watching) this.#unseen += value - this.#value;
    this.#value = value;
  }

  #decide(): void {
    const calls = this.#watching ? BUSY_CALLS : CALM_CALLS;
    this.#watching = this.#value - this.#from > calls * BUSY;
    this.#from = this.#value;
    this.#callsLeft = this.#watching ? BUSY_CALLS : CALM_CALLS;
  }
}
