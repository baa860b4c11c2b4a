import type { LimitName, Limits } from '../../../shared/model/limits.ts';
import { CODE, ConnectionFault } from './error-codes.ts';
import { FRAME_HEAD } from './frames.ts';

/** The peer sent more than a limit lets it of what brings no exchange on. */
export class FloodFault extends ConnectionFault {
  readonly limit: number;
  readonly what: string;
  readonly limitName: LimitName;

  /** `what`: counted things, as a part of a sentence. */
  constructor(limit: number, what: string, limitName: LimitName) {
    super(CODE.ENHANCE_YOUR_CALM, `more than ${limit} ${what}`);
    this.limit = limit;
    this.what = what;
    this.limitName = limitName;
  }
}

/** Leaks as time goes on, and runs over when more came at once than it holds. */
class Bucket {
  readonly #size: number;
  readonly #leakPerSecond: number;
  #level = 0;
  #at = 0;

  constructor(size: number, leakPerSecond: number) {
    this.#size = size;
    this.#leakPerSecond = leakPerSecond;
  }

  /** Whether it runs over. `now`: milliseconds. */
  add(amount: number, now: number): boolean {
    const leaked = ((now - this.#at) / 1000) * this.#leakPerSecond;
    this.#at = now;
    this.#level = Math.max(0, this.#level - leaked) + amount;
    return this.#level > this.#size;
  }

  take(amount: number): void {
    this.#level = Math.max(0, this.#level - amount);
  }
}

/**
 * Notices a peer that sends what costs us more than it costs the peer: PING and SETTINGS (CVE-2019-9512, 9515), requests taken
 * back or malformed (CVE-2023-44487), and frames of every kind that belong to no request (CVE-2019-9511 to 9518). Its calls
 * throw FloodFault.
 */
export class FloodWatch {
  readonly #limits: FloodLimits;
  readonly #answers: Bucket;
  readonly #resets: Bucket;
  readonly #bytes: Bucket;

  constructor(limits: FloodLimits) {
    this.#limits = limits;
    this.#answers = new Bucket(limits.http2Pings, limits.http2Pings / 10);
    this.#resets = new Bucket(limits.http2Resets, limits.http2Resets / 10);
    this.#bytes = new Bucket(limits.http2ControlBytes, limits.http2ControlBytes);
  }

  /** A frame that wants an answer. */
  answer(now: number): void {
    if (this.#answers.add(1, now)) this.#over('PING or SETTINGS frames at once', 'http2Pings');
  }

  /** A frame that is part of a message. A ping for each is no flood: gRPC measures a busy connection so. */
  progress(): void {
    this.#answers.take(1);
  }

  /** A request was taken back, or refused. */
  reset(now: number): void {
    if (this.#resets.add(1, now)) this.#over('requests at once that it took back, or that were none', 'http2Resets');
  }

  /** A frame that is no part of a message. `length`: of its payload, bytes. */
  beside(length: number, now: number): void {
    if (this.#bytes.add(FRAME_HEAD + length, now)) {
      this.#over('bytes a second of frames that belong to no request', 'http2ControlBytes');
    }
  }

  #over(what: string, name: keyof FloodLimits): never {
    throw new FloodFault(this.#limits[name], what, name);
  }
}

export type FloodLimits = Pick<Limits, 'http2Pings' | 'http2Resets' | 'http2ControlBytes'>;
