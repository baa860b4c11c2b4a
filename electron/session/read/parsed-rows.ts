import { isSummaryRow, withAbsentCells } from '../../../shared/contract/row-text.ts';
import { type ExchangeSummary, summaryOf } from '../../../shared/model/exchange-summary.ts';

/**
 * Rows parsed at once, which is much faster than one by one. Their text is 60 KB: a page's would be 1 MB, and V8 keeps
 * texts over 128 KB until it collects all of the heap.
 */
const PARSED = 100;

/** In a damaged file, texts that are not JSON become null. */
export function parsedRows(texts: readonly string[]): unknown[] {
  const rows: unknown[] = [];
  for (let from = 0; from < texts.length; from += PARSED) {
    const some = texts.slice(from, from + PARSED);
    const parsed = parsedOrNull(`[${some.join(',')}]`);
    // A damaged text may have an additional comma, which the others would hide.
    rows.push(...(Array.isArray(parsed) && parsed.length === some.length ? parsed : some.map(parsedOrNull)));
  }
  return rows;
}

export function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The summary of a row of the table `exchange`, whose key is `id`. Null: the row is damaged. */
export function summaryIn(id: number, row: unknown): ExchangeSummary | null {
  const cells = withAbsentCells(row);
  return isSummaryRow(cells) && cells[0] === id ? summaryOf(cells) : null;
}
