import { TextDecoder } from 'node:util';

/** Text to find, prepared once for any number of bodies. Regardless of case; `*` stands for anything in between. */
export class WantedText {
  readonly parts: readonly WantedPart[];
  /**
   * For ASCII, bytes are read as Latin-1: no byte of a longer UTF-8 character is in ASCII, and decoding is ten times as
   * fast as with UTF-8.
   */
  readonly isAscii: boolean;

  constructor(wanted: string) {
    this.isAscii = /^[\0-\x7f]*$/.test(wanted);
    this.parts = wanted
      .toLowerCase()
      .split('*')
      .filter((part) => part !== '')
      .map((text) => ({ length: text.length, pattern: this.isAscii ? patternOf(text) : null, text }));
  }
}

interface WantedPart {
  text: string;
  length: number;
  /** Finds ASCII without a copy of the text in lower case, in half the time. */
  pattern: RegExp | null;
}

function patternOf(text: string): RegExp {
  return new RegExp(text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), 'gi');
}

/** Finds text in bytes that arrive in pieces. Keeps no more than the length of the search text. */
export class TextFinder {
  readonly #wanted: WantedText;
  // Any bytes are accepted: invalid UTF-8 has no text to find.
  readonly #decoder: TextDecoder | null;
  #next = 0;
  #tail = '';

  constructor(wanted: WantedText) {
    this.#wanted = wanted;
    this.#decoder = wanted.isAscii ? null : new TextDecoder('utf-8');
  }

  /** Takes the next piece; true once everything was found. */
  push(bytes: Uint8Array): boolean {
    const { parts } = this.#wanted;
    const text = this.#tail + this.#decoded(bytes);
    let from = 0;
    for (let part = parts[this.#next]; part !== undefined; part = parts[this.#next]) {
      const at = placeOf(part, text, from);
      if (at < 0) {
        this.#tail = text.slice(Math.max(from, text.length - part.length + 1));
        return false;
      }
      from = at + part.length;
      this.#next += 1;
    }
    return true;
  }

  #decoded(bytes: Uint8Array): string {
    if (this.#decoder) return this.#decoder.decode(bytes, { stream: true }).toLowerCase();
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  }
}

function placeOf({ pattern, text: wanted }: WantedPart, text: string, from: number): number {
  if (pattern === null) return text.indexOf(wanted, from);
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? -1;
}
