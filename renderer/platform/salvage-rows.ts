import * as v from 'valibot';
import { type ExchangeSummary, ExchangeSummarySchema } from '../../shared/model/exchange-summary.ts';

export const BAD_ROW = 'The host sent a row that is not one; it was left out.';

/** The rows that are rows; a bad one is told of and left out, for it must not take its batch down. */
function salvageRows(rows: readonly unknown[], onBad: (sentence: string) => void): ExchangeSummary[] {
  return rows.filter((row): row is ExchangeSummary => {
    if (v.is(ExchangeSummarySchema, row)) return true;
    onBad(BAD_ROW);
    return false;
  });
}

const RowsSchema = v.looseObject({ rows: v.array(v.unknown()) });

/** A page with its bad rows left out; anything else as it was. */
export function withoutBadRows(value: unknown, onBad: (sentence: string) => void): unknown {
  return v.is(RowsSchema, value) ? { ...value, rows: salvageRows(value.rows, onBad) } : value;
}
