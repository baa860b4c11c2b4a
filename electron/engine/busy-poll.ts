import { cpus } from 'node:os';

/** How long the thread polls for the next event before it sleeps, milliseconds. */
const WINDOW = 0.2;
/** The credit that a window without an event costs. A hit earns 1: four of five windows must hit. */
const MISS = 4;
/** The maximum credit. After many hits, a few misses change nothing. */
const MOST = 16;
const TRIAL = 2;
/** The credit from which polling is considered worthwhile. */
const PAYS = 8;
/** Turns until the next trial: the initial value. It doubles after each unsuccessful trial. */
const FIRST_REST = 8;
const LONGEST_REST = 256;
/** Turns until the next trial after a crowded turn. */
const CROWD_REST = 16;
/** Number of pause instructions per poll: 2 us in total, which benefits other threads and the battery. */
const PAUSES = 60;

/** Available since V8 13.3: Node 22 lacks it. */
const { pause } = Atomics as { pause?: () => void };

/** The thread's clock and next turn; tests replace them. */
export interface BusyPollTimes {
  /** Milliseconds. */
  now: () => number;
  nextTurn: (run: () => void) => void;
}

/**
 * Keeps the thread awake briefly after an event, to catch the next one: the response of a server on the same machine,
 * or the client's next request. Putting a thread to sleep and waking it costs the kernel some 50 us. An exchange that
 * has the engine to itself pays that twice: a third of its time here (docs/history/performance-2026-11.md, "When to
 * sleep").
 *
 * It polls only while that pays: when events follow each other, most of them at once. When more runs in parallel (a
 * browser that loads a page, many clients), others need the cores. When the server is far away, no event arrives within
 * the window; after some misses, one turn in 256 attempts it again: 0.2 % of a core at a thousand exchanges a second.
 * On a machine with one core the client could not send while we poll.
 */
export class BusyPoll {
  readonly #times: BusyPollTimes;
  readonly #able: boolean;
  #last: object | null = null;
  #other: object | null = null;
  #looking = false;
  #found = false;
  /** Poll until this time, by `now`. */
  #until = 0;
  #credit = TRIAL;
  #rest = 0;
  #nextRest = FIRST_REST;

  constructor(times: BusyPollTimes = { now: () => performance.now(), nextTurn: setImmediate }, cores = cpus().length) {
    this.#times = times;
    this.#able = cores > 1;
  }

  /** Only `socket` was written to in this turn of the event loop. One sequential flow uses two: client and upstream. */
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

  /** Several sockets are active, and other threads need the cores. */
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
