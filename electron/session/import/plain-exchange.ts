import type { ConnectionInfo, Protocol } from '../../../shared/model/connection.ts';
import type { UserMark } from '../../../shared/model/edits/session-edits.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import type { ResponseMessage } from '../../../shared/model/message.ts';
import { NO_TIMINGS, type Timings } from '../../../shared/model/timings.ts';
import { failure } from '../../failures/errors.ts';
import { framedMessages, type PlainMessage } from '../format/web-socket-frames.ts';
import { eventMarks } from './event-marks.ts';
import { protocolOf } from './http-version.ts';
import type { ImportedExchange } from './imported.ts';
import type { Numbering } from './numbering.ts';
import type { Target } from './target.ts';

interface PlainPart {
  /** `HTTP/1.1`; empty for unknown. */
  httpVersion: string;
  headers: string[];
  trailers: string[];
  /** Payload bytes as on the wire, with content codings; null: the file does not have them. */
  body: Uint8Array | null;
}

/** An exchange from a file that keeps bytes as they were on the wire. */
export interface PlainExchange {
  /** Milliseconds since the Unix epoch. */
  startedAt: number;
  target: Target;
  request: PlainPart & { method: string };
  response: (PlainPart & { status: number; statusText: string }) | null;
  timings: Partial<Timings>;
  /** Why it failed, according to the file; null: it did not. */
  problem: string | null;
  client: PlainConnection | null;
  upstream: PlainConnection | null;
  messages: PlainMessage[];
  userMark: UserMark | null;
}

export interface PlainConnection {
  key: string;
  localAddress: string | null;
  remoteAddress: string | null;
}

/** The exchange with its numbers. Missing values are unknown. */
export function plainExchange(plain: PlainExchange, numbering: Numbering): ImportedExchange {
  const { startedAt, target, request, response, timings, messages } = plain;
  const protocol = protocolOf(request.httpVersion);
  const isUpgrade = response?.status === 101;
  const framed = isUpgrade ? framedMessages(messages) : null;
  const exchange: Exchange = {
    id: numbering.exchange(null),
    revision: 1,
    kind: request.method === 'CONNECT' ? 'tunnel' : isUpgrade ? 'upgrade' : 'http',
    ...outcome(plain),
    startedAt,
    client: connectionOf('client', plain.client, protocol, numbering) ?? unknownConnection(protocol),
    upstream: connectionOf('upstream', plain.upstream, protocol, numbering),
    route: null,
    request: {
      ...target,
      method: request.method,
      path: request.method === 'CONNECT' ? `${target.host}:${target.port}` : target.path,
      ...messageOf(request, framed?.bodies.request),
    },
    response: response && responseOf(response, framed?.bodies.response),
    attempts: [],
    timings: { ...NO_TIMINGS, ...timings },
    rules: [],
    sent: null,
    received: null,
    mark: null,
    messageEdits: null,
    replayOf: null,
  };
  const bodies = framed?.bodies ?? { request: request.body, response: response?.body ?? null };
  const marks = framed?.marks ?? eventMarks(exchange.response, bodies.response);
  return { exchange, bodies, marks, userMark: plain.userMark };
}

function messageOf({ httpVersion, headers, trailers, body }: PlainPart, framed: Uint8Array | undefined) {
  const size = framed?.length ?? body?.length ?? -1;
  return { httpVersion, headers, trailers, headSize: -1, body: { size, stored: 0, complete: true } };
}

function responseOf(response: NonNullable<PlainExchange['response']>, framed: Uint8Array | undefined): ResponseMessage {
  const { status, statusText } = response;
  return { status, statusText, ...messageOf(response, framed), informational: [] };
}

function outcome({ problem, response }: PlainExchange): Pick<Exchange, 'state' | 'failure'> {
  if (problem !== null) return { state: 'failed', failure: failure('import.reported-failure', { detail: problem }) };
  if (response === null) return { state: 'failed', failure: failure('import.no-response', {}) };
  return { state: 'complete', failure: null };
}

function connectionOf(
  side: string,
  plain: PlainConnection | null,
  protocol: Protocol,
  numbering: Numbering,
): ConnectionInfo | null {
  if (plain === null) return null;
  const { key, ...addresses } = plain;
  return { ...numbering.connection(`${side} ${key}`), ...addresses, protocol, tls: null, via: null };
}

/** Id 0 stands for an unknown connection. */
function unknownConnection(protocol: Protocol): ConnectionInfo {
  return { id: 0, protocol, localAddress: null, remoteAddress: null, reused: false, tls: null, via: null };
}
