import { pathTemplate } from '../format/path-template.ts';
import { remembered } from '../format/remembered.ts';
import { resourceTypeBy } from '../format/resource-type.ts';
import type { ConnectionInfo, Protocol } from '../model/connection.ts';
import type { Exchange } from '../model/exchange.ts';
import { type ExchangeSummary, summaryNow } from '../model/exchange-summary.ts';
import { mediaTypeOf } from '../model/headers.ts';
import type { ConnectionEnd } from '../model/insight/connection-end.ts';
import type { TlsInfo } from '../model/tls-info.ts';
import { type FactDetail, factDetail, type MessageDetail } from './fact-detail.ts';
import type { FactFields } from './fact-fields.ts';
import { type FactTimings, factTimings } from './fact-timings.ts';
import { isSpeculative } from './navigation.ts';
import { copyOf, shared } from './shared-text.ts';

/** What only the bodies show; measured by the thread that can read them. Bytes. */
export interface BodyMeasure {
  /** Size of the response's body without codings; null if it can't be decoded. */
  decoded: number | null;
  /** Its size after gzip at level 6, extrapolated if only its beginning was compressed; null if not measured. */
  gzip: number | null;
  /** Uncompressed text messages of a WebSocket: their number and size. */
  plainMessages: number;
  plainMessageBytes: number;
}

/** What the rules use of an exchange: a fraction of its memory, read once. */
export interface Fact {
  id: number;
  kind: Exchange['kind'];
  state: Exchange['state'];
  /** Milliseconds since the Unix epoch. `end` is `start` if it is not timed. */
  start: number;
  end: number;
  /** False for an imported exchange whose file has no times: how long it took is unknown. */
  isTimed: boolean;
  method: string;
  scheme: 'http' | 'https';
  authority: string;
  host: string;
  /** `https://api.test:8443` */
  origin: string;
  path: string;
  /** The path with `{id}` in place of ids (shared/format/path-template.ts). */
  template: string;
  status: number;
  mediaType: string;
  /** HAR's `_resourceType`. */
  resource: string;
  timings: FactTimings;
  /** Connection ids. `upstream`: 0 for none. */
  client: number;
  upstream: number;
  clientProtocol: Protocol;
  upstreamProtocol: Protocol | null;
  tls: TlsInfo | null;
  /** How the connection upstream ended; null while it is open, or if that was not recorded. */
  upstreamEnd: ConnectionEnd | null;
  /** Payload bytes on the wire; 0 where unknown. */
  requestSize: number;
  responseSize: number;
  requestHead: number;
  responseHead: number;
  isWhole: boolean;
  /** Trailer fields of the response. */
  trailers: number;
  /** Those came with a Content-Length. False if there are none. */
  isSized: boolean;
  attempts: number;
  /** The reasons of its retries, in order. */
  retries: readonly string[];
  /** Cookies, authorization and requested representation, hashed: equal for requests that may share a response. */
  identity: number;
  cookieSize: number;
  /** A hash of the response's ETag; 0 without one. */
  etag: number;
  /** A shared cache responded (Age, RFC 9111, section 5.1). */
  isFromCache: boolean;
  /** For a response that took `SLOW_RESPONSE` or longer to begin; empty for all others. */
  serverTiming: string;
  request: FactFields;
  response: FactFields;
  measure: BodyMeasure | null;
}

/** Milliseconds to the first byte from which Server-Timing is kept. Lighthouse's limit. */
export const SLOW_RESPONSE = 600;

const NO_RESPONSE: Pick<MessageDetail, 'fields' | 'own'> = { fields: {}, own: {} };

export function factOf(exchange: Exchange): Fact {
  return factFrom(summaryNow(exchange), factDetail(exchange), exchange.upstream);
}

type Upstream = Pick<ConnectionInfo, 'protocol' | 'tls' | 'end'>;

