import * as v from 'valibot';
import type { ConnectionInfo } from '../../../shared/model/connection.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import { FailureSchema } from '../../../shared/model/failure.ts';
import { RawHeadersSchema } from '../../../shared/model/headers.ts';
import {
  type BodyInfo,
  InformationalMessageSchema,
  RequestMessageSchema,
  ResponseMessageSchema,
} from '../../../shared/model/message.ts';
import { UpstreamRouteSchema } from '../../../shared/model/proxy/upstream-route.ts';
import { ReplayOfSchema } from '../../../shared/model/replay/replay-of.ts';
import { MarkSchema } from '../../../shared/model/rule/actions.ts';
import { MessageEditsSchema } from '../../../shared/model/rule/message-edits.ts';
import { RuleOutcomeSchema } from '../../../shared/model/rule/rule.ts';

/** Shared by requests and responses. */
const MESSAGE = [
  v.string(), // httpVersion
  RawHeadersSchema, // headers
  RawHeadersSchema, // trailers
  v.number(), // headSize
  v.number(), // body.stored
  v.boolean(), // body.complete
] as const;

const RequestSchema = v.tuple([
  v.string(), // host
  v.number(), // port
  ...MESSAGE,
]);

const ResponseSchema = v.tuple([
  v.string(), // statusText
  ...MESSAGE,
  v.array(InformationalMessageSchema),
]);

const AttemptSchema = v.tuple([
  v.number(), // startedAfter
  v.number(), // duration
  v.number(), // connection id, 0 for none
  v.boolean(), // connection reused
  v.nullable(FailureSchema),
  v.nullable(v.string()), // retryReason
]);

/** Null for an exchange without rules: most of them. */
const RuleCellsSchema = v.tuple([
  v.array(RuleOutcomeSchema),
  v.nullable(RequestMessageSchema), // sent
  v.nullable(ResponseMessageSchema), // received
  v.nullable(MarkSchema),
  // Files of earlier versions end here.
  v.optional(v.nullable(MessageEditsSchema), null),
]);

/** `body.decoded` of the request and the response; null for an exchange that was recorded, not imported. */
const DecodedCellsSchema = v.tuple([v.boolean(), v.boolean()]);

/**
 * A row of the table `detail`: everything about an exchange that its `SummaryRow` lacks, except connections, which have
 * a separate table. Cells have no names, as in `SummaryRow`.
 */
export const DetailRowSchema = v.tuple([
  RequestSchema,
  v.nullable(ResponseSchema),
  v.nullable(FailureSchema), // FAILURE_PLACE
  v.nullable(UpstreamRouteSchema),
  v.boolean(), // client.reused
  v.boolean(), // upstream.reused
  v.array(AttemptSchema),
  // Files of earlier versions end here.
  v.optional(v.nullable(RuleCellsSchema), null),
  v.optional(v.nullable(DecodedCellsSchema), null),
  v.optional(v.nullable(ReplayOfSchema), null),
]);
export type DetailRow = v.InferOutput<typeof DetailRowSchema>;

/** The path of the failure in a detail's JSON, for SQLite's JSON functions. */
export const FAILURE_PLACE = '$[2]';

export function detailRow(exchange: Exchange): DetailRow {
  const { request, response, failure, route, client, upstream, attempts } = exchange;
  return [
    [
      request.host,
      request.port,
      request.httpVersion,
      request.headers,
      request.trailers,
      request.headSize,
      request.body.stored,
      request.body.complete,
    ],
    response && [
      response.statusText,
      response.httpVersion,
      response.headers,
      response.trailers,
      response.headSize,
      response.body.stored,
      response.body.complete,
      response.informational,
    ],
    failure,
    route,
    client.reused,
    upstream?.reused ?? false,
    attempts.map(({ startedAfter, duration, connection, failure: why, retryReason }) => [
      startedAfter,
      duration,
      connection?.id ?? 0,
      connection?.reused ?? false,
      why,
      retryReason,
    ]),
    ruleCells(exchange),
    decodedCells(exchange),
    exchange.replayOf,
  ];
}

function ruleCells({ rules, sent, received, mark, messageEdits }: Exchange): DetailRow[7] {
  return rules.length === 0 ? null : [rules, sent, received, mark, messageEdits];
}

function decodedCells({ request, response }: Exchange): [boolean, boolean] | null {
  const cells: [boolean, boolean] = [request.body.decoded === true, response?.body.decoded === true];
  return cells.some(Boolean) ? cells : null;
}

/** Builds an exchange from its two rows. `connection` finds a connection by id. */
export function exchangeOf(
  summary: ExchangeSummary,
  detail: DetailRow,
  connection: (id: number, reused: boolean) => ConnectionInfo | null,
): Exchange {
  const [, , failure, route, clientReused, upstreamReused, attempts, touched, decoded, replayOf] = detail;
  const [rules, sent, received, mark, messageEdits = null] = touched ?? [[], null, null, null];
  return {
    id: summary.id,
    revision: summary.revision,
    kind: summary.kind,
    state: summary.state,
    startedAt: summary.startedAt,
    client: connection(summary.clientConnection, clientReused) ?? unknownConnection(summary, clientReused),
    upstream: connection(summary.upstreamConnection, upstreamReused),
    route,
    request: requestOf(summary, detail[0], decoded?.[0]),
    response: detail[1] && responseOf(summary, detail[1], decoded?.[1]),
    attempts: attempts.map(([startedAfter, duration, id, reused, why, retryReason]) => {
      return { startedAfter, duration, connection: connection(id, reused), failure: why, retryReason };
    }),
    timings: summary.timings,
    failure,
    rules,
    sent,
    received,
    mark,
    messageEdits: messageEdits ?? null,
    replayOf: replayOf ?? null,
  };
}

function requestOf(
  { method, scheme, authority, path, requestSize }: ExchangeSummary,
  row: DetailRow[0],
  decoded: boolean | undefined,
) {
  const [host, port, httpVersion, headers, trailers, headSize, stored, complete] = row;
  const body = bodyOf(requestSize, stored, complete, decoded);
  return { method, scheme, authority, host, port, path, httpVersion, headers, trailers, headSize, body };
}

function responseOf(
  { status, responseSize }: ExchangeSummary,
  row: NonNullable<DetailRow[1]>,
  decoded: boolean | undefined,
) {
  const [statusText, httpVersion, headers, trailers, headSize, stored, complete, informational] = row;
  const body = bodyOf(responseSize, stored, complete, decoded);
  return { status, statusText, httpVersion, headers, trailers, headSize, body, informational };
}

function bodyOf(size: number, stored: number, complete: boolean, decoded = false): BodyInfo {
  return decoded ? { size, stored, complete, decoded } : { size, stored, complete };
}

/** Stands in for a missing connection row, which a failed write can cause. */
function unknownConnection(summary: ExchangeSummary, reused: boolean): ConnectionInfo {
  const { clientConnection: id, protocol } = summary;
  return { id, protocol, localAddress: null, remoteAddress: null, reused, tls: null, via: null };
}
