/** A power of two. */
const SLOTS = 16_384;

/** A few characters suffice: hashing a whole text takes longer than everything else done with a cell. */
function slotOf(text: string): number {
  const { length } = text;
  let hash = length;
  hash = (hash * 31 + text.charCodeAt(length - 1)) | 0;
  hash = (hash * 31 + text.charCodeAt(length >> 1)) | 0;
  hash = (hash * 31 + text.charCodeAt(length - (length >> 2) - 1)) | 0;
  hash = (hash * 31 + text.charCodeAt(length - (length >> 3) - 1)) | 0;
  return hash & (SLOTS - 1);
}

/**
 * Keeps one copy of a text that many rows have. Two texts may want the same slot: the later one gets it, and the
 * earlier one may then be kept twice.
 */
export class SharedTexts {
  readonly #slots: (string | undefined)[] = new Array(SLOTS).fill(undefined);

  /** The same text, in the copy that came first if that one is still known. */
  get(text: string): string {
    const slot = slotOf(text);
    const known = this.#slots[slot];
    if (known === text) return known;
    this.#slots[slot] = text;
    return text;
  }

  clear(): void {
    this.#slots.fill(undefined);
  }
}
