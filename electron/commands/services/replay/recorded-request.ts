import { formatBytes } from '../../../../shared/format/sizes.ts';
import type { Exchange } from '../../../../shared/model/exchange.ts';
import { firstHeader, headerPairs, type RawHeaders } from '../../../../shared/model/headers.ts';
import type { ReplayRequest } from '../../../../shared/model/replay/replay-request.ts';
import type { TlsInfo } from '../../../../shared/model/tls-info.ts';
import { roundtripError } from '../../../failures/errors.ts';

const OTHER_KINDS = {
  upgrade: 'a WebSocket or another protocol',
  tunnel: 'a tunnel',
  connection: 'a connection without a request',
};

function versionOf(text: string): ReplayRequest['version'] {
  return text === 'HTTP/2.0' || text === 'HTTP/1.0' ? text : 'HTTP/1.1';
}

/**
 * Fields that other programs' recordings list with HTTP/2 requests, and that HTTP/2 does not allow (RFC 9113, 8.2.2).
 */
const NOT_IN_HTTP2 = new Set(['host', 'connection', 'proxy-connection', 'keep-alive', 'transfer-encoding', 'upgrade']);

/** The recorded fields. Another program's HAR may lack those that name the request's target. */
function completeFields({ method, scheme, authority, path, httpVersion, headers }: Exchange['request']): RawHeaders {
  if (httpVersion !== 'HTTP/2.0') {
    const named = httpVersion === 'HTTP/1.0' || firstHeader(headers, 'host') !== undefined;
    return named ? headers : ['Host', authority, ...headers];
  }
  if (headers[0]?.startsWith(':')) return headers;
  const kept = headerPairs(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const fields = kept.filter(([name]) => !NOT_IN_HTTP2.has(name)).flat();
  return [':method', method, ':authority', authority, ':scheme', scheme, ':path', path, ...fields];
}

/** Only the protocol of the request: upstream's choice of another one would change its bytes. */
function alpnOf(version: string, tls: TlsInfo | null): string[] {
  if (version === 'HTTP/2.0') return ['h2'];
  return tls === null || tls.alpn !== null ? ['http/1.1'] : [];
}

/** Throws `replay.body-not-kept` or `replay.body-cut-short`: a request is sent completely or not at all. */
export function checkBodyKept({ id, request: { body } }: Exchange): void {
  if (!body.complete) throw roundtripError('replay.body-cut-short', { id });
  if (body.stored === body.size) return;
  throw roundtripError('replay.body-not-kept', { id, size: formatBytes(body.size), kept: formatBytes(body.stored) });
}

/**
 * The request of a recorded exchange, to be sent as it was. `session`: the exchange's. Throws `replay.not-a-request`,
 * `replay.body-not-kept` or `replay.body-cut-short`.
 */
export function recordedRequest(exchange: Exchange, session: string): ReplayRequest {
  const { id, kind, request, client, upstream } = exchange;
  if (kind !== 'http') throw roundtripError('replay.not-a-request', { id, what: OTHER_KINDS[kind] });
  checkBodyKept(exchange);
  const { method, scheme, host, port, authority, path, trailers } = request;
  const tls = client.tls ?? upstream?.tls ?? null;
  return {
    ...{ method, scheme, host, port, authority, path, trailers },
    headers: completeFields(request),
    version: versionOf(request.httpVersion),
    serverName: tls?.serverName ?? host,
    alpn: alpnOf(request.httpVersion, tls),
    rules: true,
    route: 'configured',
    replayOf: { session, exchange: id },
  };
}
