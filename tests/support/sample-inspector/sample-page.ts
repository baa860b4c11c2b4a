import { columnsText } from '../../../electron/session/read/columns-text.ts';
import { columnsIn, type RowColumns } from '../../../shared/contract/row-columns.ts';
import type { SummaryRow } from '../../../shared/model/exchange-summary.ts';

/** A page of these rows, as a window has it once it is read. */
export function samplePage(rows: readonly SummaryRow[]): RowColumns {
  const columns = columnsIn(JSON.parse(columnsText(rows)), rows.length);
  if (columns === null) throw new Error('the page is invalid');
  return { count: rows.length, columns };
}
