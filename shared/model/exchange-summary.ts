import * as v from 'valibot';
import type { Exchange } from './exchange.ts';
import { ABSENT, SUMMARY_COLUMNS, type SummaryColumn, summaryCells } from './summary-columns.ts';
import { knownTotal, overheadTime, type Timings, TimingsSchema } from './timings.ts';

type FieldName = Exclude<SummaryColumn, keyof Timings>;

/** True of columns that become a field of the summary: the timings are in an object. */
function isField(name: string): boolean {
  return !Object.hasOwn(TimingsSchema.entries, name);
}

const FIELDS = Object.fromEntries(Object.entries(SUMMARY_COLUMNS).filter(([name]) => isField(name))) as Pick<
  typeof SUMMARY_COLUMNS,
  FieldName
>;

/**
 * What a row of the list needs: everything that the window keeps of an exchange, which lets it hold 100,000 of them.
 */
export const ExchangeSummarySchema = v.object({
  ...FIELDS,
  timings: TimingsSchema,
  /** Milliseconds, -1 where unknown: from the request's last byte to the response's first byte (TTFB). */
  ttfb: v.number(),
  /** Milliseconds, the sum of the phases so far; -1 where none is known. */
  total: v.number(),
  /** Milliseconds, -1 where unknown. */
  overhead: v.number(),
});
export type ExchangeSummary = v.InferOutput<typeof ExchangeSummarySchema>;

/**
 * What the list shows of an exchange, as the session file keeps it and the feed carries it: the cells of
 * SUMMARY_COLUMNS, without names. Names would be two thirds of the bytes, and of the time that the engine's thread
 * spends on writing them.
 */
export type SummaryRow = readonly unknown[];

export function summaryRow(exchange: Exchange): SummaryRow {
  return Object.values(summaryCells(exchange));
}

/** The current summary of an exchange, without the detour through a row. */
export function summaryNow(exchange: Exchange): ExchangeSummary {
  const { timings } = exchange;
  const measures = { ttfb: timings.wait, total: knownTotal(timings), overhead: overheadTime(timings) };
  return { ...summaryCells(exchange), timings, ...measures };
}

/**
 * A row of a session file may be shorter: it was written before the last columns were added. The places are those of
 * SUMMARY_COLUMNS, written out: a loop over the names takes twelve times as long, and windows read 100,000 rows.
 */
export function summaryOf(row: SummaryRow): ExchangeSummary {
  const timings = {
    blocked: row[14],
    failedTries: row[27] ?? ABSENT.failedTries,
    rules: row[28] ?? ABSENT.rules,
    rulesResponse: row[29] ?? ABSENT.rulesResponse,
    rulesSend: row[32] ?? ABSENT.rulesSend,
    dns: row[15],
    connect: row[16],
    ssl: row[17],
    send: row[18],
    wait: row[19],
    receive: row[20],
    overheadRequest: row[21],
    overheadResponse: row[22],
    unsplit: row[34] ?? ABSENT.unsplit,
  } as Timings;
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
    clientConnection: row[23],
    upstreamConnection: row[24],
    attempts: row[25],
    failureCode: row[26],
    touched: row[30] ?? ABSENT.touched,
    colour: row[31] ?? null,
    replayOf: row[33] ?? ABSENT.replayOf,
    timings,
    ttfb: timings.wait,
    total: knownTotal(timings),
    overhead: overheadTime(timings),
  } as ExchangeSummary;
}
