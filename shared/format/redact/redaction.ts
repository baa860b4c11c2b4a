import type { Exchange } from '../../model/exchange.ts';
import type { SecretPlace } from '../../model/export/redaction-count.ts';
import type { RawHeaders } from '../../model/headers.ts';
import type { RequestMessage, ResponseMessage } from '../../model/message.ts';
import { isSecretField, isSecretHeader, isSecretMember } from './secret-names.ts';

/** Replaces a secret. Needs no quoting in a URL, a header, a form or JSON. */
export const REDACTED = 'REDACTED';

/** A redacted value: its place and name, never the value. */
export interface LeftOut {
  place: SecretPlace;
  name: string;
}

/** Called for each redacted value, with the value itself. */
export type Found = (leftOut: LeftOut, secret: string) => void;

type Note = (name: string, secret: string) => void;

/** A copy of the exchange without its secrets, and a list of them. */
export function redactExchange(
  exchange: Exchange,
  found: Found = () => {},
): { exchange: Exchange; leftOut: LeftOut[] } {
  const list: LeftOut[] = [];
  const leftOut: Found = (one, secret) => {
    list.push(one);
    found(one, secret);
  };
  const { request, response, sent, received } = exchange;
  const redacted: Exchange = {
    ...exchange,
    request: redactRequest(request, leftOut),
    response: response && redactResponse(response, leftOut),
    sent: sent && redactRequest(sent, leftOut),
    received: received && redactResponse(received, leftOut),
    // Secrets in messages can't be recognized.
    messageEdits: null,
  };
  return { exchange: redacted, leftOut: list };
}

function redactRequest(request: RequestMessage, leftOut: Found): RequestMessage {
  const noteQuery: Note = (name, secret) => leftOut({ place: 'query', name }, secret);
  return {
    ...request,
    path: redactQuery(request.path, noteQuery),
    headers: redactHeaders(request.headers, 'request header', leftOut),
    trailers: redactHeaders(request.trailers, 'request header', leftOut),
  };
}

function redactResponse(response: ResponseMessage, leftOut: Found): ResponseMessage {
  return {
    ...response,
    headers: redactHeaders(response.headers, 'response header', leftOut),
    trailers: redactHeaders(response.trailers, 'response header', leftOut),
    informational: response.informational.map((message) => ({
      ...message,
      headers: redactHeaders(message.headers, 'response header', leftOut),
    })),
  };
}

function redactHeaders(headers: RawHeaders, place: LeftOut['place'], leftOut: Found): RawHeaders {
  return headers.map((value, index) => {
    if (index % 2 === 0) return value;
    const name = (headers[index - 1] ?? '').toLowerCase();
    if (name === 'cookie')
      return value
        .split(';')
        .map((pair) => cookiePair(pair, leftOut))
        .join(';');
    if (name === 'set-cookie') return value.replace(/^[^;]*/, (pair) => cookiePair(pair, leftOut));
    if (ADDRESSES.has(name))
      return redactQuery(value, (field, secret) => leftOut({ place: 'query', name: field }, secret));
    if (!isSecretHeader(name)) return value;
    // The scheme (`Bearer`, `Basic`) is not a secret, and shows what was removed.
    const scheme = /^(authorization|proxy-authorization)$/.test(name) ? /^[a-z0-9-]+ (?=\S)/i.exec(value)?.[0] : '';
    leftOut({ place, name: headers[index - 1] ?? '' }, value.slice(scheme?.length ?? 0));
    return `${scheme ?? ''}${REDACTED}`;
  });
}

/** Headers that hold a URL, which may have a query, a fragment and a password. */
const ADDRESSES = new Set(['referer', 'location', 'content-location', 'refresh', 'link', ':path']);

function cookiePair(pair: string, leftOut: Found): string {
  const equals = pair.indexOf('=');
  if (equals < 0) return pair;
  leftOut({ place: 'cookie', name: pair.slice(0, equals).trim() }, pair.slice(equals + 1));
  return `${pair.slice(0, equals)}=${REDACTED}`;
}

