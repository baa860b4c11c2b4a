/** Bytes that wait for the link before its source is paused. */
const ROOM = 256 * 1024;

/** One step of a message in one direction. */
interface Step {
  bytes: number;
  /** When the step has crossed the link, if it could begin at `readyAt`. By `performance.now()`. */
  crosses: (readyAt: number) => number;
  /** Passes it on. Returns false if the sink asks for a pause. */
  pass: () => boolean;
  queuedAt: number;
}

export interface PacedQueueEvents {
  /** A step was on the link between these times. A late timer's delay is not the link's. */
  waited(from: number, to: number): void;
  /** There is room again after there was none. */
  roomy(): void;
}

/** Passes the parts of a message on in order, each when it has crossed the link. */
export class PacedQueue {
  readonly #events: PacedQueueEvents;
  readonly #steps: Step[] = [];
  #bytes = 0;
  #blocked = false;
  #timer: NodeJS.Timeout | null = null;
  /** When the last step crossed: the next may follow at once, however late the timer was. */
  #crossedAt: number;
  #passing = false;
  #full = false;

  /** `readyAt`: when the first step may begin. */
  constructor(events: PacedQueueEvents, readyAt = 0) {
    this.#events = events;
    this.#crossedAt = readyAt;
  }

  get hasRoom(): boolean {
    return !this.#blocked && this.#bytes < ROOM;
  }

  get isEmpty(): boolean {
    return this.#steps.length === 0;
  }

  /** Returns whether there is room for more. A step that crosses at once passes at once if nothing waits before it. */
  add(bytes: number, crosses: Step['crosses'], pass: Step['pass']): boolean {
    this.#steps.push({ bytes, crosses, pass, queuedAt: performance.now() });
    this.#bytes += bytes;
    this.#run();
    this.#full = !this.hasRoom;
    return !this.#full;
  }

  /** The sink accepts more. */
  drained(): void {
    if (!this.#blocked) return;
    this.#blocked = false;
    this.#run();
  }

  clear(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#steps.length = 0;
    this.#bytes = 0;
  }

  #run(): void {
    // A step that passes may add the next one.
    if (this.#timer || this.#passing) return;
    for (let step = this.#steps[0]; step && !this.#blocked; step = this.#steps[0]) {
      const readyAt = Math.max(step.queuedAt, this.#crossedAt);
      this.#crossedAt = step.crosses(readyAt);
      const wait = this.#crossedAt - performance.now();
      if (wait > 0) {
        this.#timer = setTimeout(() => this.#waited(step, readyAt), wait);
        return;
      }
      this.#pass(step, readyAt);
    }
  }

  #waited(step: Step, readyAt: number): void {
    this.#timer = null;
    const left = this.#crossedAt - performance.now();
    // Node's timers may fire up to a millisecond early.
    if (left > 0) {
      this.#timer = setTimeout(() => this.#waited(step, readyAt), left);
      return;
    }
    this.#pass(step, readyAt);
    this.#run();
    if (!this.#full || !this.hasRoom) return;
    this.#full = false;
    this.#events.roomy();
  }

  #pass(step: Step, readyAt: number): void {
    this.#steps.shift();
    this.#bytes -= step.bytes;
    if (this.#crossedAt > readyAt) this.#events.waited(readyAt, this.#crossedAt);
    this.#passing = true;
    this.#blocked = !step.pass();
    this.#passing = false;
  }
}
