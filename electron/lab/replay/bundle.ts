import type { RecordedResponse } from '../page/recorded-page.ts';
import type { BodyStore } from './body-store.ts';

/** The path from which the page of the variant `bundle` gets everything but its document. */
export const BUNDLE_PATH = '/.roundtrip-lab/bundle';

const SCRIPT = `<!doctype html><script>fetch(${JSON.stringify(BUNDLE_PATH)}).then((it) => it.arrayBuffer())</script>`;

/** A document as large as the recorded one that requests the bundle at once. */
export function bundlingDocument(size: number): Buffer {
  const page = Buffer.from(SCRIPT);
  // Random bytes would not help: the replay does not compress.
  const padding = Buffer.alloc(Math.max(size - page.length, 0), ' ');
  return Buffer.concat([page, padding]);
}

/** All other responses in a single one. It is ready when the slowest of them is. */
export class Bundle {
  readonly #parts: readonly RecordedResponse[];
  readonly #bodies: BodyStore;

  /** `isDocument`: of the page. Preflights and redirects carry nothing. */
  constructor(
    responses: readonly RecordedResponse[],
    bodies: BodyStore,
    isDocument: (response: RecordedResponse) => boolean,
  ) {
    this.#parts = responses.filter(
      (response) => response.method !== 'OPTIONS' && response.size > 0 && !isDocument(response),
    );
    this.#bodies = bodies;
  }

  /** Bytes. */
  get size(): number {
    return this.#parts.reduce((sum, { size }) => sum + size, 0);
  }

  /** Milliseconds. */
  get serverTime(): number {
    return this.#parts.reduce((most, { serverTime }) => Math.max(most, serverTime), 0);
  }

  *pieces(): Generator<Uint8Array> {
    for (const part of this.#parts) yield* this.#bodies.pieces(part);
  }
}
