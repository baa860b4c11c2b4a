import { performance } from 'node:perf_hooks';
import { RunDelay } from './run-delay.ts';

/** The thread's clocks and turns; tests replace them. Milliseconds. */
export interface ArrivalTimes {
  now: () => number;
  /** Time that the event loop has slept in its poll phase since the thread began. */
  slept: () => number;
  /** Time that the thread has waited for a core. */
  waited: () => number;
  /** Calls `run` after the loop's next poll and the work it brought. Does not keep the loop from sleeping. */
  afterPoll: (run: () => void) => void;
}

/** The maximum duration of a first read itself, milliseconds: the system calls, TLS and the entry into JavaScript. */
const READ = 0.1;

function thisThread(): ArrivalTimes {
  const runDelay = new RunDelay();
  return {
    now: () => performance.now(),
    slept: () => performance.nodeTiming.idleTime,
    waited: () => runDelay.total,
    // An unreferenced immediate runs in each turn of the loop but lets it sleep.
    afterPoll: (run) => setImmediate(run).unref(),
  };
}

/**
 * Estimates when the bytes that the event loop reads arrived. The kernel only tells Node that bytes are there when the
 * loop polls.
 *
 * - The loop was asleep: the bytes arrived when it was woken. If other programs keep the cores busy, it runs later than
 *   that, and Linux reports by how much.
 * - The loop was busy (other sockets, rows, the garbage collector): the bytes arrived at some time after its previous
 *   poll. We take the earliest: time that may be ours counts as our overhead, never as the server's.
 *
 * Linux tells no more of a TCP socket: SIOCGSTAMP fails with ENOENT, and `tcpi_last_data_recv` of TCP_INFO moves in
 * steps of 4 ms (measured; a call through koffi costs 20 us).
 *
 * A loop turn that reads costs four clock readings, 0.6 us.
 */
export class Arrivals {
  #times: ArrivalTimes | null;
  #started = false;
  #reading = false;
  #at = 0;
  /** Everything that had arrived by this time has been read. */
  #asked = 0;
  /** When the last known work ended, and the loop's total sleep and wait at that time. */
  #doneAt = 0;
  #slept = 0;
  #waited = 0;

  /** Defaults to the calling thread's clocks, which are created at the first read. */
  constructor(times: ArrivalTimes | null = null) {
    this.#times = times;
  }

  /** Call it with each read in the poll phase. */
  read(): void {
    if (this.#reading) return;
    this.#times ??= thisThread();
    const times = this.#times;
    if (!this.#started) this.#start(times);
    this.#reading = true;
    const slept = times.slept() - this.#slept;
    if (slept > 0) {
      // A timer may have run before the loop slept. The loop's clock says nothing then, but the read's cost is bounded.
      const woken = Math.max(this.#doneAt + slept, times.now() - READ);
      this.#at = woken - Math.min(Math.max(times.waited() - this.#waited, 0), slept);
    } else this.#at = this.#asked;
  }

  /** The earliest time at which the bytes being read can have arrived; outside of a read: now. */
  get at(): number {
    return this.#reading ? this.#at : performance.now();
  }

  /** The turn has finished its work besides reading. */
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
    // The earliest end of the poll: work that timers did between the last turn and the poll is unknown.
    this.#asked = this.#doneAt + slept - this.#slept;
    this.#slept = slept;
    this.#reading = false;
    this.#note(times);
  }
}
