/** Bytes. A longer element is left out: its text and its objects would be in memory at the same time. */
const ELEMENT_LIMIT = 256 * 1024 * 1024;
/** Values of an element. Each takes far more memory than its text: a hostile element is nothing but empty arrays. */
const VALUE_LIMIT = 4_000_000;
/** Levels of brackets outside elements, where each level is remembered. */
const DEEPEST = 1000;

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
  /** Its JSON, or null if it is over one of the limits. */
  json: string | null;
}

/** An open bracket outside elements. */
interface Level {
  isArray: boolean;
  /** An array whose elements are wanted. */
  isWanted: boolean;
  /** The key that is being read or whose value is being read; empty in an array. */
  key: string;
}

/** The element that is being read. */
interface Reading {
  path: string;
  /** Its open brackets. */
  depth: number;
  /** Brackets and commas so far. */
  values: number;
  /** Bytes so far. */
  size: number;
  parts: Buffer[];
}

/** Bytes of a key that are looked at. */
const KEY_LIMIT = 256;

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
  #isHostile = false;
  #inString = false;
  /** Backslashes directly before the next byte, within a string. */
  #backslashes = 0;
  /** For the last string outside elements: a key, if a colon follows. */
  #lastString = '';
  #stringParts: Buffer[] = [];
  #stringSize = 0;
  /** Null between elements. */
  #element: Reading | null = null;
  /** Where the current element or string begins in the current piece. */
  #start = 0;

  /** `wanted`: paths as in `JsonElement.path`. `limit`: bytes of one element. */
  constructor(wanted: readonly string[], limit = ELEMENT_LIMIT) {
    this.#wanted = new Set(wanted);
    this.#limit = limit;
  }

  /**
   * The elements that are complete with this piece; then look at `isHostile`. Keeps no reference to a piece whose
   * elements are complete.
   */
  push(piece: Buffer): JsonElement[] {
    this.#start = 0;
    for (let at = 0; at < piece.length && !this.#isHostile; )
      at = this.#inString ? this.#passString(piece, at) : this.#pass(piece, at);
    this.#keep(piece, piece.length);
    const found = this.#found;
    this.#found = [];
    return found;
  }

  /** Whether one of the wanted arrays was in the text, with or without elements. */
  get hasArray(): boolean {
    return this.#hasArray;
  }

  /** Its brackets nest as no recording's do: there is nothing more to read. */
  get isHostile(): boolean {
    return this.#isHostile;
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
        if (this.#element === null) this.#open(byte === OPEN_ARRAY);
        else this.#element.depth += 1;
        this.#count();
        break;
      case COMMA:
        this.#count();
        if (this.#element?.depth === 0) this.#end(piece, at);
        break;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        this.#close(piece, at);
        break;
    }
    return at + 1;
  }

  #open(isArray: boolean): void {
    this.#isHostile ||= this.#levels.length >= DEEPEST;
    const isWanted = isArray && this.#wanted.has(this.#path());
    this.#levels.push({ isArray, isWanted, key: '' });
    this.#hasArray ||= isWanted;
  }

  #count(): void {
    if (this.#element !== null) this.#element.values += 1;
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
    return this.#levels.at(-1)?.isWanted === true && byte > 0x20 && byte !== COMMA && byte !== CLOSE_ARRAY;
  }

  #path(): string {
    return this.#levels
      .filter(({ isArray }) => !isArray)
      .map(({ key }) => key)
      .join('.');
  }

  #begin(at: number): void {
    this.#element = { path: this.#path(), depth: 0, values: 0, size: 0, parts: [] };
    this.#start = at;
  }

  #close(piece: Buffer, at: number): void {
    const element = this.#element;
    if (element !== null && element.depth > 0) {
      element.depth -= 1;
      if (element.depth === 0) this.#end(piece, at + 1);
      return;
    }
    // An element without brackets, such as a number, ends at the array's closing bracket.
    if (element !== null) this.#end(piece, at);
    this.#levels.pop();
  }

  #end(piece: Buffer, at: number): void {
    this.#keep(piece, at);
    const element = this.#element;
    if (element === null) return;
    this.#element = null;
    const { path, parts } = element;
    const ordinal = (this.#ordinals.get(path) ?? 0) + 1;
    this.#ordinals.set(path, ordinal);
    const json = this.#isTooMuch(element) ? null : Buffer.concat(parts).toString('utf8');
    this.#found.push({ path, ordinal, json });
  }

  #isTooMuch({ size, values }: Reading): boolean {
    return size > this.#limit || values > VALUE_LIMIT;
  }

  /** Keeps the bytes of an unfinished element, or of a string that may be a key, up to `end`. */
  #keep(piece: Buffer, end: number): void {
    const part = piece.subarray(this.#start, end);
    if (this.#element === null) {
      if (this.#inString) this.#keepKey(part);
      return;
    }
    this.#element.size += part.length;
    if (this.#isTooMuch(this.#element)) this.#element.parts = [];
    else this.#element.parts.push(part);
  }

  /** A copy: a part of the piece would keep all of it in memory. */
  #keepKey(part: Buffer): void {
    const kept = part.subarray(0, KEY_LIMIT - this.#stringSize);
    if (kept.length > 0) this.#stringParts.push(Buffer.from(kept));
    this.#stringSize += kept.length;
  }

  #takeString(piece: Buffer, end: number): void {
    this.#keepKey(piece.subarray(this.#start, end));
    this.#lastString = Buffer.concat(this.#stringParts).toString('utf8');
    this.#stringParts = [];
    this.#stringSize = 0;
  }

  #setKey(): void {
    const level = this.#levels.at(-1);
    if (this.#element === null && level !== undefined) level.key = this.#lastString;
  }
}
