import { quotedStart } from '../../failures/quoted.ts';
import { FramingError, trimmed } from './h1-head.ts';

/** A response head with correctable faults (RFC 9112 gives each one reading), rewritten in the valid form. */
export interface RepairedHead {
  /** CRLF after each line, each field on one line, no space before a colon, and no fields without a valid name. */
  text: string;
  /** Descriptions of the faults for the row. Empty if there were none. */
  faults: string[];
}

const LF = 0x0a;
const CR = 0x0d;
const BARE_LF = /(?:^|[^\r])\n/;
const TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
const SPACE_BEFORE_COLON = new RegExp(`^(${TOKEN})[ \\t]+:`);
const FIELD = new RegExp(`^${TOKEN}:`);
const PRINTABLE = /^[\t\x20-\x7e\x80-\xff]*$/;
const FRAMING_NAME = /contentlength|transferencoding/;
const STATUS_START = /^HTTP\/1\.\d [1-9]\d{2}(?: |$)/;
const SPACED_STATUS_START = /^(HTTP\/1\.\d)[ \t]+([1-9]\d{2})(?:[ \t]+|$)/;

/**
 * Returns the end of the head at the start of `bytes`, whose lines may end in a bare LF (RFC 9112, section 2.2); -1
 * while it is incomplete. Throws a FramingError for a head over `limit` bytes.
 */
export function findOddHeadEnd(bytes: Buffer, limit: number): number {
  let lineStart = 0;
  for (let at = bytes.indexOf(LF); at >= 0 && at < limit; at = bytes.indexOf(LF, lineStart)) {
    if (at === lineStart || (at === lineStart + 1 && bytes[lineStart] === CR)) return at + 1;
    lineStart = at + 1;
  }
  if (bytes.length > limit) throw new FramingError(`header block of more than ${limit} bytes`, true);
  return -1;
}

/** Removes the space before a field's colon, as RFC 9112 (section 5.1) requires of a proxy. */
export function closeUpColon(line: string): string {
  return line.replace(SPACE_BEFORE_COLON, '$1:');
}

/**
 * Whether a field without a valid name may pass, without a meaning: browsers skip it, and so does this proxy. Not one
 * that a lenient parser could read as a length or a coding, or that other parsers would split.
 */
function isHarmless(line: string): boolean {
  const colon = line.indexOf(':');
  const letters = line
    .slice(0, colon)
    .toLowerCase()
    .replace(/[^a-z]/g, '');
  return colon >= 0 && PRINTABLE.test(line) && !FRAMING_NAME.test(letters);
}

/** Reads the lines of a head one by one. */
class HeadRepair {
  readonly lines: string[] = [];
  readonly faults = new Set<string>();
  /** Whether a fold would belong to the last line. */
  #isField = false;

  /** RFC 9112, section 4: recipients may split the status line at any white space. */
  statusLine(line: string): void {
    if (/^[ \t]/.test(line)) throw new FramingError('white space before the status line');
    const spaced = STATUS_START.test(line) ? null : SPACED_STATUS_START.exec(line);
    if (spaced) this.faults.add('white space in the status line');
    this.lines.push(spaced ? `${spaced[1]} ${spaced[2]} ${line.slice(spaced[0].length)}` : line);
  }

  fieldLine(line: string): void {
    if (/^[ \t]/.test(line)) {
      this.#fold(line);
      return;
    }
    const closed = closeUpColon(line);
    if (closed !== line) this.faults.add('a space before a colon');
    this.#isField = FIELD.test(closed);
    if (this.#isField || !isHarmless(line)) this.lines.push(closed);
    else this.faults.add(`a field without a valid name (${quotedStart(line)})`);
  }

  #fold(line: string): void {
    if (!this.#isField) throw new FramingError('a folded line without a field to belong to');
    this.faults.add('a folded field');
    const last = this.lines.length - 1;
    this.lines[last] = `${this.lines[last]} ${trimmed(line, 0, line.length)}`;
  }
}

/**
 * `text`: a whole response head as Latin-1, with its empty line. A fold is read as one space (RFC 9112, section 5.2).
 * Throws a FramingError for a fold before the first field or in a field's name, where its meaning is ambiguous.
 */
export function repairHead(text: string): RepairedHead {
  const [statusLine = '', ...fieldLines] = text.split(/\r?\n/);
  const repair = new HeadRepair();
  if (BARE_LF.test(text)) repair.faults.add('a line that ends in a bare LF');
  repair.statusLine(statusLine);
  for (const line of fieldLines) repair.fieldLine(line);
  return { text: repair.lines.join('\r\n'), faults: [...repair.faults] };
}
