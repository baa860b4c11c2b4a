import { STATUS_CODES } from 'node:http';
import type { RawHeaders } from '../../../shared/model/headers.ts';
import type { Framing, RequestHead, ResponseHead } from './message.ts';

/**
 * This file holds every change that Roundtrip makes to a message's header fields (law 3). Between two h1 sides inside a
 * tunnel it changes nothing: the head's bytes pass unchanged.
 */

/** Fields that an h1 client sends to a proxy, never to the origin (RFC 9110, 7.6.1, and the older Proxy-Connection). */
const PROXY_FIELDS = new Set(['proxy-connection', 'proxy-authorization']);
const PROXY_FIELDS_AND_HOST = new Set([...PROXY_FIELDS, 'host']);

/** Connection-specific h1 fields that HTTP/2 forbids (RFC 9113, section 8.2.2). */
const CONNECTION_FIELDS = new Set(['connection', 'proxy-connection', 'keep-alive', 'transfer-encoding', 'upgrade']);

/**
 * Converts a head that a client sent to its proxy into the origin's form: `METHOD target HTTP/1.x` with the given
 * target, without Proxy-* fields, every other byte kept. `host`: the new Host value, or null; `extra`: lines to add.
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

/** A head that a rule changed, in h1's bytes for the origin: without Proxy-* fields. */
export function requestHeadBytes(head: Pick<RequestHead, 'method' | 'path' | 'version' | 'headers'>): Buffer {
  const { headers } = head;
  let lines = '';
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] ?? '';
    if (!PROXY_FIELDS.has(name.toLowerCase())) lines += fieldLine(name, headers[index + 1]);
  }
  return Buffer.from(`${head.method} ${head.path} ${head.version}\r\n${lines}\r\n`, 'latin1');
}

/** A response's head that a rule changed or created, in h1's bytes. */
export function responseHeadBytes(head: Pick<ResponseHead, 'status' | 'statusText' | 'version' | 'headers'>): Buffer {
  const { version, status, statusText, headers } = head;
  return Buffer.from(`${version} ${status} ${statusText}\r\n${fieldLines(headers)}\r\n`, 'latin1');
}

const PROXY_LOGIN = 'proxy-authorization';

/**
 * Removes the client's proxy credentials from a request: they are for the proxy alone (RFC 9110, section 11.7.2), and
 * are neither forwarded nor recorded. Returns the same list if there are none.
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

/** A field without a value has no space either: most clients write it as `X-Empty:`. */
function fieldLine(name = '', value = ''): string {
  return value === '' ? `${name}:\r\n` : `${name}: ${value}\r\n`;
}

/** Fields in h1's bytes. */
export function fieldLines(headers: RawHeaders): string {
  let lines = '';
  for (let index = 0; index < headers.length; index += 2) lines += fieldLine(headers[index], headers[index + 1]);
  return lines;
}

/** The fields listed in Connection, lower case: they end at this hop too (RFC 9110, section 7.6.1). */
function nominated(headers: RawHeaders): Set<string> {
  const names = new Set<string>();
  for (let index = 0; index < headers.length; index += 2) {
    if (headers[index]?.toLowerCase() !== 'connection') continue;
    for (const option of (headers[index + 1] ?? '').split(',')) names.add(option.trim().toLowerCase());
  }
  return names;
}

/** Converts h1 fields to h2: lower case, no connection-specific fields, `te` only as `trailers` (RFC 9113, 8.2.2). */
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

type Http2Response = Pick<ResponseHead, 'status' | 'headers' | 'framing' | 'fault'>;

/** Converts an h1 request for an h2 upstream, with pseudo-header fields in the order that browsers send. */
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
 * Content-Length of a faulty response according to its framing: once if it counts, absent if a coding overrides it or
 * the response has no body (RFC 9112, section 6.3). HTTP/2 clients reject anything else (RFC 9113, section 8.1.1).
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

/** Converts a response of an h1 upstream for an h2 client. */
export function responseToHttp2({ status, headers, framing, fault }: Http2Response): string[] {
  const fields = fault === undefined ? headers : withSettledLength(headers, framing);
  return [':status', String(status), ...fieldsToHttp2(fields)];
}

/** Converts h2 fields to h1: removes pseudo-header fields and joins cookie crumbs (RFC 9113, section 8.2.3). */
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

/** An h2 request's head in h1's bytes. `chunked`: its body has no declared length. */
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

/** An h2 response's head in h1's bytes. `framing`: the line that defines the end of the body, or empty. */
export function responseToHttp1(status: number, headers: RawHeaders, framing: string): Buffer {
  const reason = STATUS_CODES[status] ?? '';
  return Buffer.from(`HTTP/1.1 ${status} ${reason}\r\n${fieldLines(fieldsToHttp1(headers))}${framing}\r\n`, 'latin1');
}

/** Trailers in h1's bytes, preceded by the last chunk's line. */
export function lastChunk(trailers: RawHeaders): Buffer {
  return Buffer.from(`0\r\n${fieldLines(trailers)}\r\n`, 'latin1');
}
