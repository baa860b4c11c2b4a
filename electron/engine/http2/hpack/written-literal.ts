import type { BlockWriter } from './block-writer.ts';
import { LiteralHistory, LONGEST_KEPT } from './literal-history.ts';

/** Caches the last encoded literal of a name whose values are in no table, to copy it if it repeats. */
export class WrittenLiteral {
  #text: string | null = null;
  #bytes: Uint8Array | null = null;
  readonly #history = new LiteralHistory();

  /** Writes a value's string literal. */
  write(writer: BlockWriter, text: string): void {
    if (this.#text === text && this.#bytes !== null) {
      this.#history.found();
      writer.copy(this.#bytes);
      return;
    }
    const size = writer.string(text);
    if (size > LONGEST_KEPT || !this.#history.worthKeeping()) return;
    this.#text = text;
    this.#bytes = writer.last(size);
  }
}
