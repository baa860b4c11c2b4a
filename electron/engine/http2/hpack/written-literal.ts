import type { BlockWriter } from './block-writer.ts';
import { LiteralHistory, LONGEST_KEPT } from './literal-history.ts';

/** The literal last written for a name whose values are in no table, as encoded: the same again is copied. */
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
