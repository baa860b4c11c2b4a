import { decodeCodes } from './coded-text.ts';

/** Characters that determine how far the search may jump. */
const BLOCK = 3;
/** A power of two. 256 KB: small enough for a core's cache. */
const TABLE = 2 ** 18;

/**
 * Finds many texts at once: Wu and Manber, "A Fast Algorithm for Multi-Pattern Searching" (1994). Its time grows more
 * slowly with the number of texts than that of a regular expression with as many alternatives: 4 MB of JSON with 5,000
 * texts take 47 ms of CPU (220 ms with a regular expression), and 530 ms with 200,000 texts.
 */
export class TextSet {
  readonly #length: number;
  /** How far to jump if the window ends with a block, by the block's hash; 0: a text may begin here. */
  readonly #jumps: Uint8Array;
  /** By their first characters, which thousands may share: tokens of one kind begin alike. */
  readonly #texts = new Map<string, Group>();

  /** `shortest`: the length of the shortest text, at least 3. */
  constructor(texts: Iterable<string>, shortest: number) {
    this.#length = shortest;
    this.#jumps = new Uint8Array(TABLE).fill(shortest - BLOCK + 1);
    for (const text of texts) this.#add(text);
    for (const group of this.#texts.values())
      group.lengths = [...new Set([...group.texts].map(({ length }) => length))].sort((a, b) => b - a);
  }

  #add(text: string): void {
    const start = text.slice(0, this.#length);
    const group = this.#texts.get(start);
    if (group) group.texts.add(text);
    else this.#texts.set(start, { texts: new Set([text]), lengths: [] });
    for (let end = BLOCK; end <= this.#length; end += 1) {
      const block = blockAt(text, end);
      this.#jumps[block] = Math.min(this.#jumps[block] ?? 0, this.#length - end);
    }
  }

  /**
   * `text` with the result of `replaced` in place of each occurrence; where several begin, of the longest. `replaced`
   * gets what was found.
   */
  replace(text: string, replaced: (found: string) => string): string {
    const parts: string[] = [];
    let from = 0;
    for (const { start, stop } of this.#occurrences(text)) {
      parts.push(text.slice(from, start), replaced(text.slice(start, stop)));
      from = stop;
    }
    return from === 0 ? text : parts.join('') + text.slice(from);
  }

  /** As `replace`, for texts of which characters are written as codes (`&#116;`, `\\u0074`). */
  replaceCoded(coded: string, replaced: (found: string) => string): string {
    const decoded = this.#texts.size === 0 ? null : decodeCodes(coded);
    if (decoded === null) return coded;
    const parts: string[] = [];
    let from = 0;
    for (const { start, stop } of this.#occurrences(decoded.text)) {
      parts.push(coded.slice(from, decoded.placeOf(start)), replaced(decoded.text.slice(start, stop)));
      from = decoded.placeOf(stop);
    }
    return from === 0 ? coded : parts.join('') + coded.slice(from);
  }

  *#occurrences(text: string): Generator<{ start: number; stop: number }> {
    if (this.#texts.size === 0) return;
    for (let end = this.#length; end <= text.length; ) {
      const jump = this.#jumps[blockAt(text, end)] ?? 0;
      const found = jump === 0 ? this.#longestAt(text, end - this.#length) : undefined;
      if (found === undefined) {
        end += Math.max(jump, 1);
        continue;
      }
      const start = end - this.#length;
      const stop = start + found.length;
      yield { start, stop };
      end = stop + this.#length;
    }
  }

  #longestAt(text: string, start: number): string | undefined {
    const group = this.#texts.get(text.slice(start, start + this.#length));
    if (group === undefined) return undefined;
    const length = group.lengths.find((each) => group.texts.has(text.slice(start, start + each)));
    return length === undefined ? undefined : text.slice(start, start + length);
  }
}

interface Group {
  texts: Set<string>;
  /** The different lengths of the texts, the longest first, because one text may be the beginning of another. */
  lengths: number[];
}

/** The hash of the block before `end`. */
function blockAt(text: string, end: number): number {
  const [a, b, c] = [text.charCodeAt(end - 3), text.charCodeAt(end - 2), text.charCodeAt(end - 1)];
  return (a ^ (b << 6) ^ (c << 11)) & (TABLE - 1);
}
