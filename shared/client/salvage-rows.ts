import * as v from 'valibot';
import { type ExchangeSummary, ExchangeSummarySchema } from '../model/exchange-summary.ts';

/** Reported once per row of a page, and once per batch of the feed, which counts its bad rows itself. */
export const BAD_ROW = 'The host sent an invalid row, which was left out.';

/** The valid rows. Invalid ones are reported and left out: one bad row must not discard its whole page. */
function salvageRows(rows: readonly unknown[], onBad: (sentence: string) => void): ExchangeSummary[] {
  return rows.filter((row): row is ExchangeSummary => {
    if (v.is(ExchangeSummarySchema, row)) return true;
    onBad(BAD_ROW);
    return false;
  });
}

const RowsSchema = v.looseObject({ rows: v.array(v.unknown()) });

/** A page without its invalid rows; any other value unchanged. */
export function withoutBadRows(value: unknown, onBad: (sentence: string) => void): unknown {
  return v.is(RowsSchema, value) ? { ...value, rows: salvageRows(value.rows, onBad) } : value;
}
