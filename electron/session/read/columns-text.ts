import { BITS_OF_DIGIT, DIGITS, type PackedNumbers } from '../../../shared/contract/packed-numbers.ts';
import type { Cell, PageColumn } from '../../../shared/contract/row-columns.ts';
import type { SummaryRow } from '../../../shared/model/exchange-summary.ts';
import { SUMMARY_NAMES } from '../../../shared/model/summary-columns.ts';

/** A text is named by its place if it is the cell of this many rows on average. */
const ROWS_PER_TEXT = 4;
/** The highest offset: a larger one needs slower arithmetic. In microseconds, it is 35 minutes. */
const HIGHEST = 2 ** 31 - 1;

/** The lowest and the highest number, in units; null: some cells are no numbers, or they lie too far apart. */
function unitsOf(rows: readonly SummaryRow[], column: number): { per: 1 | 1000; from: number; to: number } | null {
  let [lowest, highest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let per: 1 | 1000 = 1;
  for (let at = 0; at < rows.length; at += 1) {
    const number = rows[at]?.[column];
    if (typeof number !== 'number') return null;
    if (number < lowest) lowest = number;
    if (number > highest) highest = number;
    if (!Number.isInteger(number)) per = 1000;
  }
  const [from, to] = [Math.round(lowest * per), Math.round(highest * per)];
  return Number.isSafeInteger(from) && to - from <= HIGHEST ? { per, from, to } : null;
}

/**
 * Null: these are no numbers, or they have more digits or lie too far apart. Reads the rows by their index, and twice:
 * an array of the numbers would leave so much garbage that the rows survive it, and collecting them takes longer than
 * making the page.
 */
function packedNumbers(rows: readonly SummaryRow[], column: number): PackedNumbers | null {
  const units = unitsOf(rows, column);
  if (units === null) return null;
  const { per, from, to } = units;
  let width = 1;
  while (2 ** (BITS_OF_DIGIT * width) <= to - from) width += 1;
  const digits = Buffer.allocUnsafe(rows.length * width);
  for (let at = 0; at < rows.length; at += 1) {
    const number = rows[at]?.[column] as number;
    const unit = Math.round(number * per);
    if (unit / per !== number) return null;
    let rest = unit - from;
    for (let place = (at + 1) * width - 1; place >= at * width; place -= 1) {
      digits[place] = DIGITS[rest & (DIGITS.length - 1)] ?? 0;
      rest >>>= BITS_OF_DIGIT;
    }
  }
  return { from, per, offsets: digits.toString('latin1') };
}

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

function columnOf(rows: readonly SummaryRow[], column: number): PageColumn | PackedNumbers {
  const first = rows[0]?.[column] as Cell | undefined;
  if (first !== undefined && rows.every((row) => row[column] === first)) return { same: first };
  const packed = typeof first === 'number' ? packedNumbers(rows, column) : null;
  if (packed !== null) return packed;
  const cells = rows.map((row) => row[column] as Cell);
  return typeof first === 'string' || first === null ? textColumn(cells) : { cells };
}

/**
 * JSON of the columns of these whole rows, for `columnsIn`: a fraction of the bytes of the rows, and of the work to
 * read them.
 */
export function columnsText(rows: readonly SummaryRow[]): string {
  return JSON.stringify(SUMMARY_NAMES.map((_, column) => columnOf(rows, column)));
}
