import type { StreamCoding } from '../codings.ts';
import { MESSAGE_LIMIT, MESSAGE_TOO_LARGE, NO_CODING, type StreamPart, type StreamReader } from './stream-part.ts';

/** The empty line after an event (HTML, section 9.2.5). */
const BOUNDARY = /\r?\n\r?\n/g;
/** The longest boundary may arrive in two parts. */
const OVERLAP = 3;

/** Cuts a stream of server-sent events. The payload of an event is its data: the other lines stay. */
export class EventReader implements StreamReader {
  readonly coding: StreamCoding | null;
  /** Latin-1: one character a byte. */
  #text = '';
  #scanned = 0;
  /** The beginning of this event was too large, and has passed. */
  #isPassing = false;

  constructor(coding: StreamCoding | null) {
    this.coding = coding;
  }

  read(chunk: Buffer): StreamPart[] {
    this.#text += chunk.toString('latin1');
    const parts: StreamPart[] = [];
    let from = 0;
    BOUNDARY.lastIndex = Math.max(this.#scanned - OVERLAP, 0);
    while (BOUNDARY.exec(this.#text)) {
      parts.push(this.#part(this.#text.slice(from, BOUNDARY.lastIndex)));
      from = BOUNDARY.lastIndex;
    }
    this.#text = this.#text.slice(from);
    this.#scanned = this.#text.length;
    if (this.#isPassing || this.#text.length > MESSAGE_LIMIT) parts.push(this.#giveUp());
    return parts;
  }

  /** The event is too large: it passes as it arrives, except for what may be the beginning of its end. */
  #giveUp(): StreamPart {
    const raw = Buffer.from(this.#text.slice(0, -OVERLAP), 'latin1');
    this.#text = this.#text.slice(-OVERLAP);
    this.#scanned = this.#text.length;
    if (this.#isPassing) return { raw, message: null };
    this.#isPassing = true;
    return { raw, message: null, problem: MESSAGE_TOO_LARGE };
  }

  rest(): Buffer {
    const raw = Buffer.from(this.#text, 'latin1');
    this.#text = '';
    this.#scanned = 0;
    return raw;
  }

  #part(text: string): StreamPart {
    const raw = Buffer.from(text, 'latin1');
    if (raw.length > MESSAGE_LIMIT) return { raw, message: null, problem: MESSAGE_TOO_LARGE };
    const data = this.#isPassing ? null : dataOf(text);
    this.#isPassing = false;
    if (data === null) return { raw, message: null };
    const encode = (payload: Buffer) => Buffer.from(withData(text, payload.toString('latin1')), 'latin1');
    return { raw, message: { payload: Buffer.from(data, 'latin1'), codings: NO_CODING, encode } };
  }
}

const DATA = /^data(?::[ ]?|$)/;

/** Null: a comment, or an event without data. */
function dataOf(text: string): string | null {
  const lines = text.split(/\r?\n/).filter((line) => DATA.test(line));
  return lines.length === 0 ? null : lines.map((line) => line.replace(DATA, '')).join('\n');
}

/** The event with new data, in place of its first data line. */
function withData(text: string, data: string): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text.split(/\r?\n/);
  const first = lines.findIndex((line) => DATA.test(line));
  const others = (line: string) => !DATA.test(line);
  const fresh = data.split('\n').map((line) => `data: ${line}`);
  return [...lines.slice(0, first).filter(others), ...fresh, ...lines.slice(first).filter(others)].join(end);
}
