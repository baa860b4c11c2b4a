import * as v from 'valibot';
import type { SummaryRow } from '../model/exchange-summary.ts';
import { SUMMARY_NAMES } from '../model/summary-columns.ts';
import { unpackedNumbers } from './packed-numbers.ts';
import { isSummaryCell } from './row-text.ts';

export type Cell = string | number | null;

/**
 * One column of a page, in the order of its rows: `same` is the cell of every row; `of` has the different cells and
 * `at` each row's place among them; otherwise `cells` has one for each row.
 */
export type PageColumn = { same: Cell } | { of: readonly Cell[]; at: readonly number[] } | { cells: ArrayLike<Cell> };

/** The rows of a page, in the columns of a summary. */
export interface RowColumns {
  readonly count: number;
  readonly columns: readonly PageColumn[];
}

function isPlace(place: unknown, count: number): boolean {
  return Number.isInteger(place) && (place as number) >= 0 && (place as number) < count;
}

/** A column of `count` rows with valid cells; null: this is none. */
function columnIn(value: unknown, column: number, count: number): PageColumn | null {
  if (typeof value !== 'object' || value === null) return null;
  const isCell = isSummaryCell(column);
  if ('same' in value) return isCell(value.same) ? { same: value.same as Cell } : null;
  if ('offsets' in value) {
    const cells = unpackedNumbers(value, count);
    return cells?.every(isCell) ? { cells } : null;
  }
  if ('cells' in value) {
    const { cells } = value;
    return Array.isArray(cells) && cells.length === count && cells.every(isCell) ? { cells } : null;
  }
  if (!('of' in value && 'at' in value && Array.isArray(value.of) && Array.isArray(value.at))) return null;
  const { of, at } = value;
  return of.every(isCell) && at.length === count && at.every((place) => isPlace(place, of.length)) ? { of, at } : null;
}

/** The columns of `count` whole rows; null: these are none. */
export function columnsIn(columns: readonly unknown[], count: number): PageColumn[] | null {
  if (columns.length !== SUMMARY_NAMES.length) return null;
  const read = columns.map((each, column) => columnIn(each, column, count));
  return read.every((each) => each !== null) ? read : null;
}

/** JSON of the columns of a page, as `columnsText` makes it. */
export const ColumnsTextSchema = v.pipe(v.string(), v.parseJson(), v.custom<readonly unknown[]>(Array.isArray));

/** The cell of a row; `at`: its place on the page. */
export function pageCell(column: PageColumn | undefined, at: number): Cell {
  if (column === undefined) return null;
  if ('same' in column) return column.same;
  return ('cells' in column ? column.cells[at] : column.of[column.at[at] ?? 0]) ?? null;
}

/** All cells of a row. */
export function pageRow(page: RowColumns, at: number): SummaryRow {
  return page.columns.map((column) => pageCell(column, at));
}
