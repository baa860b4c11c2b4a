import * as v from 'valibot';
import { type ExchangeSummary, ExchangeSummarySchema } from '../model/exchange-summary.ts';

/** Reported once per row of a page of summaries, and once per page of cells or batch of the feed. */
export const BAD_ROW = 'The host sent an invalid row, which was left out.';

/** The valid rows. Invalid ones are reported and left out: one bad row must not discard its whole page. */
function salvageRows(rows: readonly unknown[], onBad: (sentence: string) => void): ExchangeSummary[] {
  return rows.filter((row): row is ExchangeSummary => {
    if (v.is(ExchangeSummarySchema, row)) return true;
    onBad(BAD_ROW);
    return false;
  });
}

const PageSchema = v.looseObject({
  rows: v.array(v.unknown()),
  more: v.optional(v.boolean(), false),
  badRows: v.optional(v.number(), 0),
});

/**
 * Checks a page, each row once: checking it again as part of the response, which copies it, took as long as everything
 * else that a window does with a row. Null: it is not a page.
 */
export function checkedPage(
  value: unknown,
  onBad: (sentence: string) => void,
): { rows: ExchangeSummary[]; more: boolean; badRows: number } | null {
  const page = v.safeParse(PageSchema, value);
  if (!page.success) return null;
  const { rows, more, badRows } = page.output;
  return { rows: salvageRows(rows, onBad), more, badRows };
}