/** `row`: of the list. `upstream`: the connection that it names, or null. */
export function factFrom(row: ExchangeSummary, detail: FactDetail, upstream: Upstream | null): Fact {
  const { request, response } = detail;
  const { fields: requestFields, own } = request;
  const { fields: responseFields, own: said } = response ?? NO_RESPONSE;
  const authority = shared(row.authority);
  const mediaType = mediaTypeIn(responseFields['content-type'] ?? '');
  return {
    id: row.id,
    kind: row.kind,
    state: row.state,
    start: row.startedAt,
    end: row.startedAt + Math.max(row.total, 0),
    isTimed: row.total >= 0,
    method: row.method,
    scheme: row.scheme,
    authority,
    host: detail.host === authority ? authority : shared(detail.host),
    origin: originOf(row.scheme, authority),
    path: row.path,
    template: shared(pathTemplate(row.path)),
    status: row.status,
    mediaType,
    resource: resourceTypeBy(row.kind, row.method, requestFields, mediaType),
    timings: factTimings(row.timings),
    client: row.clientConnection,
    upstream: upstream === null ? 0 : row.upstreamConnection,
    clientProtocol: row.protocol,
    upstreamProtocol: upstream?.protocol ?? null,
    tls: upstream?.tls ?? null,
    upstreamEnd: upstream?.end ?? null,
    requestSize: Math.max(row.requestSize, 0),
    responseSize: Math.max(row.responseSize, 0),
    requestHead: request.head,
    responseHead: response?.head ?? 0,
    isWhole: response?.isWhole ?? false,
    trailers: response?.trailers ?? 0,
    isSized: response?.isSized ?? false,
    attempts: row.attempts,
    retries: detail.retries,
    identity: identityOf(own.authorization, own.cookie, requestFields.accept, requestFields.range),
    cookieSize: own.cookie?.length ?? 0,
    etag: said.etag === undefined ? 0 : hashOf(said.etag),
    isFromCache: Number(said.age ?? 0) > 0,
    serverTiming: row.timings.wait >= SLOW_RESPONSE ? copyOf(said['server-timing'] ?? '') : '',
    request: requestFields,
    response: responseFields,
    measure: null,
  };
}

const mediaTypeIn = remembered(mediaTypeOf);

const MOST_ORIGINS = 5000;
const origins = { http: new Map<string, string>(), https: new Map<string, string>() };

/** Created once for each authority: an origin is a key of many maps. */
function originOf(scheme: 'http' | 'https', authority: string): string {
  const known = origins[scheme].get(authority);
  if (known !== undefined) return known;
  const origin = shared(`${scheme}://${authority}`);
  if (origins[scheme].size >= MOST_ORIGINS) origins[scheme].clear();
  origins[scheme].set(authority, origin);
  return origin;
}

/** Ends each text of a hash: without it, "ab", "c" would equal "a", "bc". */
const END = 10;

/** FNV-1a, 32 bits. Kept in place of secrets, which findings do not need. */
function hashOf(...texts: readonly (string | undefined)[]): number {
  let value = 0x811c9dc5;
  for (const text of texts) {
    const length = text?.length ?? 0;
    for (let at = 0; text && at < length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
    value = Math.imul(value ^ END, 0x01000193);
  }
  return value >>> 0;
}

let last = { authorization: '', cookie: '', accept: '', range: '', identity: -1 };

/** A client repeats its long cookies: most hashes are that of the request before. */
function identityOf(authorization = '', cookie = '', accept = '', range = ''): number {
  const same = cookie === last.cookie && accept === last.accept && authorization === last.authorization;
  if (!same || range !== last.range || last.identity < 0)
    last = { authorization, cookie, accept, range, identity: hashOf(authorization, cookie, accept, range) };
  return last.identity;
}

/** Milliseconds from its start to its end. */
export function durationOf({ start, end }: Fact): number {
  return end - start;
}

const ASSETS = new Set(['script', 'stylesheet', 'image', 'font', 'media', 'texttrack', 'manifest']);

/** Part of a page's presentation, unlike documents and data. */
export function isAsset({ resource }: Fact): boolean {
  return ASSETS.has(resource);
}

/** Data that a program requested: not a document, asset, preflight, stream or socket. */
export function isData(fact: Fact): boolean {
  return fact.kind === 'http' && (fact.resource === 'fetch' || fact.resource === 'xhr' || fact.resource === 'other');
}

export function isPrefetch({ request }: Fact): boolean {
  return isSpeculative(request);
}

const isLocalHost = remembered((host) => /^(?:localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(host));

export function isLocal({ host }: Fact): boolean {
  return isLocalHost(host);
}

export function isHttp1(protocol: Protocol | null): boolean {
  return protocol === 'http/1.1' || protocol === 'http/1.0';
}
