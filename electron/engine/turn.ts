import { Arrivals } from './arrivals.ts';
import { BusyPoll } from './busy-poll.ts';

/** Holds bytes that are to be written. */
export interface Outgoing {
  goOut(): void;
  /** `goOut` threw. */
  broken(error: unknown): void;
}

/** Has to do what no byte has to wait for. */
export interface Afterwards {
  /** What was written in this turn is out. */
  out(): void;
  /** `out` threw. */
  broken(error: unknown): void;
}

/** Writes that go out at once, after one that waited for the turn's end and turned out to be the only one. */
const AT_ONCE = 16;
/** From a write's start until its bytes have left, milliseconds, where nothing interrupts it: TLS and the system call. */
const WRITE = 0.05;
/** Sockets that may wait for the end of one turn: those before them wait for their work, some 40 us each. */
const MOST = 64;

/**
 * When the bytes of a write left that began at `before` and has just returned, by `performance.now()`.
 *
 * The kernel hands the bytes over and wakes the process at the other end before the call returns. On a busy machine that process
 * may take the core at once, and even answer, while our call still waits to return. A call that takes longer than
 * usual was interrupted behind its bytes, not before them.
 */
export function leftAt(before: number): number {
  return Math.min(performance.now(), before + WRITE);
}

/**
 * One turn of the event loop: first what its poll phase has read is worked on, then (setImmediate) all that this gave rise to
 * is written, then the rest is done: rows, for the session and the feed.
 *
 * A write wakes the process at the socket's other end. Where many sockets are ready in one turn, it is woken for the first of
 * many messages, not once for each of them, and what it does does not take the CPU from the messages that have come already.
 * Where a turn has one socket only there is nothing to gain, and what is to be written is not kept waiting.
 */
export class Turn {
  /** Setting `busyPoll`. */
  busyPoll = false;
  readonly #poll: BusyPoll;
  readonly #arrivals = new Arrivals();
  #outgoing: Outgoing[] = [];
  #afterwards: Afterwards[] = [];
  #atOnce = 0;

  constructor(poll = new BusyPoll()) {
    this.#poll = poll;
  }

  /** Something is read: since when may it have been there? By `performance.now()`. */
  reads(): number {
    this.#arrivals.read();
    return this.#arrivals.at;
  }

  /** Since when what is being read may have been there, by `performance.now()`; now, where nothing is being read. */
  get arrivedAt(): number {
    return this.#arrivals.at;
  }

  /** `outgoing` goes out at the turn's end. */
  add(outgoing: Outgoing): void {
    this.#outgoing.push(outgoing);
    if (this.#outgoing.length === 1) setImmediate(this.#end);
  }

  /** False where it had better go out now. Otherwise like `add`. */
  takes(outgoing: Outgoing): boolean {
    if (this.#outgoing.length === 0 && this.#atOnce > 0) {
      this.#atOnce -= 1;
      if (this.busyPoll) this.#poll.active(outgoing);
      return false;
    }
    if (this.#outgoing.length >= MOST) return false;
    this.add(outgoing);
    return true;
  }

  /** Tells `work` when all that has been added is out: now, where nothing waits. */
  afterwards(work: Afterwards): void {
    if (this.#outgoing.length > 0) this.#afterwards.push(work);
    else tell(work);
  }

  readonly #end = (): void => {
    const outgoing = this.#outgoing;
    const afterwards = this.#afterwards;
    this.#outgoing = [];
    this.#afterwards = [];
    const [first] = outgoing;
    const alone = first !== undefined && outgoing.length === 1;
    this.#atOnce = alone ? AT_ONCE : 0;
    if (!alone) this.#poll.crowded();
    else if (this.busyPoll) this.#poll.active(first);
    for (const each of outgoing) {
      try {
        each.goOut();
      } catch (error) {
        each.broken(error);
      }
    }
    for (const work of afterwards) tell(work);
    this.#arrivals.worked();
  };
}

function tell(work: Afterwards): void {
  try {
    work.out();
  } catch (error) {
    work.broken(error);
  }
}

/** Of this thread's event loop. */
export const turn = new Turn();
