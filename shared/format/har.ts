import type { ConnectionInfo } from '../model/connection.ts';
import type { UserMark } from '../model/edits/session-edits.ts';
import type { Attempt, Exchange } from '../model/exchange.ts';
import { firstHeader, type RawHeaders } from '../model/headers.ts';
import { knownTotal, overheadTime } from '../model/timings.ts';
import { requestCookies, responseCookies } from './cookies.ts';
import type {
  HarContent,
  HarControlMessage,
  HarEntry,
  HarNameValue,
  HarParam,
  HarPostData,
  HarRequest,
  HarResponse,
  HarTimings,
  HarWebSocketMessage,
} from './har-types.ts';
import { resourceType } from './resource-type.ts';
import { parsePairs, queryOf, urlOf } from './url.ts';

/** A body in HAR's form. */
export interface HarBody {
  /** Null: omitted; `comment` gives the reason. */
  text: string | null;
  encoding: 'base64' | null;
  /** Decoded, bytes. */
  size: number;
  /** A form's fields. */
  params: HarParam[];
  comment: string | null;
}

export const EMPTY_HAR_BODY: HarBody = { text: '', encoding: null, size: 0, params: [], comment: null };

/** The messages of an exchange. */
export interface HarMessages {
  data: HarWebSocketMessage[];
  /** The control frames among them. */
  control: HarControlMessage[];
  /** When each server-sent event came, milliseconds since the Unix epoch; the events themselves are in the body. */
  eventTimes: number[];
}

const NO_MESSAGES: HarMessages = { data: [], control: [], eventTimes: [] };

/**
 * An exchange as the JSON of a HAR 1.2 entry, in the form that HAR readers accept
 * (tests/unit/shared/format/har.test.ts).
 */
export function harEntry(
  exchange: Exchange,
  bodies: { request: HarBody; response: HarBody },
  pageref: string,
  messages: HarMessages = NO_MESSAGES,
  userMark: UserMark | null = null,
): string {
  const { request, upstream } = exchange;
  const timings = harTimings(exchange);
  const address = upstream?.via === null ? ipAddress(upstream.remoteAddress) : undefined;
  const entry: Omit<HarEntry, '_roundtrip'> = {
    pageref,
    startedDateTime: new Date(exchange.startedAt).toISOString(),
    time: microseconds(totalOf(timings) + Math.max(exchange.timings.unsplit, 0)),
    request: harRequest(exchange, bodies.request),
    response: harResponse(exchange, bodies.response),
    cache: {},
    timings,
    ...(address === undefined ? {} : { serverIPAddress: address }),
    connection: String(request.port),
    _serverPort: request.port,
    ...(upstream === null ? {} : { _connectionId: String(upstream.id) }),
    _resourceType: resourceType(exchange),
    ...(messages.data.length === 0 ? {} : { _webSocketMessages: messages.data }),
    ...(userMark?.note ? { comment: userMark.note } : {}),
  };
  return `${openObject(entry)},"_roundtrip":${ownWords(exchange, messages, userMark)}}`;
}

/** The JSON of an object with at least one member, without its closing brace. */
function openObject(value: object): string {
  return JSON.stringify(value).slice(0, -1);
}

function harRequest({ request }: Exchange, body: HarBody): HarRequest {
  const mimeType = firstHeader(request.headers, 'content-type') ?? '';
  return {
    method: request.method,
    url: urlOf(request),
    httpVersion: request.httpVersion,
    cookies: requestCookies(request.headers),
    headers: namesAndValues(request.headers),
    queryString: parsePairs(queryOf(request.path)),
    ...(request.body.size > 0 ? { postData: postData(mimeType, body) } : {}),
    headersSize: request.headSize,
    bodySize: request.body.size,
    ...trailersOf(request.trailers),
  };
}

function postData(mimeType: string, { text, encoding, params, comment }: HarBody): HarPostData {
  return {
    mimeType,
    params,
    text: text ?? '',
    ...(encoding === null ? {} : { _encoding: encoding }),
    ...(comment === null ? {} : { comment }),
  };
}

function harResponse({ response, failure }: Exchange, body: HarBody): HarResponse {
  const error = failure === null ? {} : { _error: failure.code };
  if (response === null) return { ...NO_RESPONSE, ...error };
  const { headers } = response;
  return {
    status: response.status,
    statusText: response.statusText,
    httpVersion: response.httpVersion,
    cookies: responseCookies(headers),
    headers: namesAndValues(headers),
    content: contentOf(firstHeader(headers, 'content-type') ?? 'x-unknown', response.body.size, body),
    redirectURL: firstHeader(headers, 'location') ?? '',
    headersSize: response.headSize,
    bodySize: response.body.size,
    ...trailersOf(response.trailers),
    _transferSize: transferSize(response.headSize, response.body.size),
    ...error,
  };
}

/** -1 where a part of it is unknown. */
function transferSize(headSize: number, bodySize: number): number {
  return headSize < 0 || bodySize < 0 ? -1 : headSize + bodySize;
}

/** As Chrome writes it, but with 0 instead of -1: that nothing arrived is known. */
const NO_RESPONSE: HarResponse = {
  status: 0,
  statusText: '',
  httpVersion: '',
  cookies: [],
  headers: [],
  content: { size: 0, mimeType: 'x-unknown', text: '' },
  redirectURL: '',
  headersSize: 0,
  bodySize: 0,
  _transferSize: 0,
};

