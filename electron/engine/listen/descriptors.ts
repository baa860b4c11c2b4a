import fs from 'node:fs';
import type { Socket } from 'node:net';
import type { Failure } from '../../../shared/model/failure.ts';
import { failure } from '../../failures/errors.ts';

/**
 * Descriptors reserved for the existing clients' upstream connections, for files and lookups; a quarter of a low limit.
 */
const RESERVE = 32;

/** The process's descriptor limit (RLIMIT_NOFILE); infinite if the system does not report one. */
function limitNow(): number {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(fs.readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** The socket's descriptor; -1 if Node does not expose it (Windows). */
export function descriptorOf(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { _handle?: { fd?: number } | null };
  return handle?.fd ?? -1;
}

/**
 * Detects a shortage of descriptors before it occurs. When accept fails with EMFILE, libuv accepts the waiting
 * connections and closes them silently (`uv__emfile_trick`): clients are disconnected without any report. The system
 * assigns the lowest free number: a new socket's number shows how many are in use.
 */
export class Descriptors {
  readonly #short: (about: Failure) => void;
  #limit = limitNow();
  #told = false;

  /** `short` is called once per shortage. */
  constructor(short: (about: Failure) => void) {
    this.#short = short;
  }

  /** Why this newly accepted socket must be closed; null if there are enough descriptors. */
  lacking(socket: Socket): Failure | null {
    const descriptor = descriptorOf(socket);
    // Reset well below the limit: near it, clients that come and go would trigger a report each time.
    if (descriptor < this.#limit / 2) this.#told = false;
    if (this.#enoughAt(descriptor)) return null;
    // The limit may have been raised (prlimit).
    this.#limit = limitNow();
    return this.#enoughAt(descriptor) ? null : this.exhausted();
  }

  /** Reports that descriptors have run out, or will with the next client. */
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
