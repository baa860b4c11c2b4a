import { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { type ArrivalStamps, arrivalStamps } from './arrival-stamps.ts';
import { type LastReceived, lastReceived } from './last-received.ts';
import { descriptorOf } from './listen/descriptors.ts';
import { RunDelay } from './run-delay.ts';
import { type Arrived, UnreadBytes } from './unread-bytes.ts';

/** The thread's clocks and turns; tests replace them. Milliseconds. */
export interface ArrivalTimes {
  now: () => number;
  /** Time that the event loop has slept in its poll phase since the thread began. */
  slept: () => number;
  /** Time that the thread has waited for a core. */
  waited: () => number;
  /** What the system reports about a socket's last segment; null: nothing yet. */
  received: () => LastReceived | null;
  /** The kernel's stamps of what was not read yet; null: nothing yet. */
  stamps: () => ArrivalStamps | null;
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

/** Milliseconds between two looks: one costs 1.5 us with its system call. What comes meanwhile is off by no more. */
const LOOK = 0.2;

function thisThread(): ArrivalTimes {
  const runDelay = new RunDelay();
  return {
    now: () => performance.now(),
    slept: () => performance.nodeTiming.idleTime,
    waited: () => runDelay.total,
    received: lastReceived,
    stamps: arrivalStamps,
    // An unreferenced immediate runs in each turn of the loop but does not keep it awake.
    afterPoll: (run) => setImmediate(run).unref(),
  };
}

/**
 * Finds out when the bytes that the event loop reads arrived. The kernel only tells Node that bytes are there when the
 * loop polls.
 *
 * - The loop was asleep: the bytes arrived when it was woken. If other programs keep the cores busy, it runs later than
 *   that, and Linux reports by how much.
 * - The loop was busy (other sockets, rows, the garbage collector): Linux stamps what arrived. Each turn looks for the
 *   stamps of upstream's bytes before it polls, once the poll has brought the first, and now and then while it works.
 * - Without stamps (other systems, clients, what came with other bytes), the bytes arrived at some time after the
 *   previous look or poll. We take the earliest: time that may be ours counts as our overhead, never as the server's.
 *
 * All but the stamps can be wrong by as long as a busy machine keeps the thread from running. After such a time, Linux
 * is asked when the socket's last segment arrived, to a tick of its clock (1 to 4 ms, `last-received.ts`). The call
 * costs 3 us. SIOCGSTAMP fails for TCP sockets.
 *
 * A loop turn that reads costs eight clock readings, 1 us.
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
  /** The last look for stamps, and the last one before the poll. */
  #looked = Number.NEGATIVE_INFINITY;
  #lookedBefore = Number.NEGATIVE_INFINITY;
  /** Null: the system does not stamp its bytes. */
  readonly #sockets = new WeakMap<Socket, UnreadBytes | null>();
  /** By descriptor, of the socket that had it last. */
  readonly #watched = new Map<number, UnreadBytes>();
  /** What this turn has found or read. */
  readonly #active = new Set<UnreadBytes>();

  /** Defaults to the calling thread's clocks, which are created at the first read. */
  constructor(times: ArrivalTimes | null = null) {
    this.#times = times;
  }

  /**
   * Call it with each read in the poll phase. `socket`: to ask the system about it. `bytes`: how many were read.
   * `areSeveral`: they may belong to several messages.
   */
  read(socket: Duplex | null = null, bytes = 0, areSeveral = false): void {
    if (!this.#reading) this.#begin();
    this.#at = this.#turnAt;
    if (!(socket instanceof Socket)) return;
    const arrived = this.#arrived(socket, bytes);
    if (typeof arrived === 'number') this.#at = arrived;
    else if (this.#isUnsure) this.#ask(descriptorOf(socket), areSeveral ? Number.POSITIVE_INFINITY : bytes);
    if (arrived === 'later') this.#at = Math.max(this.#at, this.#lookedBefore);
  }

  #arrived(socket: Socket, bytes: number): Arrived {
    const unread = this.#sockets.get(socket);
    if (unread === undefined) this.#watch(socket);
    if (!unread) return null;
    this.#active.add(unread);
    return unread.take(bytes);
  }

  #watch(socket: Socket): void {
    const stamps = this.#times?.stamps() ?? null;
    if (stamps === null) return;
    const descriptor = descriptorOf(socket);
    const unread = new UnreadBytes(socket instanceof TLSSocket ? socket.getProtocol() : null);
    const isWatched = stamps.watch(descriptor);
    this.#sockets.set(socket, isWatched ? unread : null);
    if (isWatched) this.#watched.set(descriptor, unread);
  }

  /** `isEarly`: before the poll, not after a part of its reads. */
  #look(times: ArrivalTimes, isEarly: boolean): void {
    const now = times.now();
    const since = this.#looked;
    const stamps = now - since < LOOK ? null : times.stamps();
    if (stamps === null) return;
    stamps.look(now - since, (descriptor, waiting, ago) => {
      const unread = this.#watched.get(descriptor);
      if (unread === undefined) return;
      if (waiting === 0) unread.lost();
      else unread.found(waiting, ago === null ? since : now - ago, since, isEarly);
      this.#active.add(unread);
    });
    this.#looked = now;
    if (isEarly) this.#lookedBefore = now;
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
    // What comes while the loop sleeps wakes it.
    if (slept > 0) this.#looked = Math.max(this.#looked, this.#turnAt);
    this.#look(times, false);
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

  /** A part of the turn's work is done. */
  passing(): void {
    if (this.#times && this.#started) this.#look(this.#times, true);
  }

  /** The turn has finished its work besides reading. */
  worked(): void {
    if (!this.#times || !this.#started) return;
    this.#look(this.#times, true);
    this.#note(this.#times);
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
    for (const unread of this.#active) unread.polled();
    this.#active.clear();
    // What had come before the poll's end was read, unless a signal ended it.
    if (!this.#sleptLong) this.#looked = Math.max(this.#looked, this.#asked);
    this.#look(times, true);
    this.#note(times);
  }
}
