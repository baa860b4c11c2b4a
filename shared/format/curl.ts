import type { Exchange } from '../model/exchange.ts';
import { firstHeader, headerPairs, type RawHeaders } from '../model/headers.ts';
import { urlOf } from './url.ts';

/** A request's body as it was on the wire. Base64 where it is not UTF-8. */
export type CurlBody = { form: 'text' | 'base64'; data: string } | null;

/** Fields that curl writes itself, from the address, the body and the protocol. */
const CURLS_OWN = new Set(['host', 'content-length', 'transfer-encoding', 'connection', 'proxy-connection']);

/**
 * The request as a command for a POSIX shell. Whatever the request holds, it is quoted so that the shell sees text only
 * and curl no option, no file name and no pattern. Fields that curl would add of its own and the client did not send are
 * left out with `-H 'Name:'`.
 */
export function curlCommand({ request }: Exchange, body: CurlBody): string {
  const url = urlOf(request);
  const parts = ['curl', shellQuote(url), ...methodOption(request.method, body !== null)];
  if (/[[\]{}]/.test(url)) parts.push('--globoff');
  if (/\/\.\.?(\/|$|\?)/.test(request.path)) parts.push('--path-as-is');
  if (request.httpVersion !== 'HTTP/2.0') parts.push(request.httpVersion === 'HTTP/1.0' ? '--http1.0' : '--http1.1');
  for (const line of headerLines(request.headers, body !== null)) parts.push(`-H ${shellQuote(line)}`);
  if (firstHeader(request.headers, 'accept-encoding')) parts.push('--compressed');
  if (body?.form === 'text') parts.push(`--data-raw ${shellQuote(body.data)}`);
  if (body?.form === 'base64') parts.push('--data-binary @-');
  const command = parts.join(' \\\n  ');
  return body?.form === 'base64' ? `printf %s ${shellQuote(body.data)} | base64 -d | ${command}` : command;
}

function methodOption(method: string, hasBody: boolean): string[] {
  if (method === (hasBody ? 'POST' : 'GET')) return [];
  return method === 'HEAD' ? ['--head'] : [`-X ${shellQuote(method)}`];
}

function headerLines(headers: RawHeaders, hasBody: boolean): string[] {
  const sent = headerPairs(headers)
    // A name that is no token (RFC 9110, section 5.6.2) could be `@file` to curl.
    .filter(([name]) => /^[\w!#$%&'*+.^`|~-]+$/.test(name) && !CURLS_OWN.has(name.toLowerCase()))
    .map(([name, value]) => (value === '' ? `${name};` : `${name}: ${value}`));
  const added = ['User-Agent', 'Accept', ...(hasBody ? ['Content-Type'] : [])];
  return [...sent, ...added.filter((name) => firstHeader(headers, name) === undefined).map((name) => `${name}:`)];
}

/** As one word of a POSIX shell; control characters, which would harm a terminal, as `$'\x1b'` (bash, zsh, ksh). */
export function shellQuote(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  if (!CONTROL.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`;
  const escaped = text.replace(/['\\]/g, '\\$&').replace(CONTROLS, (char) => `\\x${hex(char)}`);
  return `$'${escaped}'`;
}

// Line feeds and tabs are harmless within quotes, and readable.
const CONTROL = /[^\t\n -~\u00a0-\uffff]/;
const CONTROLS = new RegExp(CONTROL, 'g');

function hex(char: string): string {
  return char.charCodeAt(0).toString(16).padStart(2, '0');
}
