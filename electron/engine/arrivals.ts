import { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Duplex } from 'node:stream';
import { type LastReceived, lastReceived } from './last-received.ts';
import { descriptorOf } from './listen/descriptors.ts';
import { RunDelay } from './run-delay.ts';

/** The thread's clocks and turns; tests replace them. Milliseconds. */
export interface ArrivalTimes {
  now: () => number;
  /** Time that the event loop has slept in its poll phase since the thread began. */
  slept: () => number;
  /** Time that the thread has waited for a core. */
  waited: () => number;
  /** What the system reports about a socket's last segment; null: nothing yet. */
  received: () => LastReceived | null;
  /** Calls `run` after the loop's next poll and the work it brought. Does not keep the loop from sleeping. */
  afterPoll: (run: () => void) => void;
}

/**
 * The time after which the system is asked, milliseconds: bytes may have arrived that long before they are read, or
 * other programs may have kept the loop from running that long. A call costs little next to that time.
 */
const UNSURE = 8;

/** The most bytes that count as a message that arrived at once. */
const SMALL = 16 * 1024;

/** The maximum duration of a first read itself, milliseconds: the system calls, TLS and the entry into JavaScript. */
const READ = 0.1;

function thisThread(): ArrivalTimes {
  const runDelay = new RunDelay();
  return {
    now: () => performance.now(),
    slept: () => performance.nodeTiming.idleTime,
    waited: () => runDelay.total,
    received: lastReceived,
    // An unreferenced immediate runs in each turn of the loop but does not keep it awake.
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
 * Both can be wrong by as long as a busy machine keeps the thread from running. After such a time, Linux is asked when
 * the socket's last segment arrived, to a tick of its clock (1 to 4 ms, `last-received.ts`). The call costs 3 us.
 * SIOCGSTAMP, which is more precise, fails for TCP sockets.
 *
 * A loop turn that reads costs five clock readings, 0.7 us.
 */
export class Arrivals {
  #times: ArrivalTimes | null;
  #started = false;
  #reading = false;
  /** Of this turn, and of the bytes being read. */
  #turnAt = 0;
  #at = 0;
  /** `#turnAt` may be far off. */
  #isUnsure = false;
  /** Everything that had arrived by this time has been read, unless a signal ended the poll. */
  #asked = 0;
  /** The last poll took so long that it may have been a pause of the process (SIGSTOP), which a signal ends. */
  #sleptLong = false;
  /** When the last known work ended, and the loop's total sleep and wait at that time. */
  #doneAt = 0;
  #slept = 0;
  #waited = 0;

  /** Defaults to the calling thread's clocks, which are created at the first read. */
  constructor(times: ArrivalTimes | null = null) {
    this.#times = times;
  }

  /**
   * Call it with each read in the poll phase. `socket`: to ask the system about it if need be. `bytes`: how many were
   * read; infinite if they may belong to several messages.
   */
  read(socket: Duplex | null = null, bytes = Number.POSITIVE_INFINITY): void {
    if (!this.#reading) this.#begin();
    this.#at = this.#turnAt;
    if (this.#isUnsure && socket instanceof Socket) this.#ask(descriptorOf(socket), bytes);
  }

  #begin(): void {
    this.#times ??= thisThread();
    const times = this.#times;
    if (!this.#started) this.#start(times);
    this.#reading = true;
    const slept = times.slept() - this.#slept;
    const now = times.now();
    if (slept > 0) {
      // A timer may have run before the loop slept. The loop's clock says nothing then, but the read's cost is bounded.
      const woken = Math.max(this.#doneAt + slept, now - READ);
      this.#turnAt = woken - Math.min(Math.max(times.waited() - this.#waited, 0), slept);
    } else this.#turnAt = this.#asked;
    this.#isUnsure = slept > UNSURE || now - this.#turnAt > UNSURE || (slept === 0 && this.#sleptLong);
  }

  #ask(descriptor: number, bytes: number): void {
    const times = this.#times;
    const received = times?.received();
    const ago = received?.ago(descriptor) ?? null;
    if (!times || !received || ago === null) return;
    // The clock is read again: other sockets may have been read since the turn began.
    const at = times.now() - ago;
    this.#at = Math.min(this.#at, at + received.tick);
    // The last segment of a small message is its first.
    if (bytes <= SMALL) this.#at = Math.max(this.#at, at - received.tick);
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
    this.#sleptLong = slept - this.#slept > UNSURE;
    this.#slept = slept;
    this.#reading = false;
    this.#note(times);
  }
}
