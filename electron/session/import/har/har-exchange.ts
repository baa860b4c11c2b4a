import type { ConnectionInfo } from '../../../../shared/model/connection.ts';
import type { Exchange, ExchangeKind } from '../../../../shared/model/exchange.ts';
import type { Failure } from '../../../../shared/model/failure.ts';
import type { RequestMessage, ResponseMessage } from '../../../../shared/model/message.ts';
import { failure } from '../../../failures/errors.ts';
import { codingsOf } from '../../format/content-codings.ts';
import { framedMessages } from '../../format/web-socket-frames.ts';
import { eventMarks } from '../event-marks.ts';
import { httpVersionOf, protocolOf } from '../http-version.ts';
import { type ImportedExchange, PartFault } from '../imported.ts';
import { fieldsIn, momentIn, objectIn, sizeIn, statusIn, textIn } from '../loose-json.ts';
import type { Numbering } from '../numbering.ts';
import { targetOf } from '../target.ts';
import { noted } from '../user-notes.ts';
import { requestBytes, responseBytes } from './har-bodies.ts';
import { eventsIn } from './har-events-in.ts';
import { messagesIn } from './har-messages-in.ts';
import { timingsIn } from './har-timings.ts';
import { type OwnWords, ownAttempts, ownConnection, ownWordsIn } from './own-words.ts';

/**
 * An exchange from an entry of any program's HAR. Missing values are unknown: -1, null or empty. Throws `PartFault`.
 */
export function exchangeIn(entry: unknown, numbering: Numbering): ImportedExchange {
  const given = objectIn(entry);
  const words = ownWordsIn(given._roundtrip);
  const request = requestIn(given.request, words);
  const response = responseIn(given.response, request.message.method, words);
  const events = eventsIn(given._eventSourceMessages);
  // Chrome lists the events of a stream, and leaves its text out. They do not tell the size of that.
  if (events !== null && response.message !== null && response.bytes === null) {
    response.bytes = events.bytes;
    if (codingsOf(response.message.headers).length > 0) response.message.body.decoded = true;
  }
  const kind = words?.kind ?? kindOf(request.message, response.message);
  const framed = kind === 'upgrade' ? framedMessages(messagesIn(entry)) : null;
  const exchange: Exchange = {
    id: numbering.exchange(words?.id ?? null),
    revision: words?.revision ?? 1,
    kind,
    ...outcomeOf(given, response.message, words),
    startedAt: words?.startedAt ?? momentIn(given.startedDateTime),
    ...connectionsOf(given, request.message, words, numbering),
    route: words?.route ?? null,
    request: request.message,
    response: response.message,
    attempts: words === null ? [] : ownAttempts(words, numbering),
    timings: timingsIn(entry, words),
    rules: words?.rules ?? [],
    sent: words?.sent ?? null,
    received: words?.received ?? null,
    mark: words?.mark ?? null,
    messageEdits: null,
    replayOf: words?.replayOf ?? null,
  };
  const bodies = { request: request.bytes, response: response.bytes };
  const marks = framed?.marks ?? eventMarks(response.message, response.bytes, words?.eventTimes ?? events?.times);
  const userMark = words === null ? noted(textIn(given.comment)) : words.userMark;
  return { exchange, bodies: framed?.bodies ?? bodies, marks, userMark };
}

function requestIn(value: unknown, words: OwnWords | null): { message: RequestMessage; bytes: Uint8Array | null } {
  const given = objectIn(value);
  const method = textIn(given.method);
  if (method === '') throw new PartFault('It has no request.');
  const headers = fieldsIn(given.headers);
  const { bytes, info } = requestBytes(given, headers);
  const target = targetOf(textIn(given.url));
  const message: RequestMessage = {
    method,
    ...target,
    path: words?.path ?? (method === 'CONNECT' ? `${target.host}:${target.port}` : target.path),
    httpVersion: httpVersionOf(textIn(given.httpVersion)),
    headers,
    trailers: fieldsIn(given._trailers),
    headSize: sizeIn(given.headersSize),
    body: words === null ? info : { ...words.requestBody, ...(info.decoded ? { decoded: true } : {}) },
  };
  return { message, bytes };
}

function responseIn(
  value: unknown,
  method: string,
  words: OwnWords | null,
): { message: ResponseMessage | null; bytes: Uint8Array | null } {
  const given = objectIn(value);
  const status = statusIn(given.status);
  if (words === null ? status <= 0 : words.responseBody === null) return { message: null, bytes: null };
  const headers = fieldsIn(given.headers);
  const { bytes, info } = responseBytes(given, headers, method);
  const message: ResponseMessage = {
    status,
    statusText: textIn(given.statusText),
    httpVersion: httpVersionOf(textIn(given.httpVersion)),
    headers,
    trailers: fieldsIn(given._trailers),
    headSize: sizeIn(given.headersSize),
    body: { ...(words?.responseBody ?? info), ...(info.decoded ? { decoded: true } : {}) },
    informational: words?.informational ?? [],
  };
  return { message, bytes };
}

function kindOf({ method }: RequestMessage, response: ResponseMessage | null): ExchangeKind {
  if (method === 'CONNECT') return 'tunnel';
  return response?.status === 101 ? 'upgrade' : 'http';
}

function outcomeOf(
  entry: ReturnType<typeof objectIn>,
  response: ResponseMessage | null,
  words: OwnWords | null,
): Pick<Exchange, 'state' | 'failure'> {
  if (words !== null) return { state: words.state, failure: words.failure };
  const said = textIn(objectIn(entry.response)._error) || textIn(entry._error) || textIn(entry.error);
  if (said === '' && response !== null) return { state: 'complete', failure: null };
  return { state: 'failed', failure: reported(said) };
}

function reported(said: string): Failure {
  return said === '' ? failure('import.no-response', {}) : failure('import.reported-failure', { detail: said });
}

/** The client's connection is known only if the file names it; id 0 stands for an unknown one. */
function connectionsOf(
  entry: ReturnType<typeof objectIn>,
  request: RequestMessage,
  words: OwnWords | null,
  numbering: Numbering,
): { client: ConnectionInfo; upstream: ConnectionInfo | null } {
  if (words !== null) {
    const upstream = words.upstream && ownConnection(words.upstream, numbering);
    return { client: ownConnection(words.client, numbering), upstream };
  }
  const protocol = protocolOf(httpVersionOf(textIn(objectIn(entry.response).httpVersion)) || request.httpVersion);
  const blank = { protocol, localAddress: null, remoteAddress: null, tls: null, via: null };
  const key = connectionKey(entry, request);
  if (key === null) return { client: { ...blank, id: 0, reused: false }, upstream: null };
  const client = numbering.connection(`client ${key}`);
  const upstream = numbering.connection(`upstream ${key}`);
  return {
    client: { ...blank, ...client },
    upstream: { ...blank, ...upstream, remoteAddress: remoteAddress(entry, request) },
  };
}

/** Null: unknown. Some programs write the server's port in `connection`, which identifies nothing. */
function connectionKey(entry: ReturnType<typeof objectIn>, request: RequestMessage): string | null {
  const named = entry._connectionId ?? entry.connection;
  if (named === undefined || named === null) return null;
  const key = String(named);
  return key === '' || key === '0' || key === String(request.port) ? null : `${request.authority} ${key}`;
}

function remoteAddress(entry: ReturnType<typeof objectIn>, { port }: RequestMessage): string | null {
  const address = textIn(entry.serverIPAddress).replace(/^\[|\]$/g, '');
  if (address === '') return null;
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}
