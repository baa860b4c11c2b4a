import { pathTemplate } from '../format/path-template.ts';
import { remembered } from '../format/remembered.ts';
import { resourceTypeBy } from '../format/resource-type.ts';
import type { ConnectionInfo } from '../model/connection.ts';
import type { Exchange } from '../model/exchange.ts';
import { type ExchangeSummary, summaryNow } from '../model/exchange-summary.ts';
import { mediaTypeOf } from '../model/headers.ts';
import { type Fact, SLOW_RESPONSE } from './fact.ts';
import { type FactDetail, factDetail, type MessageDetail } from './fact-detail.ts';
import { sharedKind } from './fact-kind.ts';
import { RecordedFact } from './recorded-fact.ts';
import { copyOf, shared } from './shared-text.ts';
import { hashOf, identityOf } from './text-hash.ts';

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
  return new RecordedFact(kindOf(row, detail, upstream), {
    id: row.id,
    start: row.startedAt,
    end: row.startedAt + Math.max(row.total, 0),
    path: row.path,
    template: shared(pathTemplate(row.path)),
    timings: row.timings,
    client: row.clientConnection,
    upstream: upstream === null ? 0 : row.upstreamConnection,
    upstreamEnd: upstream?.end ?? null,
    requestSize: Math.max(row.requestSize, 0),
    responseSize: Math.max(row.responseSize, 0),
    requestHead: request.head,
    responseHead: response?.head ?? 0,
    identity: identityOf(own.authorization, own.cookie, requestFields.accept, requestFields.range),
    cookieSize: own.cookie?.length ?? 0,
    etag: said.etag === undefined ? 0 : hashOf(said.etag),
    serverTiming: row.timings.wait >= SLOW_RESPONSE ? copyOf(said['server-timing'] ?? '') : '',
    request: requestFields,
    response: responseFields,
    measure: null,
  });
}

function kindOf(row: ExchangeSummary, { host, request, response, retries }: FactDetail, upstream: Upstream | null) {
  const authority = shared(row.authority);
  const mediaType = mediaTypeIn(response?.fields['content-type'] ?? '');
  return sharedKind({
    kind: row.kind,
    state: row.state,
    isTimed: row.total >= 0,
    method: row.method,
    scheme: row.scheme,
    authority,
    host: host === authority ? authority : shared(host),
    origin: originOf(row.scheme, authority),
    status: row.status,
    mediaType,
    resource: resourceTypeBy(row.kind, row.method, request.fields, mediaType),
    clientProtocol: row.protocol,
    upstreamProtocol: upstream?.protocol ?? null,
    tls: upstream?.tls ?? null,
    isWhole: response?.isWhole ?? false,
    trailers: response?.trailers ?? 0,
    isSized: response?.isSized ?? false,
    attempts: row.attempts,
    retries,
    isFromCache: Number(response?.own.age ?? 0) > 0,
  });
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
