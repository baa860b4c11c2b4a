import { quoted, quotedStart } from '../../failures/quoted.ts';
import type { HttpVersion } from './message.ts';

/** A message that violates RFC 9112. `tooLarge`: a header block over the limit (answered with 431). */
export class FramingError extends Error {
  override readonly name = 'FramingError';
  readonly tooLarge: boolean;
  /** In a body: the offset, in the bytes being parsed, up to which the framing is valid. */
  wellFramed = 0;

  constructor(detail: string, tooLarge = false) {
    super(detail);
    this.tooLarge = tooLarge;
  }
}

export interface RequestLine {
  method: string;
  target: string;
  version: HttpVersion;
}

export interface StatusLine {
  status: number;
  statusText: string;
  version: HttpVersion;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LF = 0x0a;
const CR = 0x0d;
// RFC 9110, section 5.6.2
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
// Bytes above 0x7f pass: clients send them, and servers decide (RFC 3986 would require percent-encoding).
const TARGET = /^[\x21-\x7e\x80-\xff]+$/;
const VERSION = /^HTTP\/1\.\d$/;
// RFC 9112, section 4: real servers omit the space before an empty reason phrase.
const STATUS_LINE = /^HTTP\/1\.\d [1-9]\d{2}(?: |$)/;
const BARE_CONTROL = /[\0\r\n]/;

/**
 * Skips empty lines before a head; clients may send them after a body (RFC 9112, section 2.2). Returns the new offset.
 */
export function skipEmptyLines(bytes: Buffer, start: number): number {
  let at = start;
  while (bytes[at] === CR && bytes[at + 1] === LF) at += 2;
  return at;
}

/**
 * Returns the end of the head that begins at `start` (after its empty line), or -1 while it is incomplete.
 * Throws a FramingError for a head over `limit` bytes, and at once for a line that ends in a bare LF: we would
 * otherwise wait for its CRLF until the timeout.
 */
export function findHeadEnd(bytes: Buffer, start: number, limit: number): number {
  const end = bytes.indexOf(HEAD_END, start);
  if (end >= 0) {
    if (end + 4 - start > limit) throw new FramingError(`header block of ${end + 4 - start} bytes`, true);
    return end + 4;
  }
  if (bytes.length - start > limit) throw new FramingError(`header block of more than ${limit} bytes`, true);
  for (let at = bytes.indexOf(LF, start); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    if (at === start || bytes[at - 1] !== CR) throw new FramingError('a line of the header block ends in a bare LF');
  }
  return -1;
}

/** `name` matches `VERSION`. A later minor version is treated as 1.1 (RFC 9110, section 2.5). */
function versionOf(name: string): HttpVersion {
  return name === 'HTTP/1.0' ? 'HTTP/1.0' : 'HTTP/1.1';
}

/** `text`: a whole head as Latin-1, with its empty line. */
export function parseRequestLine(text: string): RequestLine {
  const line = text.slice(0, text.indexOf('\r\n'));
  // Splits at spaces only: \s matches 0xa0, which is part of many UTF-8 letters.
  const first = line.indexOf(' ');
  const second = line.indexOf(' ', first + 1);
  const method = line.slice(0, first);
  const target = line.slice(first + 1, second);
  const version = line.slice(second + 1);
  if (first < 1 || second < 0 || !VERSION.test(version)) throw new FramingError(`request line ${quoted(line)}`);
  if (!TOKEN.test(method)) throw new FramingError(`method ${JSON.stringify(method.slice(0, 40))}`);
  if (!TARGET.test(target)) throw new FramingError('control characters in the request target');
  return { method, target, version: versionOf(version) };
}

export function parseStatusLine(text: string): StatusLine {
  const line = text.slice(0, text.indexOf('\r\n'));
  if (!STATUS_LINE.test(line) || BARE_CONTROL.test(line))
    throw new FramingError(`status line ${JSON.stringify(line.slice(0, 80))}`);
  return { status: Number(line.slice(9, 12)), statusText: line.slice(13), version: versionOf(line.slice(0, 8)) };
}

/** `text.slice(from, to)` without surrounding spaces and tabs. */
export function trimmed(text: string, from: number, to: number): string {
  let start = from;
  let end = to;
  while (start < end && (text.charCodeAt(start) === 0x20 || text.charCodeAt(start) === 0x09)) start += 1;
  while (end > start && (text.charCodeAt(end - 1) === 0x20 || text.charCodeAt(end - 1) === 0x09)) end -= 1;
  return text.slice(start, end);
}

/**
 * Parses the fields from `from` (the start of a line) to the empty line into a flat list. Strict where lenient parsers
 * would disagree: no space before the colon, no folded lines (RFC 9112, section 5), no bare CR, LF or NUL.
 */
export function parseFields(text: string, from: number): string[] {
  const fields: string[] = [];
  let at = from;
  for (let end = text.indexOf('\r\n', at); end > at; end = text.indexOf('\r\n', at)) {
    const colon = text.indexOf(':', at);
    if (colon < 0 || colon > end)
      throw new FramingError(`the header line that begins with ${quotedStart(text.slice(at, end))} has no colon`);
    const name = text.slice(at, colon);
    if (!TOKEN.test(name))
      throw new FramingError(`the header line that begins with ${quotedStart(name)} has no valid name`);
    const value = trimmed(text, colon + 1, end);
    if (BARE_CONTROL.test(value)) throw new FramingError(`control characters in the value of ${name}`);
    fields.push(name, value);
    at = end + 2;
  }
  return fields;
}
