import * as v from 'valibot';
import type { SummaryRow } from '../model/exchange-summary.ts';
import { SUMMARY_NAMES } from '../model/summary-columns.ts';
import { isSummaryCell } from './row-text.ts';

export type Cell = string | number | null;

/**
 * One column of a page, in the order of its rows: `same` is the cell of every row; `of` has the different cells and
 * `at` each row's place among them; otherwise `cells` has one for each row.
 */
export type PageColumn = { same: Cell } | { of: readonly Cell[]; at: readonly number[] } | { cells: readonly Cell[] };

/** The rows of a page, in the columns of a summary. */
export interface RowColumns {
  readonly count: number;
  readonly columns: readonly PageColumn[];
}

/** A text is named by its place if it is the cell of this many rows on average. */
const ROWS_PER_TEXT = 4;

function textColumn(cells: readonly Cell[]): PageColumn {
  const places = new Map<Cell, number>();
  const most = cells.length / ROWS_PER_TEXT;
  const at: number[] = [];
  for (const cell of cells) {
    let place = places.get(cell);
    if (place === undefined) {
      place = places.size;
      if (place >= most) return { cells };
      places.set(cell, place);
    }
    at.push(place);
  }
  return { of: [...places.keys()], at };
}

function columnOf(rows: readonly SummaryRow[], column: number): PageColumn {
  const first = rows[0]?.[column] as Cell | undefined;
  if (first !== undefined && rows.every((row) => row[column] === first)) return { same: first };
  const cells = rows.map((row) => row[column] as Cell);
  return typeof first === 'string' || first === null ? textColumn(cells) : { cells };
}

/**
 * JSON of the columns of these whole rows: a third of the bytes of the rows, and a fraction of the work to read them.
 */
export function columnsText(rows: readonly SummaryRow[]): string {
  return JSON.stringify(SUMMARY_NAMES.map((_, column) => columnOf(rows, column)));
}

function isPlace(place: unknown, count: number): boolean {
  return Number.isInteger(place) && (place as number) >= 0 && (place as number) < count;
}

/** Whether this is a column of `count` rows with valid cells. */
function isColumn(value: unknown, column: number, count: number): value is PageColumn {
  if (typeof value !== 'object' || value === null) return false;
  const isCell = isSummaryCell(column);
  if ('same' in value) return isCell(value.same);
  if ('cells' in value) return Array.isArray(value.cells) && value.cells.length === count && value.cells.every(isCell);
  if (!('of' in value && 'at' in value && Array.isArray(value.of) && Array.isArray(value.at))) return false;
  const { of, at } = value;
  return of.every(isCell) && at.length === count && at.every((place) => isPlace(place, of.length));
}

/** Whether these are the columns of `count` whole rows. */
export function isRowColumns(columns: readonly unknown[], count: number): columns is PageColumn[] {
  return columns.length === SUMMARY_NAMES.length && columns.every((each, column) => isColumn(each, column, count));
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
