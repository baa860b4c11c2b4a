import { STATUS_CODES } from 'node:http';
import type { RawHeaders } from '../../../shared/model/headers.ts';
import type { Framing, ResponseHead } from './message.ts';

/**
 * Everything that Roundtrip changes in a message's header fields stands in this file (law 3). Between two h1 sides inside
 * a tunnel that is nothing at all: the head's bytes pass as they came.
 */

/** What an h1 client says to a proxy, and never to the origin (RFC 9110, section 7.6.1, and Proxy-Connection, which is older). */
const PROXY_FIELDS = new Set(['proxy-connection', 'proxy-authorization']);
const PROXY_FIELDS_AND_HOST = new Set([...PROXY_FIELDS, 'host']);

/** Fields of one h1 connection that HTTP/2 has no place for (RFC 9113, section 8.2.2). */
const CONNECTION_FIELDS = new Set(['connection', 'proxy-connection', 'keep-alive', 'transfer-encoding', 'upgrade']);

/**
 * A head that a client sent to its proxy, as the origin gets it: `METHOD target HTTP/1.x` with the given target, every
 * other byte of the lines kept, Proxy-* fields taken out. `host`: what Host must say instead, or null; `extra`: lines to add.
 */
export function proxiedHeadToOrigin(
  text: string,
  target: string,
  { host, extra }: { host: string | null; extra: string },
): Buffer {
  const firstLine = text.indexOf('\r\n');
  const method = text.slice(0, text.indexOf(' '));
  const version = text.slice(text.lastIndexOf(' ', firstLine) + 1, firstLine);
  const lines = text.slice(firstLine + 2, -4).split('\r\n');
  const dropped = host === null ? PROXY_FIELDS : PROXY_FIELDS_AND_HOST;
  const kept = lines.filter((line) => !dropped.has(line.slice(0, line.indexOf(':')).toLowerCase()));
  const fields = kept.length === 1 && kept[0] === '' ? '' : kept.map((line) => `${line}\r\n`).join('');
  const named = host === null ? '' : `Host: ${host}\r\n`;
  return Buffer.from(`${method} ${target} ${version}\r\n${named}${fields}${extra}\r\n`, 'latin1');
}

const PROXY_LOGIN = 'proxy-authorization';

/**
 * The fields of a request to the proxy without the client's login, which is for the proxy alone (RFC 9110, section 11.7.2):
 * it is neither sent on nor recorded. The same list where there is none.
 */
export function withoutProxyLogin(headers: RawHeaders): RawHeaders {
  let kept: string[] | null = null;
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] ?? '';
    const isLogin = name.length === PROXY_LOGIN.length && name.toLowerCase() === PROXY_LOGIN;
    if (isLogin) kept ??= headers.slice(0, index);
    else kept?.push(name, headers[index + 1] ?? '');
  }
  return kept ?? headers;
}

function fieldLines(headers: RawHeaders): string {
  let lines = '';
  for (let index = 0; index < headers.length; index += 2) lines += `${headers[index]}: ${headers[index + 1]}\r\n`;
  return lines;
}

/** The fields named by Connection, lower case: they end at this hop too (RFC 9110, section 7.6.1). */
function nominated(headers: RawHeaders): Set<string> {
  const names = new Set<string>();
  for (let index = 0; index < headers.length; index += 2) {
    if (headers[index]?.toLowerCase() !== 'connection') continue;
    for (const option of (headers[index + 1] ?? '').split(',')) names.add(option.trim().toLowerCase());
  }
  return names;
}

/** h1 fields as h2 fields: lower case, without those of the connection; `te` only as `trailers` (RFC 9113, section 8.2.2). */
export function fieldsToHttp2(headers: RawHeaders): string[] {
  const dropped = nominated(headers);
  const fields: string[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    const name = (headers[index] ?? '').toLowerCase();
    const value = headers[index + 1] ?? '';
    if (name === 'te' && /(?:^|,)\s*trailers\b/i.test(value)) fields.push('te', 'trailers');
    if (name === 'host' || name === 'te' || CONNECTION_FIELDS.has(name) || dropped.has(name)) continue;
    fields.push(name, value);
  }
  return fields;
}

type Http2Answer = Pick<ResponseHead, 'status' | 'headers' | 'framing' | 'fault'>;

/** An h1 request for an h2 upstream: pseudo-header fields in the order that browsers send. */
export function requestToHttp2(request: {
  method: string;
  scheme: string;
  authority: string;
  path: string;
  headers: RawHeaders;
}): string[] {
  return [
    ':method',
    request.method,
    ':authority',
    request.authority,
    ':scheme',
    request.scheme,
    ':path',
    request.path,
    ...fieldsToHttp2(request.headers),
  ];
}

/**
 * Content-Length of a faulty response as its framing was read: once where it counts, not at all where a coding overrides it
 * or the response has no body (RFC 9112, section 6.3). HTTP/2 clients refuse any other (RFC 9113, section 8.1.1).
 */
function withSettledLength(headers: RawHeaders, framing: Framing): string[] {
  const kept: string[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] ?? '';
    if (name.toLowerCase() !== 'content-length') kept.push(name, headers[index + 1] ?? '');
  }
  if (framing.kind === 'length') kept.push('content-length', String(framing.length));
  return kept;
}

/** A response of an h1 upstream for an h2 client. */
export function responseToHttp2({ status, headers, framing, fault }: Http2Answer): string[] {
  const fields = fault === undefined ? headers : withSettledLength(headers, framing);
  return [':status', String(status), ...fieldsToHttp2(fields)];
}

/** h2 fields as h1 fields: pseudo-header fields out, crumbs of a cookie joined again (RFC 9113, section 8.2.3). */
function fieldsToHttp1(headers: RawHeaders): string[] {
  const fields: string[] = [];
  let cookieAt = -1;
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] ?? '';
    const value = headers[index + 1] ?? '';
    if (name.startsWith(':')) continue;
    if (name === 'cookie' && cookieAt >= 0) {
      fields[cookieAt] += `; ${value}`;
      continue;
    }
    if (name === 'cookie') cookieAt = fields.length + 1;
    fields.push(name, value);
  }
  return fields;
}

function has(headers: RawHeaders, name: string): boolean {
  for (let index = 0; index < headers.length; index += 2) if (headers[index]?.toLowerCase() === name) return true;
  return false;
}

/** An h2 request's head in h1's bytes. `chunked`: its body has no stated length. */
export function requestToHttp1(
  request: { method: string; authority: string; path: string; headers: RawHeaders },
  chunked: boolean,
): Buffer {
  const fields = fieldsToHttp1(request.headers);
  const host = has(fields, 'host') ? '' : `Host: ${request.authority}\r\n`;
  const coding = chunked ? 'Transfer-Encoding: chunked\r\n' : '';
  return Buffer.from(
    `${request.method} ${request.path} HTTP/1.1\r\n${host}${fieldLines(fields)}${coding}\r\n`,
    'latin1',
  );
}

/** An h2 response's head in h1's bytes; `framing` is the line that tells where the body ends, or empty. */
export function responseToHttp1(status: number, headers: RawHeaders, framing: string): Buffer {
  const reason = STATUS_CODES[status] ?? '';
  return Buffer.from(`HTTP/1.1 ${status} ${reason}\r\n${fieldLines(fieldsToHttp1(headers))}${framing}\r\n`, 'latin1');
}

/** Trailers in h1's bytes, the last chunk's line before them included. */
export function lastChunk(trailers: RawHeaders): Buffer {
  return Buffer.from(`0\r\n${fieldLines(trailers)}\r\n`, 'latin1');
}
