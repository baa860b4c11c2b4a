import { STATUS_CODES } from 'node:http';
import { firstHeader, headerPairs, type RawHeaders } from '../../../../shared/model/headers.ts';
import type { EditedRequest, EditedResponse } from '../../../../shared/model/rule/held-message.ts';
import { roundtripError } from '../../../failures/errors.ts';
import { parseAuthority } from '../../http/h1-request.ts';
import type { RequestHead, ResponseHead } from '../../http/message.ts';
import { changedHead, methodProblem, withNamedHost } from '../actions/change-request.ts';
import { changedResponse } from '../actions/change-response.ts';
import { isNotInHttp2, withField, withFraming } from '../fields.ts';
import { requestTarget } from '../request-target.ts';

const DEFAULT_PORT = { http: 80, https: 443 };
const URL_PARTS = /^(https?):\/\/([^/?#]*)([^#]*)$/i;

/** The fields that a user edits: HTTP/2's pseudo-header fields are shown as the request line or status. */
export function shownFields(headers: RawHeaders): [string, string][] {
  return headerPairs(headers).filter(([name]) => !name.startsWith(':'));
}

export function shownUrl({ scheme, authority, path }: RequestHead): string {
  return `${scheme}://${authority}${path}`;
}

interface Place {
  scheme: 'http' | 'https';
  authority: string;
  host: string;
  port: number;
  path: string;
}

/** Throws `rules.release-refused` for a URL without a destination. */
function placeOf(url: string): Place {
  const [, scheme = '', authority = '', rest = ''] = URL_PARTS.exec(url) ?? [];
  const isSecure = scheme.toLowerCase() === 'https';
  const target = parseAuthority(authority, DEFAULT_PORT[isSecure ? 'https' : 'http']);
  if (!target) throw roundtripError('rules.release-refused', { detail: `${url} is not an http or https URL.` });
  return { scheme: isSecure ? 'https' : 'http', authority, ...target, path: requestTarget(rest) };
}

function fieldsOf(pairs: readonly (readonly [string, string])[], isHttp2: boolean): string[] {
  if (!isHttp2) return pairs.flat();
  const wrong = pairs.find(([name]) => isNotInHttp2(name));
  if (wrong) throw roundtripError('rules.release-refused', { detail: `HTTP/2 has no field ${wrong[0]}. Remove it.` });
  return pairs.flatMap(([name, value]) => [name.toLowerCase(), value]);
}

function pseudoFields(headers: RawHeaders): string[] {
  return headerPairs(headers)
    .filter(([name]) => name.startsWith(':'))
    .flat();
}

/**
 * The head of a request after editing, in its own protocol, with the framing that it had. A new host in the URL also
 * replaces the Host field, unless that was edited too. Throws `rules.release-refused`.
 */
export function editedRequest(head: RequestHead, { method, url, headers }: EditedRequest): RequestHead {
  const problem = methodProblem(head.method, method);
  if (problem !== null) throw roundtripError('rules.release-refused', { detail: `${problem}.` });
  const isHttp2 = head.version === 'HTTP/2.0';
  const fields = withFraming(fieldsOf(headers, isHttp2), head.headers);
  // The received path may not be valid in a URL.
  if (url === shownUrl(head)) {
    return changedHead(head, { method, ...withNamedHost(head, [...pseudoFields(head.headers), ...fields]) });
  }
  const place = placeOf(url);
  const isSamePlace = place.authority === head.authority && place.scheme === head.scheme;
  // A tunnel may lead to an address other than the authority's.
  const target = isSamePlace ? { ...place, host: head.host, port: head.port } : { ...place, isMapped: true };
  const isOldHost = !isSamePlace && firstHeader(fields, 'host') === head.authority;
  const named = isOldHost ? withField(fields, 'Host', place.authority) : fields;
  const edited = withNamedHost(head, [...pseudoFields(head.headers), ...named]);
  const authority = edited.authority === head.authority ? place.authority : edited.authority;
  return changedHead(head, { ...target, method, headers: edited.headers, authority });
}

/** The head of a response after editing, with the framing that it had. Throws `rules.release-refused`. */
export function editedResponse(head: ResponseHead, { status, headers }: EditedResponse): ResponseHead {
  const isHttp2 = head.version === 'HTTP/2.0';
  const fields = withFraming(fieldsOf(headers, isHttp2), head.headers);
  return changedResponse(head, {
    status,
    statusText: status === head.status ? head.statusText : (STATUS_CODES[status] ?? ''),
    headers: isHttp2 ? [':status', String(status), ...fields] : fields,
  });
}
