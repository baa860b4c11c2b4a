import { cpus } from 'node:os';

/** Milliseconds for which the thread looks for what comes next before it sleeps. */
const WINDOW = 0.2;
/** What a window is charged in which nothing came; a find earns 1. So four of five have to find something. */
const MISS = 4;
/** Credit that many finds leave: a few misses after them change nothing. */
const MOST = 16;
const TRIAL = 2;
/** Credit of one who can be said to find what it looks for. */
const PAYS = 8;
/** Turns until the next trial: at first, and after many that did not pay, each of which doubles them. */
const FIRST_REST = 8;
const LONGEST_REST = 256;
/** Turns until the next trial where there was too much to do. */
const CROWD_REST = 16;
/** Times that the core is told that this is a loop that waits: 2 us in all, which other threads and the battery have. */
const PAUSES = 60;

/** Since V8 13.3, so not in every Electron that the tests run in. */
const { pause } = Atomics as { pause?: () => void };

/** The thread's clock and next turn; others in tests. */
export interface BusyPollTimes {
  /** Milliseconds. */
  now: () => number;
  nextTurn: (run: () => void) => void;
}

/**
 * Keeps the thread awake for a moment after it had something to do, for what comes next: the answer of a server on the same
 * machine, the client's next request. To put a thread to sleep and wake it takes the kernel some 50 us, and an exchange that
 * has the engine for itself pays it twice: a third of its time here
 * (docs/history/performance-2026-11.md, "When to sleep").
 *
 * It looks only while that pays: where one thing follows the other, and most of it at once. Where more goes on side by side
 * (a browser that loads a page, many clients), others need the cores. Where the server is far nothing comes
 * within the window, and after some of those one turn in 256 tries again: 0.2 % of a core at a thousand exchanges a second.
 * Where there is one core, the client could not send while we look.
 */
export class BusyPoll {
  readonly #times: BusyPollTimes;
  readonly #able: boolean;
  #last: object | null = null;
  #other: object | null = null;
  #looking = false;
  #found = false;
  /** Until when to look, by `now`. */
  #until = 0;
  #credit = TRIAL;
  #rest = 0;
  #nextRest = FIRST_REST;

  constructor(times: BusyPollTimes = { now: () => performance.now(), nextTurn: setImmediate }, cores = cpus().length) {
    this.#times = times;
    this.#able = cores > 1;
  }

  /** `socket` alone was written to in this turn of the event loop. One thing that follows the other knows two: client and upstream. */
  active(socket: object): void {
    if (socket !== this.#last && socket !== this.#other) this.crowded();
    if (socket !== this.#last) {
      this.#other = this.#last;
      this.#last = socket;
    }
    if (this.#looking) this.#found = true;
    else if (this.#rest > 0) this.#rest -= 1;
    else if (this.#able) this.#begin();
  }

  /** There is more than one thing to do, and others want the cores for it. */
  crowded(): void {
    this.#rest = CROWD_REST;
  }

  #begin(): void {
    this.#looking = true;
    this.#found = false;
    this.#until = this.#times.now() + WINDOW;
    this.#times.nextTurn(this.#look);
  }

  readonly #look = (): void => {
    if (this.#rest > 0) {
      this.#looking = false;
      return;
    }
    const now = this.#times.now();
    if (this.#found) {
      this.#found = false;
      this.#credit = Math.min(MOST, this.#credit + 1);
      if (this.#credit >= PAYS) this.#nextRest = FIRST_REST;
      this.#until = now + WINDOW;
    } else if (now >= this.#until) {
      this.#looking = false;
      this.#credit -= MISS;
      if (this.#credit > 0) return;
      this.#credit = TRIAL;
      this.#rest = this.#nextRest;
      this.#nextRest = Math.min(LONGEST_REST, this.#nextRest * 2);
      return;
    }
    if (pause) for (let count = 0; count < PAUSES; count += 1) pause();
    this.#times.nextTurn(this.#look);
  };
}
