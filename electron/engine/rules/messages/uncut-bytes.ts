import type { StreamPart } from './stream-part.ts';

/** Bytes of a stream that have not been cut into messages yet. Those of a message that is too large pass uncut. */
export class UncutBytes {
  #bytes: Buffer = Buffer.alloc(0);
  #passing = 0;

  get waiting(): Buffer {
    return this.#bytes;
  }

  /** `cut`: cuts the next message if all of it is waiting. Returns whether there may be more to do. */
  add(chunk: Buffer, cut: (parts: StreamPart[]) => boolean): StreamPart[] {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
    const parts: StreamPart[] = [];
    while (this.#passing > 0 ? this.#pass(parts) : cut(parts)) {}
    return parts;
  }

  take(count: number): Buffer {
    const raw = this.#bytes.subarray(0, count);
    this.#bytes = this.#bytes.subarray(count);
    return raw;
  }

  /** The next bytes pass as they arrive. */
  letPass(count: number): void {
    this.#passing = count;
  }

  #pass(parts: StreamPart[]): boolean {
    const raw = this.take(Math.min(this.#passing, this.#bytes.length));
    this.#passing -= raw.length;
    if (raw.length > 0) parts.push({ raw, message: null });
    return this.#bytes.length > 0;
  }
}
