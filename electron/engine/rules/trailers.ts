import { firstHeader, headerPairs, type RawHeaders } from '../../../shared/model/headers.ts';
import type { ChangeMessage } from '../../../shared/model/rule/actions.ts';
import {
  CHUNKED_FRAMING,
  type HttpVersion,
  type RequestHead,
  type ResponseHead,
  STREAM_FRAMING,
} from '../http/message.ts';
import { changeFields, withField, withoutFields } from './fields.ts';
import { hostPattern } from './host-pattern.ts';

type Changes = readonly ChangeMessage[];

/** The changes among them that concern the fields after the body. */
export function trailerChanges<P extends { change: ChangeMessage }>(planned: readonly P[]): P[] {
  return planned.filter(({ change: { removeTrailers, setTrailers, addTrailers } }) =>
    [removeTrailers, setTrailers, addTrailers].some((each) => each !== undefined && each.length > 0),
  );
}

/** The trailers after the changes, in the order of the rules. */
export function changedTrailers(trailers: RawHeaders, changes: Changes, isHttp2: boolean): RawHeaders {
  return changes.reduce(
    (current, { removeTrailers, setTrailers, addTrailers }) =>
      changeFields(
        current,
        {
          ...(removeTrailers && { removeHeaders: removeTrailers }),
          ...(setTrailers && { setHeaders: setTrailers }),
          ...(addTrailers && { addHeaders: addTrailers }),
        },
        isHttp2,
      ),
    trailers,
  );
}

/** Names that the changes set or add. */
function namesIn(changes: Changes): string[] {
  return changes.flatMap(({ setTrailers, addTrailers }) =>
    [...(setTrailers ?? []), ...(addTrailers ?? [])].map(([name]) => name),
  );
}

/**
 * The fields of a head whose trailers change. `Trailer` names what follows (RFC 9110, section 6.6.2): over HTTP/1.1
 * some recipients read no others. HTTP/2 clients read all, and gRPC never sends the field: it follows the changes only
 * if it was present before.
 */
function withAnnounced(headers: RawHeaders, changes: Changes, isHttp2: boolean): RawHeaders {
  const before = firstHeader(headers, 'trailer');
  if (before === undefined && isHttp2) return headers;
  const removed = changes.flatMap(({ removeTrailers }) => (removeTrailers ?? []).map(hostPattern));
  const kept = (before ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !removed.some((pattern) => pattern.test(name)));
  const names = new Map([...kept, ...namesIn(changes)].map((name) => [name.toLowerCase(), name]));
  if (names.size === 0) return withoutFields(headers, (name) => /^trailer$/i.test(name));
  return withField(headers, isHttp2 ? 'trailer' : 'Trailer', [...names.values()].join(', '));
}

/**
 * Why the trailers can't change, as a sentence without its full stop; null: they can. `versions`: of the message and of
 * the client that gets it.
 */
export function trailersProblem(versions: readonly HttpVersion[], hasBody: boolean): string | null {
  if (versions.includes('HTTP/1.0')) return 'the trailers are unchanged: HTTP/1.0 has none';
  return hasBody ? null : 'the trailers are unchanged: they follow a body, and this message has none';
}

type Framed = Pick<RequestHead | ResponseHead, 'headers' | 'framing'>;

/**
 * Fields and framing of a head whose trailers change. Adding one removes the body's length: over HTTP/1.1, trailers
 * follow only chunks (RFC 9112, section 7.1). Removing alone keeps the framing.
 */
export function withTrailersChanged(head: RequestHead | ResponseHead, changes: Changes): Framed {
  const isHttp2 = head.version === 'HTTP/2.0';
  const headers = withAnnounced(head.headers, changes, isHttp2);
  if (namesIn(changes).length === 0) return { headers, framing: head.framing };
  const bare = withoutFields(headers, (name) => /^content-length$/i.test(name));
  if (isHttp2) return { headers: bare, framing: STREAM_FRAMING };
  if (head.framing.kind === 'chunked') return { headers: bare, framing: head.framing };
  return { headers: [...bare, 'Transfer-Encoding', 'chunked'], framing: CHUNKED_FRAMING };
}

/** The trailers that stay valid for an edited body: digests of the old one do not (RFC 9530, section 2). */
export function trailersAfterEdit(trailers: RawHeaders): RawHeaders {
  const isDigest = (name: string) => /^(content-md5|digest|content-digest|repr-digest)$/i.test(name);
  return headerPairs(trailers)
    .filter(([name]) => !isDigest(name))
    .flat();
}
