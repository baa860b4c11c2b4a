import { firstHeader, type RawHeaders } from '../../../../shared/model/headers.ts';
import type { ChangeRequest } from '../../../../shared/model/rule/actions.ts';
import { describe } from '../../../failures/errors.ts';
import { parseAuthority } from '../../http/h1-request.ts';
import { requestHeadBytes } from '../../http/header-rules.ts';
import { CHUNKED_FRAMING, type RequestHead, STREAM_FRAMING } from '../../http/message.ts';
import { changeFields, fieldsProblem, haveSameFields, withField, withoutFields } from '../fields.ts';
import { replaced } from '../replacements.ts';
import { percentEncoded, requestTarget, TARGET_LIMIT } from '../request-target.ts';

/** Path and query after the change. A `?` in `replacePath` counts. */
function changedPath(path: string, { replacePath, setQuery, removeQuery }: ChangeRequest): string {
  const target = replacePath ? requestTarget(replaced(path, replacePath, TARGET_LIMIT), path) : path;
  if (!setQuery && !removeQuery) return target;
  const at = target.indexOf('?');
  const dropped = new Set([...(removeQuery ?? []), ...(setQuery ?? []).map(([name]) => name)]);
  // Parameters that stay keep their bytes: URLSearchParams would encode them again.
  const kept = (at < 0 ? '' : target.slice(at + 1))
    .split('&')
    .filter((pair) => pair !== '' && !dropped.has(nameOf(pair)));
  const set = (setQuery ?? []).map(([name, value]) => `${percentEncoded(name)}=${percentEncoded(value)}`);
  const query = [...kept, ...set].join('&');
  return (at < 0 ? target : target.slice(0, at)) + (query === '' ? '' : `?${query}`);
}

function nameOf(pair: string): string {
  const [name = ''] = pair.split('=', 1);
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return name;
  }
}

function withPseudo(headers: RawHeaders, changes: Record<string, string>): RawHeaders {
  return headers.map((value, index) => {
    const name = headers[index - 1] ?? '';
    return index % 2 === 1 && name.startsWith(':') ? (changes[name] ?? value) : value;
  });
}

/** A head that differs from the client's, in the client's protocol: for HTTP/1.1 with bytes to send. */
export function changedHead(head: RequestHead, changes: Partial<RequestHead>): RequestHead {
  const changed = { ...head, ...changes };
  if (head.version === 'HTTP/2.0') {
    const { method, path, authority, scheme } = changed;
    const fields = { ':method': method, ':path': path, ':authority': authority, ':scheme': scheme };
    return { ...changed, headers: withPseudo(changed.headers, fields) };
  }
  return { ...changed, wire: requestHeadBytes(changed) };
}

/**
 * Fields after a change, with the authority if Host changed. HTTP/2 has both names, and a server rejects two that
 * differ (RFC 9113, section 8.3.1). The connection stays.
 */
export function withNamedHost(head: RequestHead, headers: RawHeaders): Pick<RequestHead, 'headers' | 'authority'> {
  const [before, host] = [firstHeader(head.headers, 'host'), firstHeader(headers, 'host')];
  const { authority } = head;
  if (host === undefined || host === before || !parseAuthority(host, head.port)) return { headers, authority };
  const isNew = head.version === 'HTTP/2.0' && before === undefined;
  return { headers: isNew ? withoutFields(headers, (name) => /^host$/i.test(name)) : headers, authority: host };
}

/** Methods whose responses have special framing (RFC 9112, section 6.3): the client reads by its own method. */
const FRAMES_RESPONSE = /^(HEAD|CONNECT)$/;

/** Why a request keeps its method, as a sentence without its full stop; null if it changes. */
export function methodProblem(from: string, to: string): string | null {
  const special = [from, to].find((method) => FRAMES_RESPONSE.test(method));
  if (from === to || special === undefined) return null;
  return `the method is unchanged: a response to ${special} ends differently from others`;
}

/**
 * A request's head after a change. `problem`: what does not apply, as a sentence without its full stop; null:
 * everything applies.
 */
export interface ChangedRequest {
  head: RequestHead;
  problem: string | null;
}

/** Everything but the body. A regular expression that takes too long leaves the head unchanged. */
export function changeRequestHead(head: RequestHead, change: ChangeRequest): ChangedRequest {
  try {
    return changedBy(head, change);
  } catch (error) {
    return { head, problem: `the head is unchanged: ${describe(error)}` };
  }
}

function changedBy(head: RequestHead, change: ChangeRequest): ChangedRequest {
  const isHttp2 = head.version === 'HTTP/2.0';
  const method = change.method ?? head.method;
  const refusal = methodProblem(head.method, method);
  const changed = {
    method: refusal === null ? method : head.method,
    path: changedPath(head.path, change),
    ...withNamedHost(head, changeFields(head.headers, change, isHttp2)),
  };
  const isSame =
    changed.method === head.method &&
    changed.path === head.path &&
    changed.authority === head.authority &&
    haveSameFields(changed.headers, head.headers);
  // The client's own bytes: spaces around a value, for example, are not in the fields.
  return { head: isSame ? head : changedHead(head, changed), problem: refusal ?? fieldsProblem(change, isHttp2) };
}

/** A WebSocket request without extensions: a compressed message can't be read or changed separately (RFC 7692). */
export function withReadableMessages(head: RequestHead): RequestHead {
  const headers = withoutFields(head.headers, (name) => /^sec-websocket-extensions$/i.test(name));
  return headers.length === head.headers.length ? head : changedHead(head, { headers });
}

/**
 * The head for an edited body with trailers, which has no Content-Length: HTTP/1.1 sends trailers after chunks only.
 */
export function withTrailingBody(head: RequestHead): RequestHead {
  const headers = withoutFields(head.headers, (name) => /^(content-length|expect)$/i.test(name));
  return changedHead(head, { headers, framing: head.version === 'HTTP/2.0' ? STREAM_FRAMING : CHUNKED_FRAMING });
}

/** The head for an edited body of `length` bytes, which is sent with a Content-Length. */
export function withBodyLength(head: RequestHead, length: number): RequestHead {
  const isFraming = (name: string) => /^(content-length|transfer-encoding|expect|trailer)$/i.test(name);
  const without = withoutFields(head.headers, isFraming);
  const isBare = length === 0 && head.framing.kind === 'none';
  const headers = isBare ? without : withField(without, nameOfLength(head), String(length));
  return changedHead(head, { headers, framing: length === 0 ? { kind: 'none' } : { kind: 'length', length } });
}

function nameOfLength({ version }: RequestHead): string {
  return version === 'HTTP/2.0' ? 'content-length' : 'Content-Length';
}
