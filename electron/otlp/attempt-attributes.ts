import { pathTemplate } from '../../shared/format/path-template.ts';
import { redactQuery } from '../../shared/format/redaction.ts';
import type { Attempt, Exchange } from '../../shared/model/exchange.ts';
import { type AttributeValue, attributesOf, type KeyValue } from './otlp-json.ts';

/** Methods that the conventions list. Others are `_OTHER`: a scanner would make a series of each. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'CONNECT', 'TRACE', 'QUERY']);

const VERSIONS: Record<string, string> = { 'HTTP/1.0': '1.0', 'HTTP/1.1': '1.1', 'HTTP/2.0': '2', 'HTTP/3.0': '3' };

export function methodOf({ request: { method } }: Exchange): string {
  return METHODS.has(method) ? method : '_OTHER';
}

/** Whether upstream's answer, or its absence, is an error of the client span (4xx and 5xx are). */
export function errorTypeOf(attempt: Attempt, status: number): string | null {
  if (attempt.failure !== null) return attempt.failure.code;
  return status >= 400 ? String(status) : null;
}

/** `[::1]:443` -> `::1` and 443. */
function peerOf(address: string | null): Record<string, AttributeValue | null> {
  const [, host, port] = /^\[?(.*?)\]?:(\d+)$/.exec(address ?? '') ?? [];
  if (host === undefined) return {};
  return { 'network.peer.address': host, 'network.peer.port': Number(port) };
}

/** The status of an attempt: of all but the last, no response was used. 0: none. */
export function statusOf({ attempts, response }: Exchange, index: number): number {
  return index === attempts.length - 1 ? (response?.status ?? 0) : 0;
}

/**
 * An attempt by the HTTP conventions for client spans (semantic conventions 1.44, stable). Signatures and other secrets
 * in the address are replaced.
 */
export function attemptAttributes(exchange: Exchange, index: number): KeyValue[] {
  const { request, attempts, timings } = exchange;
  const attempt = attempts[index];
  if (attempt === undefined) return [];
  const status = statusOf(exchange, index);
  const method = methodOf(exchange);
  const { overheadRequest, overheadResponse } = timings;
  return attributesOf({
    'http.request.method': method,
    'http.request.method_original': method === '_OTHER' ? request.method : null,
    'server.address': request.host,
    'server.port': request.port,
    'url.full': `${request.scheme}://${request.authority}${redactQuery(request.path)}`,
    'url.template': pathTemplate(request.path),
    'http.response.status_code': status === 0 ? null : status,
    'error.type': exchange.state === 'aborted' ? null : errorTypeOf(attempt, status),
    'network.protocol.name': 'http',
    'network.protocol.version': VERSIONS[request.httpVersion] ?? null,
    'http.request.resend_count': index === 0 ? null : index,
    ...peerOf(attempt.connection?.remoteAddress ?? null),
    'roundtrip.exchange.id': exchange.id,
    'roundtrip.overhead_ms': Math.max(overheadRequest, 0) + Math.max(overheadResponse, 0),
    'roundtrip.retry_reason': attempt.retryReason,
  });
}
