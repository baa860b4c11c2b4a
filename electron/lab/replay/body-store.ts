import type { ReadBody, RecordedResponse } from '../page/recorded-page.ts';

/** Bytes. Larger bodies are read from the file each time. */
const LARGEST_KEPT = 1024 * 1024;
const MOST_KEPT = 64 * 1024 * 1024;

/** The bodies of a page. Small ones stay in memory, because reading them would add to the server's time. */
export class BodyStore {
  readonly #read: ReadBody;
  readonly #kept = new Map<number, Buffer>();
  #size = 0;

  constructor(read: ReadBody) {
    this.#read = read;
  }

  /** The body as recorded, in pieces. */
  pieces({ id, size }: RecordedResponse): Iterable<Uint8Array> {
    const kept = this.#kept.get(id);
    if (kept) return [kept];
    if (size > LARGEST_KEPT || this.#size + size > MOST_KEPT) return this.#read(id);
    return [this.keep(id, Buffer.concat([...this.#read(id)]))];
  }

  /** Replaces a body in memory. */
  keep(id: number, body: Buffer): Buffer {
    this.#size += body.length - (this.#kept.get(id)?.length ?? 0);
    this.#kept.set(id, body);
    return body;
  }
}
