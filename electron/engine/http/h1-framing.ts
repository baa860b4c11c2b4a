import type { RawHeaders } from '../../../shared/model/headers.ts';
import { FramingError } from './h1-head.ts';
import {
  CHUNKED_FRAMING,
  CLOSE_FRAMING,
  type Framing,
  type HttpVersion,
  NO_BODY_FRAMING,
  type RequestHead,
} from './message.ts';

/** The fields of a head that decide how its connection goes on, found in one pass: the hot path reads them all. */
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
const DIGITS = /^\d{1,15}$/;
// A coding's name between list commas. Only spaces and tabs are trimmed: `\x0bchunked` is chunked to some parsers alone.
const CODING = /^[ \t]*([!#$%&'*+\-.^_`|~0-9A-Za-z]+)[ \t]*$/;
/** RFC 9112, section 7: what may stand before `chunked`. A server that knows no such coding may not see the `chunked` either. */
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
    // Only four names matter; their lengths sort out nearly all others without a lower-cased copy.
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

/** Whether the body is chunked. Throws where two parsers could read the list in two ways. */
function endsInChunked(coding: string): boolean {
  if (coding === 'chunked') return true;
  const names = coding.split(',').map((each) => CODING.exec(each)?.[1]?.toLowerCase());
  if (names.length === 1 && names[0] !== undefined) return names[0] === 'chunked';
  const last = names.pop();
  if (last === 'chunked' && names.every((name) => COMPRESSIONS.has(name ?? ''))) return true;
  throw new FramingError(`Transfer-Encoding ${JSON.stringify(coding)}`);
}

/** RFC 9112, section 6.3, for requests. Ambiguity is refused: two parsers that disagree on it can be played against each other. */
export function requestFraming(fields: Readonly<ConnectionFields>, version: HttpVersion): Framing {
  if (fields.coding !== null) {
    if (fields.lengthCount > 0) throw new FramingError('both Transfer-Encoding and Content-Length');
    if (version === 'HTTP/1.0') throw new FramingError('Transfer-Encoding on HTTP/1.0');
    if (!endsInChunked(fields.coding)) throw new FramingError(`Transfer-Encoding ${JSON.stringify(fields.coding)}`);
    return CHUNKED_FRAMING;
  }
  return fields.lengthCount > 0 ? lengthOf(fields) : NO_BODY_FRAMING;
}

/** RFC 9112, section 6.3, for the response to `request`. A transfer coding on HTTP/1.0 is faulty (section 6.1). */
export function responseFraming(
  fields: Readonly<ConnectionFields>,
  status: number,
  version: HttpVersion,
  request: Pick<RequestHead, 'method'>,
): Framing {
  if (request.method === 'HEAD' || status < 200 || status === 204 || status === 304) return NO_BODY_FRAMING;
  if (fields.coding !== null) {
    if (fields.lengthCount > 0) throw new FramingError('both Transfer-Encoding and Content-Length');
    if (version === 'HTTP/1.0') throw new FramingError('Transfer-Encoding on HTTP/1.0');
    return endsInChunked(fields.coding) ? CHUNKED_FRAMING : CLOSE_FRAMING;
  }
  return fields.lengthCount > 0 ? lengthOf(fields) : CLOSE_FRAMING;
}

/** Whether the connection carries another message after this one (RFC 9112, section 9.3). */
export function keepsAlive(fields: Readonly<ConnectionFields>, version: HttpVersion): boolean {
  if (fields.close) return false;
  return version === 'HTTP/1.1' || fields.keepAlive;
}
