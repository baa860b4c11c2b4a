import { redactQuery } from '../../shared/format/redact/redaction.ts';
import type { ConnectionInfo } from '../../shared/model/connection.ts';
import type { Attempt, Exchange } from '../../shared/model/exchange.ts';
import { type AttributeValue, preparedAttributes, SPAN, SPAN_KIND, writeAttribute } from './otlp-messages.ts';
import { ProtobufWriter } from './protobuf-writer.ts';
import { knownMethod, nameOfMethod } from './request-method.ts';

const VERSIONS: Record<string, string> = { 'HTTP/1.0': '1.0', 'HTTP/1.1': '1.1', 'HTTP/2.0': '2', 'HTTP/3.0': '3' };

/**
 * Kinds of attempts with prepared fields: one for each template, host, method and status. Beyond that they are created
 * for each attempt.
 */
const MOST_KINDS = 2000;

/** Whether upstream's response, or its absence, is an error of the client span (4xx and 5xx are). */
export function errorTypeOf(attempt: Attempt, status: number): string | null {
  if (attempt.failure !== null) return attempt.failure.code;
  return status >= 400 ? String(status) : null;
}

/** The status of an attempt: all but the last have no response. 0: none. */
export function statusOf({ attempts, response }: Exchange, index: number): number {
  return index === attempts.length - 1 ? (response?.status ?? 0) : 0;
}

/** `[::1]:443` -> `::1` and 443. */
function peerOf({ remoteAddress }: ConnectionInfo): Record<string, AttributeValue> {
  const [, host, port] = /^\[?(.*?)\]?:(\d+)$/.exec(remoteAddress ?? '') ?? [];
  if (host === undefined) return {};
  return { 'network.peer.address': host, 'network.peer.port': Number(port) };
}

function kindFields(exchange: Exchange, template: string, status: number, error: string | null): Uint8Array {
  const { request } = exchange;
  const method = knownMethod(request.method);
  const writer = new ProtobufWriter();
  writer.text(SPAN.name, `${nameOfMethod(request.method)} ${template}`);
  writer.integer(SPAN.kind, SPAN_KIND.client);
  writer.prepared(
    preparedAttributes(SPAN.attributes, {
      'http.request.method': method,
      'http.request.method_original': method === request.method ? null : request.method,
      'server.address': request.host,
      'server.port': request.port,
      'url.template': template,
      'http.response.status_code': status === 0 ? null : status,
      'error.type': error,
      'network.protocol.name': 'http',
      'network.protocol.version': VERSIONS[request.httpVersion] ?? null,
    }),
  );
  return writer.take();
}

/**
 * Names and attributes of attempts, by the HTTP conventions for client spans (semantic conventions 1.44, stable).
 * Signatures and other secrets in the address are replaced.
 */
export class AttemptAttributes {
  readonly #kinds = new Map<string, Uint8Array>();
  readonly #peers = new WeakMap<ConnectionInfo, Uint8Array>();

  /** `template`: of the request's path. */
  write(writer: ProtobufWriter, exchange: Exchange, index: number, template: string): void {
    const { request, attempts, timings } = exchange;
    const attempt = attempts[index];
    if (attempt === undefined) return;
    writer.prepared(this.#kindOf(exchange, attempt, index, template));
    if (attempt.connection !== null) writer.prepared(this.#peerOf(attempt.connection));
    const note = (key: string, value: AttributeValue) => writeAttribute(writer, SPAN.attributes, key, value);
    note('url.full', `${request.scheme}://${request.authority}${redactQuery(request.path)}`);
    if (index > 0) note('http.request.resend_count', index);
    note('roundtrip.exchange.id', exchange.id);
    const { overheadRequest, overheadResponse } = timings;
    note('roundtrip.overhead_ms', { double: Math.max(overheadRequest, 0) + Math.max(overheadResponse, 0) });
    if (attempt.retryReason !== null) note('roundtrip.retry_reason', attempt.retryReason);
  }

  #kindOf(exchange: Exchange, attempt: Attempt, index: number, template: string): Uint8Array {
    const { method, host, port, httpVersion } = exchange.request;
    const status = statusOf(exchange, index);
    const error = exchange.state === 'aborted' ? null : errorTypeOf(attempt, status);
    const key = `${method} ${host} ${port} ${httpVersion} ${status} ${error} ${template}`;
    const known = this.#kinds.get(key);
    if (known !== undefined) return known;
    if (this.#kinds.size >= MOST_KINDS) this.#kinds.clear();
    const made = kindFields(exchange, template, status, error);
    this.#kinds.set(key, made);
    return made;
  }

  #peerOf(connection: ConnectionInfo): Uint8Array {
    const known = this.#peers.get(connection);
    if (known !== undefined) return known;
    const made = preparedAttributes(SPAN.attributes, peerOf(connection));
    this.#peers.set(connection, made);
    return made;
  }
}
