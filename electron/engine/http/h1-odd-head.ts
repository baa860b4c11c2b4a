import { FramingError, trimmed } from './h1-head.ts';

/** A response head with correctable faults (RFC 9112 gives each one reading), rewritten in the valid form. */
export interface RepairedHead {
  /** CRLF after each line, each field on one line, no space before a colon. */
  text: string;
  /** Descriptions of the faults for the row. Empty if there were none. */
  faults: string[];
}

const LF = 0x0a;
const CR = 0x0d;
const BARE_LF = /(?:^|[^\r])\n/;
const SPACE_BEFORE_COLON = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+)[ \t]+:/;

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
 * `text`: a whole response head as Latin-1, with its empty line. A fold is read as one space (RFC 9112, section 5.2).
 * Throws a FramingError for a fold before the first field or in a field's name, where its meaning is ambiguous.
 */
export function repairHead(text: string): RepairedHead {
  const faults: string[] = [];
  if (BARE_LF.test(text)) faults.push('a line that ends in a bare LF');
  const lines: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const last = lines.length - 1;
    if (!/^[ \t]/.test(line)) {
      const closed = closeUpColon(line);
      if (closed !== line && !faults.includes('a space before a colon')) faults.push('a space before a colon');
      lines.push(closed);
    } else if (last < 1 || !lines[last]?.includes(':')) {
      throw new FramingError('a folded line without a field to belong to');
    } else {
      if (!faults.includes('a folded field')) faults.push('a folded field');
      lines[last] = `${lines[last]} ${trimmed(line, 0, line.length)}`;
    }
  }
  return { text: lines.join('\r\n'), faults };
}
