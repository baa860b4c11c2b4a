import { STATUS_CODES } from 'node:http';
import type { RawHeaders } from '../../../../shared/model/headers.ts';
import type { ChangeResponse } from '../../../../shared/model/rule/actions.ts';
import { responseHeadBytes } from '../../http/header-rules.ts';
import {
  CHUNKED_FRAMING,
  CLOSE_FRAMING,
  type RequestHead,
  type ResponseHead,
  STREAM_FRAMING,
} from '../../http/message.ts';
import { allowingCors } from '../cors.ts';
import { changeFields, fieldsProblem, haveSameFields, withField, withoutFields } from '../fields.ts';

/** A head that differs from upstream's, in upstream's protocol: for HTTP/1.1 with bytes to send. */
export function changedResponse(head: ResponseHead, changes: Partial<ResponseHead>): ResponseHead {
  const changed = { ...head, ...changes };
  if (head.version === 'HTTP/2.0') {
    const headers: RawHeaders = [':status', String(changed.status), ...changed.headers.slice(2)];
    return { ...changed, headers };
  }
  return { ...changed, wire: responseHeadBytes(changed) };
}

/**
 * Everything but the body. `request`: the client's. `problem`: what does not apply, as a sentence without its full
 * stop; null: everything applies.
 */
export function changeResponseHead(
  head: ResponseHead,
  change: ChangeResponse,
  request: RequestHead,
): { head: ResponseHead; problem: string | null } {
  const isHttp2 = head.version === 'HTTP/2.0';
  const asked = {
    ...head,
    status: change.status ?? head.status,
    headers: changeFields(head.headers, change, isHttp2),
  };
  const { status, headers } = change.cors ? allowingCors(asked, request) : asked;
  // Upstream's own bytes: spaces around a value, for example, are not in the fields.
  if (status === head.status && haveSameFields(headers, head.headers))
    return { head, problem: fieldsProblem(change, isHttp2) };
  const statusText = status === head.status ? head.statusText : (STATUS_CODES[status] ?? '');
  const changed = changedResponse(head, { status, statusText, headers });
  return { head: changed, problem: fieldsProblem(change, isHttp2) };
}

/** The head of a stream whose messages change as they pass: its length is not known. */
export function withStreamFraming(head: ResponseHead): ResponseHead {
  if (head.framing.kind !== 'length') return head;
  const headers = withoutFields(head.headers, (name) => /^content-length$/i.test(name));
  if (head.version === 'HTTP/2.0') return changedResponse(head, { headers, framing: STREAM_FRAMING });
  if (head.version === 'HTTP/1.0') return changedResponse(head, { headers, framing: CLOSE_FRAMING });
  const chunked = [...headers, 'Transfer-Encoding', 'chunked'];
  return changedResponse(head, { headers: chunked, framing: CHUNKED_FRAMING });
}

/** The head of a response that lost its body, with its new status. */
export function withoutBody(head: ResponseHead): ResponseHead {
  const headers = withoutFields(head.headers, (name) => /^(content-length|transfer-encoding|trailer)$/i.test(name));
  return changedResponse(head, { headers, framing: { kind: 'none' } });
}

/** The head with a Content-Length that may be wrong. The connection of HTTP/1.1 ends with the response. */
export function withWrongLength(head: ResponseHead, length: number): ResponseHead {
  const bare = withoutFields(head.headers, (name) => /^(content-length|transfer-encoding|trailer)$/i.test(name));
  const name = head.version === 'HTTP/2.0' ? 'content-length' : 'Content-Length';
  return changedResponse(head, { headers: [...bare, name, String(length)], keepAlive: false });
}

const isDigest = (name: string) => /^(content-md5|digest|content-digest|repr-digest)$/i.test(name);

/** The head for an edited body with trailers: without a length, which HTTP/1.1 can't combine with them. */
export function withTrailingResponse(head: ResponseHead): ResponseHead {
  const headers = withoutFields(head.headers, (name) => /^content-length$/i.test(name) || isDigest(name));
  return changedResponse(head, { headers, framing: head.version === 'HTTP/2.0' ? STREAM_FRAMING : CHUNKED_FRAMING });
}

/** The head for an edited body of `length` bytes. Validators of the old body are removed: they would be wrong. */
export function withResponseLength(head: ResponseHead, length: number): ResponseHead {
  const isFraming = (name: string) => /^(content-length|transfer-encoding|trailer)$/i.test(name) || isDigest(name);
  const name = head.version === 'HTTP/2.0' ? 'content-length' : 'Content-Length';
  const headers = withField(withoutFields(head.headers, isFraming), name, String(length));
  return changedResponse(head, { headers, framing: length === 0 ? { kind: 'none' } : { kind: 'length', length } });
}
