import type { RawHeaders } from '../../../shared/model/headers.ts';
import { FramingError, trimmed } from './h1-head.ts';
import {
  CHUNKED_FRAMING,
  CLOSE_FRAMING,
  type Framing,
  type HttpVersion,
  NO_BODY_FRAMING,
  type RequestHead,
  switchesProtocol,
} from './message.ts';

/**
 * The fields of a head that control its connection. One pass collects them all, because the hot path reads them all.
 */
export interface ConnectionFields {
  host: string | null;
  hostCount: number;
  length: string | null;
  lengthCount: number;
  /** All Transfer-Encoding values, joined with commas. */
  coding: string | null;
  close: boolean;
  keepAlive: boolean;
  upgrade: boolean;
}

const CLOSE_OPTION = /(?:^|,)[ \t]*close[ \t]*(?:,|$)/i;
const KEEP_ALIVE_OPTION = /(?:^|,)[ \t]*keep-alive[ \t]*(?:,|$)/i;
const UPGRADE_OPTION = /(?:^|,)[ \t]*upgrade[ \t]*(?:,|$)/i;
const IDENTITY = /^identity$/i;
const NO_LENGTH = 'a Content-Length that is not a number';
const DIGITS = /^\d{1,15}$/;
/**
 * One coding of a comma-separated list, with its parameters (RFC 9112, section 7). Only spaces and tabs are trimmed:
 * some parsers read `\x0bchunked` as chunked, others do not. Quoted parameters are not allowed: they may hold a comma,
 * and some parsers split the list there.
 */
const TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
const CODING = new RegExp(`^[ \\t]*(${TOKEN})((?:[ \\t]*;[ \\t]*${TOKEN}=${TOKEN})*)[ \\t]*$`);
/**
 * RFC 9112, section 7: codings allowed before `chunked`. A server that does not know a coding may miss the `chunked`
 * too.
 */
const COMPRESSIONS = new Set(['gzip', 'x-gzip', 'deflate', 'compress', 'x-compress']);

function readConnection(found: ConnectionFields, value: string): void {
  if (CLOSE_OPTION.test(value)) found.close = true;
  if (KEEP_ALIVE_OPTION.test(value)) found.keepAlive = true;
  if (UPGRADE_OPTION.test(value)) found.upgrade = true;
}

export function connectionFields(headers: RawHeaders): ConnectionFields {
  const found: ConnectionFields = {
    host: null,
    hostCount: 0,
    length: null,
    lengthCount: 0,
    coding: null,
    close: false,
    keepAlive: false,
    upgrade: false,
  };
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] as string;
    // Only four names matter. Their lengths rule out nearly all others without a lower-case copy.
    if (name.length !== 4 && name.length !== 10 && name.length !== 14 && name.length !== 17) continue;
    const value = headers[index + 1] as string;
    switch (name.toLowerCase()) {
      case 'host':
        found.host = value;
        found.hostCount += 1;
        break;
      case 'connection':
        readConnection(found, value);
        break;
      case 'content-length':
        found.length = value;
        found.lengthCount += 1;
        break;
      case 'transfer-encoding':
        found.coding = found.coding === null ? value : `${found.coding},${value}`;
        break;
    }
  }
  return found;
}

function lengthOf(fields: Readonly<ConnectionFields>): Framing {
  if (fields.lengthCount > 1) throw new FramingError('more than one Content-Length');
  if (!DIGITS.test(fields.length ?? '')) throw new FramingError(`Content-Length ${JSON.stringify(fields.length)}`);
  const length = Number(fields.length);
  return length === 0 ? NO_BODY_FRAMING : { kind: 'length', length };
}

/** Whether the body is chunked. Throws if two parsers could read the list differently. */
function endsInChunked(coding: string): boolean {
  if (coding === 'chunked') return true;
  const codings = coding.split(',').map((each) => CODING.exec(each));
  const last = codings.pop();
  const name = last?.[1]?.toLowerCase();
  // `chunked` has no parameters, and parsers disagree on its meaning with one (RFC 9112, section 7.1).
  if (
    name === 'chunked' &&
    last?.[2] === '' &&
    codings.every((each) => COMPRESSIONS.has(each?.[1]?.toLowerCase() ?? ''))
  )
    return true;
  if (name !== undefined && name !== 'chunked' && codings.length === 0) return false;
  throw new FramingError(`Transfer-Encoding ${JSON.stringify(coding)}`);
}

/** RFC 9112, section 6.3, for requests. Ambiguity is rejected: parsers that disagree allow request smuggling. */
export function requestFraming(fields: Readonly<ConnectionFields>, version: HttpVersion): Framing {
  if (fields.coding !== null) {
    if (fields.lengthCount > 0) throw new FramingError('both Transfer-Encoding and Content-Length');
    if (version === 'HTTP/1.0') throw new FramingError('Transfer-Encoding on HTTP/1.0');
    if (!endsInChunked(fields.coding)) throw new FramingError(`Transfer-Encoding ${JSON.stringify(fields.coding)}`);
    return CHUNKED_FRAMING;
  }
  return fields.lengthCount > 0 ? lengthOf(fields) : NO_BODY_FRAMING;
}

