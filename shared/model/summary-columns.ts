import * as v from 'valibot';
import { ProtocolSchema } from './connection.ts';
import { type Exchange, ExchangeKindSchema, ExchangeStateSchema } from './exchange.ts';
import { firstHeader, mediaTypeOf } from './headers.ts';
import { MARK_COLOURS } from './rule/actions.ts';

/**
 * The columns of a summary row, in the order of their cells. The recorder writes them, session files keep them, the
 * feed carries them, and filter and window use them by these names. `summaryCells` reads them from an exchange.
 *
 * Session files hold rows without names. Append a new column at the end of both, with a value in ABSENT. Never move or
 * remove one.
 */
export const SUMMARY_COLUMNS = {
  id: v.number(),
  revision: v.number(),
  kind: ExchangeKindSchema,
  state: ExchangeStateSchema,
  /** Milliseconds since the Unix epoch, with microseconds as decimals. */
  startedAt: v.number(),
  method: v.string(),
  scheme: v.picklist(['http', 'https']),
  authority: v.string(),
  path: v.string(),
  /** 0 until a response has arrived. */
  status: v.number(),
  /** The protocol that the client used. */
  protocol: ProtocolSchema,
  /** The response's media type without parameters, in lower case; empty where unknown. */
  mediaType: v.string(),
  /** Payload bytes on the wire. */
  requestSize: v.number(),
  responseSize: v.number(),
  blocked: v.number(),
  dns: v.number(),
  connect: v.number(),
  ssl: v.number(),
  send: v.number(),
  wait: v.number(),
  receive: v.number(),
  overheadRequest: v.number(),
  overheadResponse: v.number(),
  clientConnection: v.number(),
  /** 0: none. */
  upstreamConnection: v.number(),
  attempts: v.number(),
  /** The failure's code, or null. */
  failureCode: v.nullable(v.string()),
  failedTries: v.number(),
  rules: v.number(),
  rulesResponse: v.number(),
  /** Rules that were applied. */
  touched: v.number(),
  /** Of a rule's mark, or null. */
  colour: v.nullable(v.picklist(MARK_COLOURS)),
  rulesSend: v.number(),
  /** The id of the exchange whose request this sends again, in this session or another one; 0: none. */
  replayOf: v.number(),
  unsplit: v.number(),
} as const;

export type SummaryColumn = keyof typeof SUMMARY_COLUMNS;
export type SummaryCells = { [N in SummaryColumn]: v.InferOutput<(typeof SUMMARY_COLUMNS)[N]> };

/** Values for rows of session files that are older than a column. */
export const ABSENT = {
  failedTries: -1,
  rules: -1,
  rulesResponse: -1,
  touched: 0,
  colour: null,
  rulesSend: -1,
  replayOf: 0,
  unsplit: -1,
} satisfies Partial<SummaryCells>;

/**
 * The cells of an exchange's row, in the order of SUMMARY_COLUMNS. One literal, because it runs for each row on the
 * engine's thread: a function for each column takes three times as long.
 */
export function summaryCells(exchange: Exchange): SummaryCells {
  const { request, response, timings } = exchange;
  return {
    id: exchange.id,
    revision: exchange.revision,
    kind: exchange.kind,
    state: exchange.state,
    startedAt: exchange.startedAt,
    method: request.method,
    scheme: request.scheme,
    authority: request.authority,
    path: request.path,
    status: response?.status ?? 0,
    protocol: exchange.client.protocol,
    mediaType: mediaTypeOf(response ? firstHeader(response.headers, 'content-type') : undefined),
    requestSize: request.body.size,
    responseSize: response?.body.size ?? 0,
    blocked: timings.blocked,
    dns: timings.dns,
    connect: timings.connect,
    ssl: timings.ssl,
    send: timings.send,
    wait: timings.wait,
    receive: timings.receive,
    overheadRequest: timings.overheadRequest,
    overheadResponse: timings.overheadResponse,
    clientConnection: exchange.client.id,
    upstreamConnection: exchange.upstream?.id ?? 0,
    attempts: exchange.attempts.length,
    failureCode: exchange.failure?.code ?? null,
    failedTries: timings.failedTries,
    rules: timings.rules,
    rulesResponse: timings.rulesResponse,
    touched: exchange.rules.length,
    colour: exchange.mark?.colour ?? null,
    rulesSend: timings.rulesSend,
    replayOf: exchange.replayOf?.exchange ?? 0,
    unsplit: timings.unsplit,
  };
}

/** In the order of their cells. */
export const SUMMARY_NAMES = Object.keys(SUMMARY_COLUMNS) as SummaryColumn[];

/** Where a row has its cell of a column. */
export function cellAt(name: SummaryColumn): number {
  return SUMMARY_NAMES.indexOf(name);
}

/** The cell of a column in a row's JSON, as a path of SQLite's JSON functions: `$[1]`. */
export function summaryPath(name: SummaryColumn): string {
  return `$[${cellAt(name)}]`;
}
