import type { Socket } from 'node:net';
import type { GatheredWriter } from '../../http/gathered-writer.ts';
import { descriptorOf } from '../../listen/descriptors.ts';
import type { Written } from '../upstream-stream.ts';
import { type AskUnsent, askUnsent } from './unsent-bytes.ts';

/** The smallest request that is watched, bytes. A smaller one leaves with the first packets of any connection. */
const LARGE = 16 * 1024;
/** Pauses between two checks, milliseconds. */
const SHORTEST = 1;
const LONGEST = 50;

/** The system's queue and the thread's clock; tests replace them. */
export interface DepartureParts {
  /** Null while it is being loaded. */
  ask: () => AskUnsent | null;
  now: () => number;
  later: (run: () => void, milliseconds: number) => NodeJS.Timeout;
}

const REAL: DepartureParts = {
  ask: askUnsent,
  now: () => performance.now(),
  later: (run, milliseconds) => setTimeout(run, milliseconds).unref(),
};

/** Unsent bytes at a moment. */
interface Look {
  at: number;
  unsent: number;
}

/**
 * When a request left. The system takes megabytes of a large one at once, and the network takes them later: on a slow
 * line, seconds later, which would count as the server's time. Linux reports what is left in a socket's queue. It is
 * checked at intervals that become shorter as the end approaches. Small requests cost no call. If the system does not
 * report it, a request has left when the system has it.
 */
export class Departure implements Written {
  readonly #socket: Socket;
  readonly #writer: GatheredWriter;
  readonly #parts: DepartureParts;
  /** A large request has been written, but it is unknown when it left. */
  #isPending = false;
  #at = -1;
  #last: Look | null = null;
  /** Bytes per millisecond between the last two checks; 0: unknown. */
  #speed = 0;
  #timer: NodeJS.Timeout | null = null;
  #tell: (() => void) | null = null;

  constructor(socket: Socket, writer: GatheredWriter, parts: DepartureParts = REAL) {
    this.#socket = socket;
    this.#writer = writer;
    this.#parts = parts;
  }

  get firstAt(): number {
    return this.#writer.firstAt;
  }

  get lastAt(): number {
    if (this.#isPending) this.#look();
    if (this.#isPending) return -1;
    return this.#at < 0 ? this.#writer.lastAt : this.#at;
  }

  /** A new request begins. */
  begin(): void {
    this.stop();
    this.#isPending = false;
    this.#at = -1;
    this.#last = null;
    this.#speed = 0;
  }

  /** A part of the body was passed to the writer. */
  grew(): void {
    if (this.#writer.size >= LARGE) this.#parts.ask();
  }

  /** All of the request was passed to the writer. */
  ended(): void {
    this.#isPending = this.#writer.size >= LARGE;
  }

  /**
   * The response begins: nothing waits for the departure now. Without a report from the system, the last write counts.
   */
  responded(): void {
    this.stop();
    if (this.#isPending && this.#parts.ask() === null) this.#isPending = false;
  }

  /** Calls `tell` once, when the request has left. */
  whenOut(tell: () => void): void {
    if (!this.#isPending) return;
    this.#tell = tell;
    this.#lookLater();
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#tell = null;
  }

  #lookLater(): void {
    const left = this.#last && this.#speed > 0 ? this.#last.unsent / this.#speed : 0;
    const pause = Math.min(Math.max(left / 2, SHORTEST), LONGEST);
    this.#timer ??= this.#parts.later(() => {
      this.#timer = null;
      const tell = this.#tell;
      if (tell === null || this.#socket.destroyed) return;
      if (this.lastAt < 0) {
        this.#lookLater();
        return;
      }
      this.#tell = null;
      tell();
    }, pause);
  }

  #look(): void {
    const ask = this.#parts.ask();
    if (ask === null || this.#socket.destroyed) return;
    const queued = ask(descriptorOf(this.#socket));
    const now = this.#parts.now();
    const unsent = this.#socket.writableLength + (queued ?? 0);
    if (queued === null || unsent === 0) {
      this.#isPending = false;
      this.#at = queued === null ? -1 : this.#leftBy(now);
      return;
    }
    const last = this.#last;
    if (last && now > last.at && last.unsent > unsent) this.#speed = (last.unsent - unsent) / (now - last.at);
    this.#last = { at: now, unsent };
  }

  /** The queue is empty. It was not at the last check, after which the bytes left at the previous speed. */
  #leftBy(now: number): number {
    if (this.#last === null) return -1;
    return this.#speed > 0 ? Math.min(now, this.#last.at + this.#last.unsent / this.#speed) : now;
  }
}
