import * as v from 'valibot';
import type { Exchange } from './exchange.ts';
import { ABSENT, SUMMARY_COLUMNS, type SummaryColumn, summaryCells } from './summary-columns.ts';
import { knownTotal, NO_TIMINGS, overheadTime, type Timings, TimingsSchema } from './timings.ts';

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

const absent: Record<string, unknown> = ABSENT;
const PLACES = Object.keys(SUMMARY_COLUMNS).map((name) => ({ name, isField: isField(name), absent: absent[name] }));
const BLANK_FIELDS = PLACES.filter((place) => place.isField).map(({ name }) => [name, null]);
/** Summaries are copies of it: objects made alike share one layout, which saves memory with 100,000. */
const BLANK = { ...Object.fromEntries(BLANK_FIELDS), timings: NO_TIMINGS, ttfb: -1, total: -1, overhead: -1 };

/** The current summary of an exchange, without the detour through a row. */
export function summaryNow(exchange: Exchange): ExchangeSummary {
  const { timings } = exchange;
  const measures = { ttfb: timings.wait, total: knownTotal(timings), overhead: overheadTime(timings) };
  return { ...summaryCells(exchange), timings, ...measures };
}

/** A row of a session file may be shorter: it was written before the last columns were added. */
export function summaryOf(row: SummaryRow): ExchangeSummary {
  const timings = { ...NO_TIMINGS };
  const summary: Record<string, unknown> = { ...BLANK, timings };
  // An iterator would take as long as the rest.
  for (let at = 0; at < PLACES.length; at += 1) {
    const place = PLACES[at] as (typeof PLACES)[number];
    const cells: Record<string, unknown> = place.isField ? summary : timings;
    cells[place.name] = at < row.length ? row[at] : place.absent;
  }
  summary.ttfb = timings.wait;
  summary.total = knownTotal(timings);
  summary.overhead = overheadTime(timings);
  return summary as ExchangeSummary;
}
