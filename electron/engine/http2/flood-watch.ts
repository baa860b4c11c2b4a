import type { LimitName, Limits } from '../../../shared/model/limits.ts';
import { CODE, ConnectionFault } from './error-codes.ts';
import { FRAME_HEAD } from './frames.ts';

/** The peer exceeded a limit for frames that carry no part of an exchange. */
export class FloodFault extends ConnectionFault {
  readonly limit: number;
  readonly what: string;
  readonly limitName: LimitName;

  /** `what`: the counted items, as part of a sentence. */
  constructor(limit: number, what: string, limitName: LimitName) {
    super(CODE.ENHANCE_YOUR_CALM, `more than ${limit} ${what}`);
    this.limit = limit;
    this.what = what;
    this.limitName = limitName;
  }
}

/** A leaky bucket: drains over time and overflows when a burst exceeds its size. */
class Bucket {
  readonly #size: number;
  readonly #leakPerSecond: number;
  #level = 0;
  #at = 0;

  constructor(size: number, leakPerSecond: number) {
    this.#size = size;
    this.#leakPerSecond = leakPerSecond;
  }

  /** Returns whether the bucket overflows. `now`: milliseconds. */
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
 * Detects a peer whose frames cost us more than they cost the peer: PING and SETTINGS (CVE-2019-9512, 9515), cancelled
 * or malformed requests (CVE-2023-44487), and frames of any type that belong to no request (CVE-2019-9511 to 9518). Its
 * methods throw FloodFault.
 */
export class FloodWatch {
  readonly #limits: FloodLimits;
  readonly #replies: Bucket;
  readonly #resets: Bucket;
  readonly #bytes: Bucket;

  constructor(limits: FloodLimits) {
    this.#limits = limits;
    this.#replies = new Bucket(limits.http2Pings, limits.http2Pings / 10);
    this.#resets = new Bucket(limits.http2Resets, limits.http2Resets / 10);
    this.#bytes = new Bucket(limits.http2ControlBytes, limits.http2ControlBytes);
  }

  /** A frame that requires a reply. */
  reply(now: number): void {
    if (this.#replies.add(1, now)) this.#over('PING or SETTINGS frames at once', 'http2Pings');
  }

  /** A frame of a message. It offsets one PING, which is not a flood: gRPC uses PING to measure a busy connection. */
  progress(): void {
    this.#replies.take(1);
  }

  /** A request was cancelled or refused. */
  reset(now: number): void {
    if (this.#resets.add(1, now)) this.#over('cancelled or malformed requests at once', 'http2Resets');
  }

  /** A frame that belongs to no message. `length`: payload length in bytes. */
  beside(length: number, now: number): void {
    if (this.#bytes.add(FRAME_HEAD + length, now)) {
      this.#over('bytes per second of frames that belong to no request', 'http2ControlBytes');
    }
  }

  #over(what: string, name: keyof FloodLimits): never {
    throw new FloodFault(this.#limits[name], what, name);
  }
}

export type FloodLimits = Pick<Limits, 'http2Pings' | 'http2Resets' | 'http2ControlBytes'>;
