import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes of bodies between two collections. One takes less than a millisecond, and a body of 1 GiB needs 64. */
const INTERVAL = 16 * 1024 * 1024;

type CollectYoung = (options: { type: 'minor' }) => void;

/** V8's collection of young objects. Null where the runtime does not offer it. */
function findCollector(): CollectYoung | null {
  try {
    setFlagsFromString('--expose-gc');
    const found: unknown = runInNewContext('globalThis.gc');
    setFlagsFromString('--no-expose-gc');
    return typeof found === 'function' ? (found as CollectYoung) : null;
  } catch {
    return null;
  }
}

/**
 * Frees the buffers that a large body leaves behind: Node allocates one for each read, and V8 runs young collections
 * by the size of objects, without the bytes outside its heap. A recorded body of 1 GiB left up to 110 MB of them.
 */
export class YoungBuffers {
  #collect: CollectYoung | null | undefined;
  #passed = 0;

  /** This many bytes of a body have been read. */
  passed(bytes: number): void {
    this.#passed += bytes;
    if (this.#passed < INTERVAL) return;
    this.#passed = 0;
    this.#collect ??= findCollector();
    this.#collect?.({ type: 'minor' });
  }
}