function contentOf(mimeType: string, wireSize: number, { text, encoding, size, comment }: HarBody): HarContent {
  return {
    size,
    ...(text !== null && wireSize >= 0 && size > wireSize ? { compression: size - wireSize } : {}),
    mimeType,
    ...(text === null ? {} : { text }),
    ...(encoding === null ? {} : { encoding }),
    ...(comment === null ? {} : { comment }),
  };
}

/** Phases that HAR requires. */
const REQUIRED_PHASES = ['send', 'wait', 'receive'] as const;

/**
 * -1 for phases that did not take place, or are unknown. HAR asks for 0 or more in send, wait and receive: 0 where a
 * failed exchange did not come this far. An unknown one is -1 all the same, as HAR's readers and its schema accept: 0
 * would be a measurement that nobody made.
 */
function harTimings({ state, timings }: Exchange): HarTimings {
  const { blocked, dns, connect, ssl, send, wait, receive } = timings;
  const isUnknown = state === 'complete' || knownTotal(timings) < 0 || timings.unsplit >= 0;
  const required = (phase: number) => (phase < 0 && !isUnknown ? 0 : optional(phase));
  return {
    blocked: optional(blocked),
    dns: optional(dns),
    connect: optional(connect),
    ssl: optional(ssl),
    send: required(send),
    wait: required(wait),
    receive: required(receive),
  };
}

function totalOf({ blocked, dns, connect, send, wait, receive }: HarTimings): number {
  return [blocked, dns, connect, send, wait, receive].reduce((sum, phase) => sum + Math.max(phase, 0), 0);
}

function optional(phase: number): number {
  return phase < 0 ? -1 : microseconds(phase);
}

/** Milliseconds, rounded to the microseconds that were measured, which keeps sums exact. */
function microseconds(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}

function namesAndValues(headers: RawHeaders): HarNameValue[] {
  const fields: HarNameValue[] = [];
  for (let at = 0; at < headers.length; at += 2) fields.push({ name: headers[at] ?? '', value: headers[at + 1] ?? '' });
  return fields;
}

function trailersOf(trailers: RawHeaders): { _trailers?: HarNameValue[] } {
  return trailers.length === 0 ? {} : { _trailers: namesAndValues(trailers) };
}

/** The address of `127.0.0.1:443` or `[::1]:443`, in HAR's form: without brackets or zone. */
function ipAddress(socketAddress: string | null): string | undefined {
  const found = /^(?:\[([0-9a-f:.]+)(?:%[^\]]*)?\]|(\d+\.\d+\.\d+\.\d+)):\d+$/i.exec(socketAddress ?? '');
  return found?.[1] ?? found?.[2];
}

/** Everything that HAR does not define, as JSON. */
function ownWords(exchange: Exchange, messages: HarMessages, userMark: UserMark | null): string {
  const { timings, request, response } = exchange;
  const words = {
    id: exchange.id,
    revision: exchange.revision,
    kind: exchange.kind,
    state: exchange.state,
    startedAt: exchange.startedAt,
    path: request.path,
    overhead: microseconds(overheadTime(timings)),
    overheadRequest: optional(timings.overheadRequest),
    overheadResponse: optional(timings.overheadResponse),
    failedTries: optional(timings.failedTries),
    notReached: REQUIRED_PHASES.filter((phase) => timings[phase] < 0),
    failure: exchange.failure,
    route: exchange.route,
    attempts: exchange.attempts.map(attemptWords),
  };
  const more = {
    informational: response?.informational ?? [],
    requestBody: request.body,
    responseBody: response?.body ?? null,
    ...(exchange.replayOf && { replayOf: exchange.replayOf }),
    ...ruleWords(exchange),
    ...(userMark && { userMark }),
    ...(messages.control.length === 0 ? {} : { controlMessages: messages.control }),
    ...(messages.eventTimes.length === 0 ? {} : { eventTimes: messages.eventTimes }),
  };
  const ends = `"client":${connectionWords(exchange.client)},"upstream":${connectionWords(exchange.upstream)}`;
  return `${openObject(words)},${ends},${JSON.stringify(more).slice(1)}`;
}

/** Empty for an exchange that no rule touched. */
function ruleWords({ rules, sent, received, mark, timings }: Exchange): object {
  const held = {
    rulesRequest: optional(timings.rules),
    rulesSend: optional(timings.rulesSend),
    rulesResponse: optional(timings.rulesResponse),
  };
  if (rules.length === 0) return held;
  return { rules, sent, received, mark, ...held };
}

function attemptWords({ connection, ...attempt }: Attempt): object {
  return { ...attempt, connection: connection?.id ?? null };
}

/** JSON, because most entries share a few connections: they are a quarter of an entry. */
const knownWords = new WeakMap<ConnectionInfo, string>();

function connectionWords(connection: ConnectionInfo | null): string {
  if (connection === null) return 'null';
  const known = knownWords.get(connection);
  if (known !== undefined) return known;
  const words = JSON.stringify(newConnectionWords(connection));
  knownWords.set(connection, words);
  return words;
}

/** Only what identifies the certificate: the whole certificate in each of 100,000 entries would be most of the file. */
function newConnectionWords(connection: ConnectionInfo): object {
  const { tls, ...rest } = connection;
  if (tls === null) return { ...rest, tls };
  const { certificate, ...settled } = tls;
  const { subject, issuer, notAfter, fingerprint } = certificate ?? {};
  return { ...rest, tls: { ...settled, certificate: certificate && { subject, issuer, notAfter, fingerprint } } };
}