/** A path or a URL without its password and the values of its secret parameters, including those after a `#`. */
export function redactQuery(address: string, note: Note = () => {}): string {
  const mark = address.search(/[?#]/);
  if (mark < 0) return redactPassword(address, note);
  return redactPassword(address.slice(0, mark + 1), note) + redactPairs(address.slice(mark + 1), note);
}

/** `user:password@` before the host (RFC 3986, section 3.2.1). */
function redactPassword(address: string, note: Note): string {
  return address.replace(/(\/\/[^/:@\s]*:)([^/@\s]+)(?=@)/, (_whole, user: string, password: string) => {
    note('password in the URL', password);
    return user + REDACTED;
  });
}

/** Splits instead of matching: a pattern for pairs takes quadratic time on a long text without pairs. */
function redactPairs(pairs: string, note: Note): string {
  return pairs
    .split(/([&#?])/)
    .map((pair) => {
      const equals = pair.indexOf('=');
      const name = plain(pair.slice(0, Math.max(equals, 0)));
      if (equals < 0 || equals === pair.length - 1 || !isSecretField(name)) return pair;
      note(name, pair.slice(equals + 1));
      return `${pair.slice(0, equals)}=${REDACTED}`;
    })
    .join('');
}

/**
 * Types that may carry JSON too: `fetch` and `sendBeacon` label a text `text/plain`, many clients send no type, and the
 * data of server-sent events is mostly JSON.
 */
const LOOSE = /^$|^text\/(?:plain|event-stream)$/;
const LIKE_JSON = /^\s*[{[]|^data: ?[{[]/m;

/** Whether a body of this type may have names that reveal secrets. */
export function hasNamedValues(mediaType: string): boolean {
  return /[/+]json$|ndjson$|x-www-form-urlencoded$|^multipart\/form-data$/.test(mediaType) || LOOSE.test(mediaType);
}

/**
 * A body's text without the values of secret fields, for urlencoded forms, multipart forms and JSON, which may travel
 * as plain text. Others stay unchanged.
 */
export function redactBody(text: string, mediaType: string, note: Note = () => {}): string {
  if (mediaType === 'application/x-www-form-urlencoded') return redactPairs(text, note);
  if (mediaType === 'multipart/form-data') return redactMultipart(text, note);
  const isJson = /[/+]json$|ndjson$/.test(mediaType) || (LOOSE.test(mediaType) && LIKE_JSON.test(text));
  return isJson ? redactJson(text, note) : text;
}

/** A JSON string, complete or truncated, with the colon that follows it if it is a member's name. */
const JSON_STRING =
  /"([^"\\]*(?:\\[\s\S]?[^"\\]*)*)(?:"(?:(\s*:\s*)("[^"\\]*(?:\\[\s\S]?[^"\\]*)*(?:"|$)|-?\d[\d.eE+-]*))?|$)/g;

/**
 * Works on the text, not on parsed values: everything else stays byte for byte, and an invalid document is redacted
 * too. Each match covers a whole string, because a match that begins inside a string would make this quadratic.
 */
function redactJson(text: string, note: Note): string {
  const parts: string[] = [];
  let from = 0;
  JSON_STRING.lastIndex = 0;
  // One match at a time: `replace` keeps all of them, gigabytes for a document of 64 MB.
  for (let match = JSON_STRING.exec(text); match !== null; match = JSON_STRING.exec(text)) {
    const [whole, name = '', colon, value = ''] = match;
    if (colon === undefined || !isSecretMember(name)) continue;
    note(name, value.replace(/^"|"$/g, ''));
    parts.push(text.slice(from, match.index), `"${name}"${colon}"${REDACTED}"`);
    from = match.index + whole.length;
  }
  return from === 0 ? text : parts.join('') + text.slice(from);
}

function redactMultipart(text: string, note: Note): string {
  const part =
    /(content-disposition:[^\r\n]*;\s*name="([^"]*)"[^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n)([\s\S]*?)(?=\r\n--|$)/gi;
  return text.replace(part, (whole, head: string, name: string, value: string) => {
    if (!isSecretField(name)) return whole;
    note(name, value);
    return `${head}${REDACTED}`;
  });
}

function plain(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
