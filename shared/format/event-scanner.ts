import { EVENT_OPCODE, type FoundMessage, type MessageScanner } from '../model/message-mark.ts';

const LF = 0x0a;
const CR = 0x0d;

/**
 * Finds server-sent events: lines up to an empty one (HTML, section 9.2.5). Does not recognize CR alone as a line
 * ending, which the standard allows but no server sends.
 */
export class EventScanner implements MessageScanner {
  #at: number;
  #start: number;
  /** The current line has bytes other than CR. */
  #inLine = false;
  /** The current event has a non-empty line. */
  #hasLine = false;

  constructor(from: number) {
    this.#at = from;
    this.#start = from;
  }

  scan(bytes: Uint8Array, found: (message: FoundMessage) => void): void {
    for (let index = 0; index < bytes.length; ) {
      const end = bytes.indexOf(LF, index);
      const stop = end < 0 ? bytes.length : end;
      if (stop - index > 1 || (stop > index && bytes[index] !== CR)) this.#inLine = true;
      index = stop + 1;
      if (end >= 0) this.#lineDone(this.#at + index, found);
    }
    this.#at += bytes.length;
  }

  #lineDone(at: number, found: (message: FoundMessage) => void): void {
    if (this.#inLine) {
      this.#inLine = false;
      this.#hasLine = true;
      return;
    }
    if (this.#hasLine) {
      const size = at - this.#start;
      found({ opcode: EVENT_OPCODE, start: this.#start, stop: at, size, compressed: false, closeCode: null });
    }
    this.#hasLine = false;
    this.#start = at;
  }
}
