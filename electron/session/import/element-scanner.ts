/** Bytes. A longer element is left out: its text and its objects would be in memory at the same time. */
const ELEMENT_LIMIT = 256 * 1024 * 1024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** One element of a wanted array. */
export interface JsonElement {
  /** The keys that lead to its array: `log.entries`; empty for an array at the top. */
  path: string;
  /** Position in its array, from 1. */
  ordinal: number;
  /** Its JSON, or null if it is longer than the limit. */
  json: string | null;
}

interface Level {
  isArray: boolean;
  /** The key that is being read or whose value is being read; empty in an array. */
  key: string;
}

/**
 * Extracts the elements of some arrays from a JSON text that arrives in pieces: memory holds one element at a time,
 * regardless of the file's size. It parses only brackets and strings, and can therefore find the next element after a
 * malformed one.
 */
export class ElementScanner {
  readonly #wanted: ReadonlySet<string>;
  readonly #limit: number;
  readonly #levels: Level[] = [];
  readonly #ordinals = new Map<string, number>();
  #found: JsonElement[] = [];
  #hasArray = false;
  #inString = false;
  /** Backslashes directly before the next byte, within a string. */
  #backslashes = 0;
  /** For the last string outside elements: a key, if a colon follows. */
  #lastString = '';
  #stringParts: Buffer[] = [];
  /** The path of the array whose element is being read, and the depth of that array; null between elements. */
  #element: { path: string; depth: number; parts: Buffer[]; size: number } | null = null;
  /** Where the current element or string begins in the current piece. */
  #start = 0;

  /** `wanted`: paths as in `JsonElement.path`. `limit`: bytes of one element. */
  constructor(wanted: readonly string[], limit = ELEMENT_LIMIT) {
    this.#wanted = new Set(wanted);
    this.#limit = limit;
  }

  /** The elements that are complete with this piece. Keeps no reference to a piece whose elements are complete. */
  push(piece: Buffer): JsonElement[] {
    this.#start = 0;
    for (let at = 0; at < piece.length; ) at = this.#inString ? this.#passString(piece, at) : this.#pass(piece, at);
    this.#keep(piece, piece.length);
    const found = this.#found;
    this.#found = [];
    return found;
  }

  /** Whether one of the wanted arrays was in the text, with or without elements. */
  get hasArray(): boolean {
    return this.#hasArray;
  }

  /** True if the text ended where JSON can end. */
  get isComplete(): boolean {
    return this.#levels.length === 0 && !this.#inString && this.#element === null;
  }

  /** Returns the position after the byte at `at`, which is outside strings. */
  #pass(piece: Buffer, at: number): number {
    const byte = piece[at] ?? 0;
    if (this.#element === null && this.#startsElement(byte)) this.#begin(at);
    switch (byte) {
      case QUOTE:
        this.#inString = true;
        this.#backslashes = 0;
        if (this.#element === null) this.#start = at + 1;
        break;
      case COLON:
        this.#setKey();
        break;
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        this.#levels.push({ isArray: byte === OPEN_ARRAY, key: '' });
        this.#hasArray ||= byte === OPEN_ARRAY && this.#element === null && this.#wanted.has(this.#path());
        break;
      case COMMA:
        this.#endAt(piece, at);
        break;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        this.#close(piece, at);
        break;
    }
    return at + 1;
  }

  /** Jumps to the end of the string, or of the piece. */
  #passString(piece: Buffer, from: number): number {
    for (let at = from; ; ) {
      const quote = piece.indexOf(QUOTE, at);
      const end = quote < 0 ? piece.length : quote;
      let run = 0;
      while (end - run > from && piece[end - run - 1] === BACKSLASH) run += 1;
      if (end - run === from) run += this.#backslashes;
      if (quote < 0) {
        this.#backslashes = run;
        return piece.length;
      }
      if (run % 2 === 0) {
        this.#inString = false;
        if (this.#element === null) this.#takeString(piece, quote);
        return quote + 1;
      }
      at = quote + 1;
    }
  }

  #startsElement(byte: number): boolean {
    const level = this.#levels.at(-1);
    if (!level?.isArray || byte <= 0x20 || byte === COMMA || byte === CLOSE_ARRAY) return false;
    return this.#wanted.has(this.#path());
  }

  #path(): string {
    return this.#levels
      .filter(({ isArray }) => !isArray)
      .map(({ key }) => key)
      .join('.');
  }

  #begin(at: number): void {
    this.#element = { path: this.#path(), depth: this.#levels.length, parts: [], size: 0 };
    this.#start = at;
  }

  #close(piece: Buffer, at: number): void {
    // An element without brackets, such as a number, ends at the array's closing bracket.
    this.#endAt(piece, at);
    this.#levels.pop();
    if (this.#element?.depth === this.#levels.length) this.#end(piece, at + 1);
  }

  /** Ends an element before the byte at `at`, if that byte is at the level of its array. */
  #endAt(piece: Buffer, at: number): void {
    if (this.#element?.depth === this.#levels.length) this.#end(piece, at);
  }

  #end(piece: Buffer, at: number): void {
    this.#keep(piece, at);
    const element = this.#element;
    if (element === null) return;
    this.#element = null;
    const { path, parts, size } = element;
    const ordinal = (this.#ordinals.get(path) ?? 0) + 1;
    this.#ordinals.set(path, ordinal);
    const json = size > this.#limit ? null : Buffer.concat(parts).toString('utf8');
    this.#found.push({ path, ordinal, json });
  }

  /** Keeps the bytes of an unfinished element, or of a string that may be a key, up to `end`. */
  #keep(piece: Buffer, end: number): void {
    const part = piece.subarray(this.#start, end);
    if (this.#element !== null) {
      this.#element.size += part.length;
      if (this.#element.size > this.#limit) this.#element.parts = [];
      else this.#element.parts.push(part);
    } else if (this.#inString) this.#stringParts.push(part.subarray(0, 256));
  }

  #takeString(piece: Buffer, end: number): void {
    this.#stringParts.push(piece.subarray(this.#start, end).subarray(0, 256));
    this.#lastString = Buffer.concat(this.#stringParts).toString('utf8');
    this.#stringParts = [];
  }

  #setKey(): void {
    const level = this.#levels.at(-1);
    if (this.#element === null && level !== undefined) level.key = this.#lastString;
  }
}
