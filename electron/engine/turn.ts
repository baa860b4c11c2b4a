import type { Duplex } from 'node:stream';
import { Arrivals } from './arrivals.ts';
import { BusyPoll } from './busy-poll.ts';

/** Holds bytes that wait to be written. */
export interface Outgoing {
  goOut(): void;
  /** `goOut` threw. */
  internalError(error: unknown): void;
}

/** Has work that is less urgent than writing bytes. */
export interface Afterwards {
  /** Everything written in this turn has left. */
  out(): void;
  /** `out` threw. */
  internalError(error: unknown): void;
}

/** The number of immediate writes after a turn whose only deferred write had no company. */
const AT_ONCE = 16;
/**
 * Time from a write's start until its bytes have left if nothing interrupts it, milliseconds: TLS and the system call.
 */
const WRITE = 0.05;
/**
 * Maximum number of sockets that wait for the end of one turn: each waits for the others' work, some 40 us per socket.
 */
const MOST = 64;

/**
 * Estimates when a write's bytes left, by `performance.now()`. The write began at `before` and has just returned.
 *
 * The kernel delivers the bytes and wakes the receiving process before the call returns. On a busy machine that process
 * may take the core at once, and even answer, before our call returns. A call that takes longer than usual was
 * therefore interrupted after its bytes left, not before.
 */
export function leftAt(before: number): number {
  return Math.min(performance.now(), before + WRITE);
}

/**
 * One turn of the event loop: first process everything that its poll phase read, then (setImmediate) write all
 * resulting bytes, then do the rest: rows for the session and the feed.
 *
 * A write wakes the process at the socket's other end. If many sockets are ready in one turn, that process is woken
 * once, by the first of many messages, and does not take the CPU from messages that have already arrived. If a turn has
 * only one socket, deferring gains nothing, and the bytes are written at once.
 */
export class Turn {
  /** Setting `busyPoll`. */
  busyPoll = false;
  readonly #poll: BusyPoll;
  readonly #arrivals = new Arrivals();
  #outgoing: Outgoing[] = [];
  #afterwards: Afterwards[] = [];
  #goingOut = false;
  #atOnce = 0;

  constructor(poll = new BusyPoll()) {
    this.#poll = poll;
  }

  /**
   * Call it for each read. Returns the earliest time at which the bytes can have arrived, by `performance.now()`.
   * Its parameters: see Arrivals.
   */
  reads(socket: Duplex | null = null, bytes = 0, areSeveral = false): number {
    this.#arrivals.read(socket, bytes, areSeveral);
    return this.#arrivals.at;
  }

  /** The earliest arrival time of the bytes being read, by `performance.now()`; now, if no read is in progress. */
  get arrivedAt(): number {
    return this.#arrivals.at;
  }

  /** Calls `goOut` of `outgoing` at the end of the turn. */
  add(outgoing: Outgoing): void {
    this.#outgoing.push(outgoing);
    if (this.#outgoing.length === 1) setImmediate(this.#end);
  }

  /** Returns false if `outgoing` should write now; otherwise like `add`. */
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

  /** Calls `work.out` when everything added has been written: now, if nothing waits. */
  afterwards(work: Afterwards): void {
    if (this.#outgoing.length > 0 || this.#goingOut) this.#afterwards.push(work);
    else tell(work);
  }

  readonly #end = (): void => {
    const outgoing = this.#outgoing;
    const afterwards = this.#afterwards;
    this.#outgoing = [];
    this.#afterwards = [];
    this.#goingOut = true;
    const [first] = outgoing;
    const alone = first !== undefined && outgoing.length === 1;
    this.#atOnce = alone ? AT_ONCE : 0;
    if (!alone) this.#poll.crowded();
    else if (this.busyPoll) this.#poll.active(first);
    for (const each of outgoing) {
      try {
        each.goOut();
      } catch (error) {
        each.internalError(error);
      }
      this.#arrivals.passing();
    }
    this.#goingOut = false;
    // Work that came while the bytes went out waits for those that were added since.
    if (this.#outgoing.length === 0 && this.#afterwards.length > 0) afterwards.push(...this.#afterwards.splice(0));
    for (const work of afterwards) {
      tell(work);
      this.#arrivals.passing();
    }
    this.#arrivals.worked();
  };
}

function tell(work: Afterwards): void {
  try {
    work.out();
  } catch (error) {
    work.internalError(error);
  }
}

/** The turn of this thread's event loop. */
export const turn = new Turn();
