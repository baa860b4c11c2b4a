import { LiteralHistory, LONGEST_KEPT } from './literal-history.ts';

/** Literals kept per block: for a request, its path and a few more. */
const PLACES = 4;

/**
 * Remembers the Huffman-coded literals of the last block with their decoded strings. Values not worth a dynamic table
 * entry (a path, a length, an etag) repeat byte for byte when a client polls or reloads. Comparing takes a third of the
 * time of decoding and returns the same string object, which speeds up every later comparison.
 */
export class LiteralMemory {
  readonly #texts: string[] = new Array(PLACES).fill('');
  /** Encoded sizes, 0 for nothing kept. */
  readonly #sizes = new Uint8Array(PLACES);
  readonly #bytes = new Uint8Array(PLACES * LONGEST_KEPT);
  readonly #histories = Array.from({ length: PLACES }, () => new LiteralHistory());
  #place = 0;

  /** Moves to the first literal of a block. */
  rewind(): void {
    this.#place = 0;
  }

  /** Returns the decoded string of literal [start, end) of `block` if it equals the one kept for its position. */
  recall(block: Uint8Array, start: number, end: number): string | undefined {
    const place = this.#place++;
    if (place >= PLACES || this.#sizes[place] !== end - start) return undefined;
    const bytes = this.#bytes;
    // Compares from the end because paths often share a prefix.
    let kept = place * LONGEST_KEPT + end - start;
    for (let at = end; at > start; ) if (bytes[--kept] !== block[--at]) return undefined;
    this.#histories[place]?.found();
    return this.#texts[place];
  }

  /** Keeps the literal last passed to `recall`. */
  keep(block: Uint8Array, start: number, end: number, text: string): void {
    const place = this.#place - 1;
    if (place >= PLACES || end - start > LONGEST_KEPT || !this.#histories[place]?.worthKeeping()) return;
    this.#texts[place] = text;
    this.#sizes[place] = end - start;
    let kept = place * LONGEST_KEPT;
    for (let at = start; at < end; at++) this.#bytes[kept++] = block[at] as number;
  }
}
