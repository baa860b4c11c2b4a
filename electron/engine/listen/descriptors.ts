import fs from 'node:fs';
import type { Socket } from 'node:net';
import type { Failure } from '../../../shared/model/failure.ts';
import { failure } from '../../failures/errors.ts';

/** Kept free of clients: for the connections upstream of those that are there, files and look-ups; or a quarter of few. */
const RESERVE = 32;

/** How many descriptors this process may have (RLIMIT_NOFILE); infinite where the system does not say. */
function limitNow(): number {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(fs.readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** -1 where Node does not say it (Windows). */
function descriptorOf(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { _handle?: { fd?: number } | null };
  return handle?.fd ?? -1;
}

/**
 * Notices that descriptors run out before they do. Where accept fails with EMFILE, libuv takes the waiting connections and closes
 * them without telling anybody (`uv__emfile_trick`): clients are cut off, and nothing says why. A system hands out the lowest
 * free number, so the number of a new socket says how many are in use.
 */
export class Descriptors {
  readonly #short: (about: Failure) => void;
  #limit = limitNow();
  #told = false;

  /** `short` is called once each time that they begin to run short. */
  constructor(short: (about: Failure) => void) {
    this.#short = short;
  }

  /** Why this socket, just accepted, should not be kept; null: there are enough. */
  lacking(socket: Socket): Failure | null {
    const descriptor = descriptorOf(socket);
    // Not at the edge, where clients that come and go would give a line each time.
    if (descriptor < this.#limit / 2) this.#told = false;
    if (this.#enoughAt(descriptor)) return null;
    // It may have been raised meanwhile (prlimit).
    this.#limit = limitNow();
    return this.#enoughAt(descriptor) ? null : this.exhausted();
  }

  /** They have run out, or will with the next client. */
  exhausted(): Failure {
    const about = failure('engine.out-of-descriptors', { limit: this.#limit }, 'EMFILE');
    if (!this.#told) this.#short(about);
    this.#told = true;
    return about;
  }

  #enoughAt(descriptor: number): boolean {
    return descriptor < this.#limit - Math.min(RESERVE, this.#limit / 4);
  }
}
