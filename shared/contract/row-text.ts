import * as v from 'valibot';
import type { SummaryRow } from '../model/exchange-summary.ts';
import { ABSENT, SUMMARY_COLUMNS, SUMMARY_NAMES, type SummaryColumn } from '../model/summary-columns.ts';

type CellCheck = (cell: unknown) => boolean;

/** What this reads of a schema. Valibot's own types cover each kind separately; here all are one shape. */
interface ColumnSchema {
  type: string;
  wrapped?: ColumnSchema;
  options?: readonly unknown[];
  pipe?: unknown;
}

/**
 * What a column's schema accepts, as a plain function. A window checks 35 cells of each of 100,000 rows: running the
 * schemas took longer than everything else that it does with a row.
 */
function checkOf(schema: ColumnSchema & v.GenericSchema): CellCheck {
  const { type, wrapped, options, pipe } = schema;
  if (pipe !== undefined) return (cell) => v.is(schema, cell);
  if (type === 'number') return (cell) => typeof cell === 'number' && !Number.isNaN(cell);
  if (type === 'string') return (cell) => typeof cell === 'string';
  if (type === 'picklist' && options !== undefined) {
    const known = new Set(options);
    return (cell) => known.has(cell);
  }
  if (type === 'nullable' && wrapped !== undefined) {
    const inner = checkOf(wrapped as ColumnSchema & v.GenericSchema);
    return (cell) => cell === null || inner(cell);
  }
  return (cell) => v.is(schema, cell);
}

const CHECKS = Object.values(SUMMARY_COLUMNS).map(checkOf);
/** Places of the columns that are numbers: most are, and calling a check for each took most of the time. */
const NUMBERS = Object.values<ColumnSchema>(SUMMARY_COLUMNS).flatMap(({ type, pipe }, at) =>
  type === 'number' && pipe === undefined && at > 0 ? [at] : [],
);
const OTHERS = CHECKS.flatMap((check, at) => (at === 0 || NUMBERS.includes(at) ? [] : [{ at, check }]));
const absent: Record<string, unknown> = ABSENT;

/** Row numbers count up from 1: a place in the window's columns follows from them. */
function isRowId(cell: unknown): boolean {
  return Number.isSafeInteger(cell) && (cell as number) >= 0;
}

/** What a cell of that column must be. */
export function isSummaryCell(column: number): CellCheck {
  return (column === 0 ? isRowId : CHECKS[column]) ?? (() => false);
}

/** Whether these are the cells of a whole row. */
export function isSummaryRow(row: unknown): row is unknown[] {
  if (!Array.isArray(row) || row.length !== CHECKS.length || !isRowId(row[0])) return false;
  for (const at of NUMBERS) if (typeof row[at] !== 'number' || Number.isNaN(row[at])) return false;
  return OTHERS.every(({ at, check }) => check(row[at]));
}

/** Adds the cells that a row of an older session file lacks; others it keeps as they are. */
export function withAbsentCells(row: unknown): unknown {
  if (!Array.isArray(row) || row.length >= CHECKS.length) return row;
  const missing = SUMMARY_NAMES.slice(row.length);
  return missing.every((name: SummaryColumn) => Object.hasOwn(absent, name))
    ? [...row, ...missing.map((name) => absent[name])]
    : row;
}

/**
 * JSON: an array of `SummaryRow`. Rows travel as text that is created once, where they are recorded, and passes through
 * the host's thread unread.
 */
export const RowTextSchema = v.pipe(
  v.string(),
  v.parseJson(),
  // An array schema creates an object for each row, and `goodRows` checks them anyway.
  v.custom<readonly unknown[]>(Array.isArray),
);

/** The rows among these, and how many are invalid: one bad row must not discard the others. */
export function goodRows(found: readonly unknown[]): { rows: SummaryRow[]; badRows: number } {
  const rows = found.map(withAbsentCells).filter(isSummaryRow);
  return { rows, badRows: found.length - rows.length };
}