/** RFC 9112, section 6.3: responses that have no body regardless of their fields. */
function isBodiless(status: number, { method }: Pick<RequestHead, 'method'>): boolean {
  return method === 'HEAD' || status < 200 || status === 204 || status === 304 || switchesProtocol(status, method);
}

/**
 * RFC 9112, section 6.3, for the response to `request`, if its fields have no fault. Throws a FramingError for all
 * others;
 * `oddResponseFraming` may still accept those.
 */
export function responseFraming(
  fields: Readonly<ConnectionFields>,
  status: number,
  version: HttpVersion,
  request: Pick<RequestHead, 'method'>,
): Framing {
  const coded = fields.coding !== null;
  if (coded && fields.lengthCount > 0) throw new FramingError('both Transfer-Encoding and Content-Length');
  if (fields.lengthCount > 1) throw new FramingError('more than one Content-Length');
  if (isBodiless(status, request)) {
    if (fields.length !== null && !DIGITS.test(fields.length)) throw new FramingError(NO_LENGTH);
    return NO_BODY_FRAMING;
  }
  if (fields.coding !== null) {
    if (version === 'HTTP/1.0') throw new FramingError('Transfer-Encoding on HTTP/1.0');
    if (IDENTITY.test(fields.coding)) throw new FramingError('Transfer-Encoding: identity');
    return endsInChunked(fields.coding) ? CHUNKED_FRAMING : CLOSE_FRAMING;
  }
  return fields.lengthCount > 0 ? lengthOf(fields) : CLOSE_FRAMING;
}

/** The Content-Length if all values are equal (RFC 9112, section 6.3, rule 5). Throws if they differ. */
function repeatedLength(values: readonly string[]): Framing {
  const all = values.flatMap((value) => value.split(',')).map((each) => trimmed(each, 0, each.length));
  const [length = ''] = all;
  if (!DIGITS.test(length) || all.some((each) => each !== length))
    throw new FramingError(`Content-Length ${JSON.stringify(values.join(', '))}`);
  return Number(length) === 0 ? NO_BODY_FRAMING : { kind: 'length', length: Number(length) };
}

/** RFC 9110, section 5.6.1.2: recipients ignore empty elements of a list. */
function withoutEmptyElements(list: string): string {
  return list
    .split(',')
    .filter((element) => trimmed(element, 0, element.length) !== '')
    .join(',');
}

export interface OddFraming {
  framing: Framing;
  /** A description of the fault; null if there is none. */
  fault: string | null;
}

/**
 * `responseFraming` for a response with a fault that RFC 9112 gives one reading, or that all clients read the same way.
 * Throws a FramingError if two clients would read it differently. `lengths`: the values of Content-Length.
 */
export function oddResponseFraming(
  { coding }: Readonly<ConnectionFields>,
  lengths: readonly string[],
  { status, version }: { status: number; version: HttpVersion },
  request: Pick<RequestHead, 'method'>,
): OddFraming {
  const beside = lengths.length > 0 && coding !== null ? 'Content-Length beside Transfer-Encoding' : null;
  const repeated = lengths.length > 1 || lengths[0]?.includes(',') ? 'more than one Content-Length' : null;
  if (isBodiless(status, request)) {
    const invalid = lengths.length > 0 && !DIGITS.test(lengths[0] ?? '') ? NO_LENGTH : null;
    return { framing: NO_BODY_FRAMING, fault: beside ?? repeated ?? invalid };
  }
  // Not a coding (RFC 2616, section 3.6): clients use Content-Length, and the end of our connection says the same.
  if (coding === null || IDENTITY.test(coding)) {
    const framing = lengths.length > 0 ? repeatedLength(lengths) : CLOSE_FRAMING;
    return { framing, fault: coding === null ? repeated : 'Transfer-Encoding: identity' };
  }
  const listed = withoutEmptyElements(coding);
  const gaps = listed === coding ? null : 'an empty element in Transfer-Encoding';
  const chunked = endsInChunked(listed);
  // With HTTP/1.0, Chromium decodes the chunks but ends at Content-Length; so do most clients if the coding is not
  // chunked.
  if (beside && (version === 'HTTP/1.0' || !chunked))
    throw new FramingError(`${beside}${chunked ? ' on HTTP/1.0' : ''}`);
  const older = version === 'HTTP/1.0' ? 'Transfer-Encoding on HTTP/1.0' : null;
  return { framing: chunked ? CHUNKED_FRAMING : CLOSE_FRAMING, fault: beside ?? older ?? gaps };
}

/** Whether the connection carries another message after this one (RFC 9112, section 9.3). */
export function keepsAlive(fields: Readonly<ConnectionFields>, version: HttpVersion): boolean {
  if (fields.close) return false;
  return version === 'HTTP/1.1' || fields.keepAlive;
}
