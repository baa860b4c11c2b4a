import fs from 'node:fs';

const SPACE = 0x20;
const DIGIT = 0x30;

/** Calls between two looks while cores are free, and from one decision to the next while they are not. */
const CALM_CALLS = 32;
const BUSY_CALLS = 512;
/** Milliseconds a call from which on cores are not free: an idle machine takes some microseconds to run a thread. */
const BUSY = 0.02;

/**
 * Milliseconds that the calling thread has been ready to run and waited for a core, since it began; null where the system does not
 * count them. Linux does (Documentation/scheduler/sched-stats.rst: the second number).
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
 * How long this thread has waited for a core. To ask the kernel takes 1.5 us of CPU, so it is asked each time only while other
 * programs keep the cores busy, and now and then otherwise, when there is nothing to find out.
 */
export class RunDelay {
  readonly #read: (() => number) | null;
  #value = 0;
  /** What was waited while nobody looked: it belongs to no interval that is asked for. */
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

  /** Milliseconds, as far as it was watched: the difference of two says what was waited in between. */
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
