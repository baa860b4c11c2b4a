import { LiteralHistory, LONGEST_KEPT } from './literal-history.ts';

/** So many literals of a block are kept: those of a request are its path and a few more. */
const PLACES = 4;

/**
 * The Huffman-coded literals of the last block, with what they said. Values that are not worth an entry of the dynamic
 * table (a path, a length, an etag) come again byte for byte where a client polls or reloads. To compare them takes a
 * third of decoding them, and gives the same string object, which every later comparison profits from.
 */
export class LiteralMemory {
  readonly #texts: string[] = new Array(PLACES).fill('');
  /** Sizes as encoded, 0 for nothing kept. */
  readonly #sizes = new Uint8Array(PLACES);
  readonly #bytes = new Uint8Array(PLACES * LONGEST_KEPT);
  readonly #histories = Array.from({ length: PLACES }, () => new LiteralHistory());
  #place = 0;

  /** The next literal is the first of its block. */
  rewind(): void {
    this.#place = 0;
  }

  /** What the literal [start, end) of `block` says, if it is the one that is kept from its place in a block. */
  recall(block: Uint8Array, start: number, end: number): string | undefined {
    const place = this.#place++;
    if (place >= PLACES || this.#sizes[place] !== end - start) return undefined;
    const bytes = this.#bytes;
    // From the end: paths begin alike.
    let kept = place * LONGEST_KEPT + end - start;
    for (let at = end; at > start; ) if (bytes[--kept] !== block[--at]) return undefined;
    this.#histories[place]?.found();
    return this.#texts[place];
  }

  /** Keeps the literal that was asked for last. */
  keep(block: Uint8Array, start: number, end: number, text: string): void {
    const place = this.#place - 1;
    if (place >= PLACES || end - start > LONGEST_KEPT || !this.#histories[place]?.worthKeeping()) return;
    this.#texts[place] = text;
    this.#sizes[place] = end - start;
    let kept = place * LONGEST_KEPT;
    for (let at = start; at < end; at++) this.#bytes[kept++] = block[at] as number;
  }
}
