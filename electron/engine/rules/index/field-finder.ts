import type { RawHeaders } from '../../../../shared/model/headers.ts';
import type { KnownFields } from '../../../../shared/model/rule/known-fields.ts';

/** Places of the table for two characters. */
const PAIRS = 1 << 13;
/** A longer skip would not fit the table's bytes. */
const LONGEST = 255;
/** Lists that are remembered: enough for the concurrent exchanges. */
const RECENT = 256;
const NONE: readonly number[] = [];
const SEPARATOR = ': ';

/**
 * Place of two characters, ignoring case: for all letters in fields (Latin-1), case is the same bit. Other characters
 * share places too: matches are compared.
 */
function pairOf(first: number, second: number): number {
  return (((first | 32) << 5) ^ (second | 32)) & (PAIRS - 1);
}

/** A character of the line `name: value`, without creating the line. */
function codeAt(name: string, value: string, at: number): number {
  const behind = at - name.length;
  if (behind < 0) return name.charCodeAt(at);
  return behind > 1 ? value.charCodeAt(behind - 2) : SEPARATOR.charCodeAt(behind);
}

/** Cookies are in two fields: their length excludes nearly all others. */
function hasCookies(name: string): boolean {
  if (name.length !== 'cookie'.length && name.length !== 'set-cookie'.length) return false;
  const lower = name.toLowerCase();
  return lower === 'cookie' || lower === 'set-cookie';
}

/**
 * Which of many texts are in the lines `name: value` of fields. Fields are the longest part of a request, and most have
 * none of the texts: this checks two characters and skips places where no text can begin (Wu and Manber, 1994).
 */
export class FieldFinder {
  readonly #texts: readonly string[];
  readonly #field: 'fields' | 'cookies';
  /** Characters of each text that count for skipping: as many as the shortest has. */
  readonly #window: number;
  readonly #skips: Uint8Array;
  /** The texts of a pair that ends a window. */
  readonly #ending = new Map<number, number[]>();

  /** Results by list: the response and the end of an exchange search its request's fields again. */
  readonly #recent = new Map<RawHeaders, readonly number[]>();

  /** `texts`: in lower case, each with two characters at least. `cookies`: searches only the fields that have them. */
  constructor(texts: readonly string[], field: 'fields' | 'cookies') {
    this.#texts = texts;
    this.#field = field;
    this.#window = Math.min(LONGEST, ...texts.map(({ length }) => length));
    this.#skips = new Uint8Array(PAIRS).fill(this.#window - 1);
    for (const [index, text] of texts.entries()) this.#add(text, index);
  }

  #add(text: string, index: number): void {
    const last = this.#window - 1;
    for (let at = 1; at <= last; at += 1) {
      const pair = pairOf(text.charCodeAt(at - 1), text.charCodeAt(at));
      this.#skips[pair] = Math.min(this.#skips[pair] ?? 0, last - at);
      if (at === last) this.#ending.set(pair, [...(this.#ending.get(pair) ?? []), index]);
    }
  }

  /** Calls back with the list index of each text that occurs; for some more than once. */
  find(fields: KnownFields, found: (index: number) => void): void {
    for (const list of fields) if (list.length > 0) for (const index of this.#foundIn(list)) found(index);
  }

  #foundIn(list: RawHeaders): readonly number[] {
    const known = this.#recent.get(list);
    if (known) return known;
    const found: number[] = [];
    const add = (index: number): void => void found.push(index);
    for (let at = 0; at < list.length; at += 2) {
      const name = list[at] ?? '';
      if (this.#field === 'fields' || hasCookies(name)) this.#findIn(name, list[at + 1] ?? '', add);
    }
    if (this.#recent.size === RECENT) this.#recent.clear();
    this.#recent.set(list, found.length === 0 ? NONE : found);
    return found;
  }

  #findIn(name: string, value: string, found: (index: number) => void): void {
    const start = name.length + SEPARATOR.length;
    const skips = this.#skips;
    let at = this.#window - 1;
    while (at <= start) {
      const pair = pairOf(codeAt(name, value, at - 1), codeAt(name, value, at));
      at += skips[pair] || this.#compare(pair, name, value, at, found);
    }
    // Both characters are in the value: nearly all the time is spent here.
    for (let inner = at - start; inner < value.length; ) {
      const pair = pairOf(value.charCodeAt(inner - 1), value.charCodeAt(inner));
      inner += skips[pair] || this.#compare(pair, name, value, start + inner, found);
    }
  }

  /** `at`: the last character of the window. Returns how far the search advances. */
  #compare(pair: number, name: string, value: string, at: number, found: (index: number) => void): number {
    const line = `${name}${SEPARATOR}${value}`.toLowerCase();
    for (const index of this.#ending.get(pair) ?? [])
      if (line.startsWith(this.#texts[index] ?? '', at - this.#window + 1)) found(index);
    return 1;
  }
}
