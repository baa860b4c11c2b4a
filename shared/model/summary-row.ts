import * as v from 'valibot';
import { ProtocolSchema } from './connection.ts';
import { type Exchange, ExchangeKindSchema, ExchangeStateSchema } from './exchange.ts';
import { type ExchangeSummary, mediaTypeOf } from './exchange-summary.ts';
import { firstHeader } from './headers.ts';
import { overheadTime, totalTime } from './timings.ts';

/**
 * What the list shows of an exchange, as the session file keeps it and the feed carries it: cells without names, in this
 * order. A name for each would be two thirds of the bytes, and of what the engine's thread pays to write them.
 */
export const SummaryRowSchema = v.tuple([
  v.number(), // id
  v.number(), // revision
  ExchangeKindSchema,
  ExchangeStateSchema,
  v.number(), // startedAt
  v.string(), // method
  v.picklist(['http', 'https']), // scheme
  v.string(), // authority
  v.string(), // path
  v.number(), // status
  ProtocolSchema,
  v.string(), // mediaType
  v.number(), // requestSize
  v.number(), // responseSize
  v.number(), // blocked
  v.number(), // dns
  v.number(), // connect
  v.number(), // ssl
  v.number(), // send
  v.number(), // wait
  v.number(), // receive
  v.number(), // overheadRequest
  v.number(), // overheadResponse
  v.number(), // clientConnection
  v.number(), // upstreamConnection
  v.number(), // attempts
  v.nullable(v.string()), // failureCode
  v.number(), // failedTries
]);
export type SummaryRow = v.InferOutput<typeof SummaryRowSchema>;

export function summaryRow(exchange: Exchange): SummaryRow {
  const { request, response, timings } = exchange;
  return [
    exchange.id,
    exchange.revision,
    exchange.kind,
    exchange.state,
    exchange.startedAt,
    request.method,
    request.scheme,
    request.authority,
    request.path,
    response?.status ?? 0,
    exchange.client.protocol,
    mediaTypeOf(response ? firstHeader(response.headers, 'content-type') : undefined),
    request.body.size,
    response?.body.size ?? 0,
    timings.blocked,
    timings.dns,
    timings.connect,
    timings.ssl,
    timings.send,
    timings.wait,
    timings.receive,
    timings.overheadRequest,
    timings.overheadResponse,
    exchange.client.id,
    exchange.upstream?.id ?? 0,
    exchange.attempts.length,
    exchange.failure?.code ?? null,
    timings.failedTries,
  ];
}

export function summaryOf(row: SummaryRow): ExchangeSummary {
  const timings = {
    blocked: row[14],
    failedTries: row[27],
    dns: row[15],
    connect: row[16],
    ssl: row[17],
    send: row[18],
    wait: row[19],
    receive: row[20],
    overheadRequest: row[21],
    overheadResponse: row[22],
  };
  return {
    id: row[0],
    revision: row[1],
    kind: row[2],
    state: row[3],
    startedAt: row[4],
    method: row[5],
    scheme: row[6],
    authority: row[7],
    path: row[8],
    status: row[9],
    protocol: row[10],
    mediaType: row[11],
    requestSize: row[12],
    responseSize: row[13],
    timings,
    ttfb: timings.wait,
    total: totalTime(timings),
    overhead: overheadTime(timings),
    clientConnection: row[23],
    upstreamConnection: row[24],
    attempts: row[25],
    failureCode: row[26],
  };
}
