import type { RawHeaders } from '../../../shared/model/headers.ts';

/**
 * Checks for fields that make a message malformed (RFC 9113, sections 8.1 to 8.3). Each function returns the fault as
 * part of a sentence, or null. On an HTTP/1.1 connection such a field could start another message: nothing is
 * tolerated.
 *
 * The exception is whitespace around a value, which section 8.2.1 forbids: servers send it, browsers accept it, and
 * HTTP/1.1 ignores it.
 */

const BAD = 0;
const ORDINARY = 1;
const PSEUDO = 2;
const OF_CONNECTION = 3;
const TE = 4;
const LENGTH = 5;
const HOST = 6;

const SPECIAL = new Map([
  ['connection', OF_CONNECTION],
  ['proxy-connection', OF_CONNECTION],
  ['keep-alive', OF_CONNECTION],
  ['transfer-encoding', OF_CONNECTION],
  ['upgrade', OF_CONNECTION],
  ['te', TE],
  ['content-length', LENGTH],
  ['host', HOST],
]);

/** A token (RFC 9110, section 5.6.2) in lower case. */
const NAME = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/;
const METHOD = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const SCHEME = /^[A-Za-z][A-Za-z0-9+\-.]*$/;
/** RFC 9113, section 8.3.1, minus every byte that would end the path in an HTTP/1.1 request line. */
const PATH = /^(?:\/[\x21-\x7e\x80-\xff]*|\*)$/;
const LENGTH_VALUE = /^\d{1,15}$/;
const BREAKS = /[\0\r\n]/;

/** Cache of checked names, as most repeat. Bounded because the peer chooses them. */
const JUDGED = new Map<string, number>();
const MOST_JUDGED = 4096;

function kindOf(name: string): number {
  const known = JUDGED.get(name);
  if (known !== undefined) return known;
  const kind = name.charCodeAt(0) === 0x3a ? PSEUDO : (SPECIAL.get(name) ?? (NAME.test(name) ? ORDINARY : BAD));
  if (JUDGED.size < MOST_JUDGED && name.length < 100) JUDGED.set(name, kind);
  return kind;
}

const quoted = (text: string): string => JSON.stringify(text.slice(0, 60));

/** Checks the regular fields from index `at`. */
function fieldsFault(fields: RawHeaders, at: number): string | null {
  let lengths = 0;
  let hosts = 0;
  for (let index = at; index < fields.length; index += 2) {
    const name = fields[index] as string;
    const value = fields[index + 1] as string;
    const kind = kindOf(name);
    if (kind !== ORDINARY) {
      if (kind === BAD) return `the field name ${quoted(name)}`;
      if (kind === PSEUDO) return `the pseudo-header field ${quoted(name)} after regular fields`;
      if (kind === OF_CONNECTION) return `the field ${name}, which HTTP/2 does not allow`;
      if (kind === TE && value.toLowerCase() !== 'trailers') return `te: ${quoted(value)}`;
      if (kind === LENGTH) {
        lengths += 1;
        if (lengths > 1 || !LENGTH_VALUE.test(value)) return `the content-length ${quoted(value)}`;
      }
      if (kind === HOST && ++hosts > 1) return 'a second host';
    }
    if (BREAKS.test(value)) return `a line break or NUL in the field ${name}`;
  }
  return null;
}

export function requestFault(fields: RawHeaders, takesProtocol: boolean): string | null {
  const found: Record<string, string> = {};
  let at = 0;
  for (; at < fields.length; at += 2) {
    const name = fields[at] as string;
    if (kindOf(name) !== PSEUDO) break;
    if (found[name] !== undefined) return `a second ${name}`;
    found[name] = fields[at + 1] as string;
  }
  return pseudoFault(found, takesProtocol) ?? fieldsFault(fields, at);
}

function pseudoFault(found: Record<string, string>, takesProtocol: boolean): string | null {
  const { ':method': method, ':scheme': scheme, ':path': path, ':authority': authority, ':protocol': protocol } = found;
  for (const name in found) if (!REQUEST_PSEUDO.has(name)) return `the pseudo-header field ${quoted(name)}`;
  if (method === undefined || !METHOD.test(method)) return missingOrBad(':method', method);
  if (authority !== undefined && BREAKS.test(authority)) return missingOrBad(':authority', authority);
  if (protocol !== undefined && !(takesProtocol && method === 'CONNECT')) return ':protocol, which was not offered';
  if (method === 'CONNECT' && protocol === undefined) {
    return scheme === undefined && path === undefined ? null : 'a CONNECT with :scheme or :path';
  }
  if (scheme === undefined || !SCHEME.test(scheme)) return missingOrBad(':scheme', scheme);
  if (path === undefined || !PATH.test(path)) return missingOrBad(':path', path);
  return null;
}

const REQUEST_PSEUDO = new Set([':method', ':scheme', ':path', ':authority', ':protocol']);

function missingOrBad(name: string, value: string | undefined): string {
  return value === undefined ? `no ${name}` : `the ${name} ${quoted(value)}`;
}

export function responseFault(fields: RawHeaders): string | null {
  if (fields[0] !== ':status')
    return fields[0]?.startsWith(':') ? `the pseudo-header field ${quoted(fields[0])}` : 'no :status';
  const status = fields[1] as string;
  // HTTP/2 does not use 101 (section 8.6).
  if (!/^[1-9]\d\d$/.test(status) || status === '101') return `the :status ${quoted(status)}`;
  if (fields[2] === ':status') return 'a second :status';
  return fieldsFault(fields, 2);
}

export function trailersFault(fields: RawHeaders): string | null {
  const fault = fieldsFault(fields, 0);
  if (fault) return fault;
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index];
    if (name === 'content-length' || name === 'proxy-authorization') return `a ${name} among the trailers`;
  }
  return null;
}

/** Bytes; -1: there is no such field. Call it after the checks: before them the value may not be a number. */
export function contentLength(fields: RawHeaders): number {
  for (let index = 0; index < fields.length; index += 2) {
    if (fields[index] === 'content-length') return Number(fields[index + 1]);
  }
  return -1;
}
