import { performance } from 'node:perf_hooks';
import { RunDelay } from './run-delay.ts';

/** The thread's clocks and turns; others in tests. Milliseconds. */
export interface ArrivalTimes {
  now: () => number;
  /** How long the event loop has slept in its poll phase, waiting for the kernel, since the thread began. */
  slept: () => number;
  /** How long the thread has waited for a core. */
  waited: () => number;
  /** Calls `run` once the loop has next asked the kernel and worked on what was there. Does not keep it from sleeping. */
  afterPoll: (run: () => void) => void;
}

/** The most that a first read takes by itself, milliseconds: the system calls, TLS, the way into JavaScript. */
const READ = 0.1;

function thisThread(): ArrivalTimes {
  const runDelay = new RunDelay();
  return {
    now: () => performance.now(),
    slept: () => performance.nodeTiming.idleTime,
    waited: () => runDelay.total,
    // An immediate that is not counted: it runs in each turn of the loop, and lets it sleep.
    afterPoll: (run) => setImmediate(run).unref(),
  };
}

/**
 * Says since when the bytes that the event loop reads may have been there. The kernel tells Node only that they are there when
 * the loop asks.
 *
 * - The loop slept until then: they arrived as it was woken. Where other programs keep the cores busy, it runs later
 *   than that, and Linux says by how much.
 * - The loop was busy (other sockets, rows, the garbage collector): they arrived at some moment after it asked before. The
 *   earliest is taken: time that may be ours counts as our overhead, never as the server's.
 *
 * A turn of the loop that reads costs four readings of a clock, 0.6 us.
 */
export class Arrivals {
  #times: ArrivalTimes | null;
  #started = false;
  #reading = false;
  #at = 0;
  /** All that had arrived by then has been read. */
  #asked = 0;
  /** Of the end of the last work that is known of: when it was, and what the loop had slept and waited by then. */
  #doneAt = 0;
  #slept = 0;
  #waited = 0;

  /** The calling thread's own unless told; they are taken up with the first read. */
  constructor(times: ArrivalTimes | null = null) {
    this.#times = times;
  }

  /** For the poll phase: call it with each read. */
  read(): void {
    if (this.#reading) return;
    this.#times ??= thisThread();
    const times = this.#times;
    if (!this.#started) this.#start(times);
    this.#reading = true;
    const slept = times.slept() - this.#slept;
    if (slept > 0) {
      // A timer may have been at work before it slept; then its own clock says nothing, and the read's cost is bounded.
      const woken = Math.max(this.#doneAt + slept, times.now() - READ);
      this.#at = woken - Math.min(Math.max(times.waited() - this.#waited, 0), slept);
    } else this.#at = this.#asked;
  }

  /** What is read now had arrived by this moment at the earliest; outside of a read: now. */
  get at(): number {
    return this.#reading ? this.#at : performance.now();
  }

  /** What a turn had to do beside reading is done. */
  worked(): void {
    if (this.#times && this.#started) this.#note(this.#times);
  }

  #note(times: ArrivalTimes): void {
    this.#doneAt = times.now();
    this.#waited = times.waited();
  }

  #start(times: ArrivalTimes): void {
    this.#started = true;
    this.#note(times);
    this.#asked = this.#doneAt;
    this.#slept = times.slept();
    const polled = (): void => {
      this.#polled(times);
      times.afterPoll(polled);
    };
    times.afterPoll(polled);
  }

  #polled(times: ArrivalTimes): void {
    const slept = times.slept();
    // The poll's end at the earliest: what was worked on between the last turn and the poll, by timers, is not known.
    this.#asked = this.#doneAt + slept - this.#slept;
    this.#slept = slept;
    this.#reading = false;
    this.#note(times);
  }
}
