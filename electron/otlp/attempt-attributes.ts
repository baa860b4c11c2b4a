import { redactQuery } from '../../shared/format/redact/redaction.ts';
import type { ConnectionInfo } from '../../shared/model/connection.ts';
import type { Attempt, Exchange } from '../../shared/model/exchange.ts';
import type { RequestMessage } from '../../shared/model/message.ts';
import { overheadTime } from '../../shared/model/timings.ts';
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

/** What went upstream: a rule may have changed the client's request. */
export function sentBy({ request, sent }: Exchange): RequestMessage {
  return sent ?? request;
}

/**
 * The status that came from upstream, before a rule changed it. Of all attempts but the last, no response was used. 0:
 * none.
 */
export function statusOf({ attempts, response, received }: Exchange, index: number): number {
  return index === attempts.length - 1 ? ((received ?? response)?.status ?? 0) : 0;
}

/** The version on the connection upstream, which differs from the client's if only one side speaks HTTP/2. */
function versionOf(connection: ConnectionInfo | null, { httpVersion }: RequestMessage): string | null {
  if (connection?.protocol === 'h2') return '2';
  if (connection?.protocol === 'http/1.1' && httpVersion === 'HTTP/2.0') return '1.1';
  return VERSIONS[httpVersion] ?? null;
}

/** `[::1]:443` -> `::1` and 443. */
function peerOf({ remoteAddress }: ConnectionInfo): Record<string, AttributeValue> {
  const [, host, port] = /^\[?(.*?)\]?:(\d+)$/.exec(remoteAddress ?? '') ?? [];
  if (host === undefined) return {};
  return { 'network.peer.address': host, 'network.peer.port': Number(port) };
}

/** What many attempts have in common. */
interface Kind {
  request: RequestMessage;
  template: string;
  status: number;
  error: string | null;
  version: string | null;
}

function kindFields({ request, template, status, error, version }: Kind): Uint8Array {
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
      'network.protocol.version': version,
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

  /** `template`: of the path that was sent. */
  write(writer: ProtobufWriter, exchange: Exchange, index: number, template: string): void {
    const { attempts, timings } = exchange;
    const request = sentBy(exchange);
    const attempt = attempts[index];
    if (attempt === undefined) return;
    writer.prepared(this.#kindOf(exchange, attempt, index, template));
    if (attempt.connection !== null) writer.prepared(this.#peerOf(attempt.connection));
    const note = (key: string, value: AttributeValue) => writeAttribute(writer, SPAN.attributes, key, value);
    note('url.full', `${request.scheme}://${request.authority}${redactQuery(request.path)}`);
    if (index > 0) note('http.request.resend_count', index);
    note('roundtrip.exchange.id', exchange.id);
    const overhead = overheadTime(timings);
    if (overhead >= 0) note('roundtrip.overhead_ms', { double: overhead });
    if (attempt.retryReason !== null) note('roundtrip.retry_reason', attempt.retryReason);
  }

  #kindOf(exchange: Exchange, attempt: Attempt, index: number, template: string): Uint8Array {
    const request = sentBy(exchange);
    const { method, host, port } = request;
    const status = statusOf(exchange, index);
    const error = exchange.state === 'aborted' ? null : errorTypeOf(attempt, status);
    const version = versionOf(attempt.connection, request);
    const key = `${method} ${host} ${port} ${version} ${status} ${error} ${template}`;
    const known = this.#kinds.get(key);
    if (known !== undefined) return known;
    if (this.#kinds.size >= MOST_KINDS) this.#kinds.clear();
    const made = kindFields({ request, template, status, error, version });
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
