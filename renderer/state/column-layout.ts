import { COLUMNS, type Column, type ColumnKey } from './columns.ts';

/** Widths set by the user, CSS pixels. */
export type ColumnWidths = Partial<Record<ColumnKey, number>>;

/** A column that has room, with the room that it got. */
export interface PlacedColumn extends Column {
  /** The width after layout, CSS pixels. */
  placed: number;
}

/** In the order in which they disappear as the list gets narrower. Without `host`, `path` becomes `url`. */
const LEAVING = COLUMNS.filter((column) => column.leaves !== undefined)
  .sort((a, b) => (a.leaves ?? 0) - (b.leaves ?? 0))
  .map(({ key }) => key);
/** The address's share of the remaining width; the waterfall gets the rest. */
const ADDRESS_SHARE = 0.6;
/** The default width limit of the address, CSS pixels: beyond it, width is more use to the waterfall. */
const ADDRESS_ENOUGH = 620;

/** CSS pixels of the widest digit of a list's number, and of the cell's padding and the mark of a finding beside it. */
const DIGIT = 7.5;
const BESIDE_NUMBER = 20;

/** With room for numbers of so many digits: the column's usual width is for five. A user's choice comes first. */
function forNumbers(digits: number, chosen: ColumnWidths): ColumnWidths {
  const needed = Math.ceil(digits * DIGIT + BESIDE_NUMBER);
  const usual = COLUMNS.find(({ key }) => key === 'id')?.width ?? 0;
  return needed > usual ? { id: needed, ...chosen } : chosen;
}

/** The space a column needs. One without a fixed width needs its minimum only; it grows into what is left. */
function widthOf({ key, width, narrowest }: Column, chosen: ColumnWidths): number {
  return width === 0 ? narrowest : Math.max(narrowest, chosen[key] ?? width);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** Either `host` and `path`, or `url`. */
function columnsWithout(fallen: ReadonlySet<ColumnKey>): Column[] {
  const left = fallen.has('host') ? 'path' : 'url';
  return COLUMNS.filter(({ key }) => key !== left && !fallen.has(key));
}

/**
 * The columns that fit into `width` CSS pixels, with their widths. Their sum never exceeds `width`. `digits`: of the
 * highest number of a row.
 */
export function layoutColumns(width: number, wanted: ColumnWidths, digits = 1): PlacedColumn[] {
  const chosen = forNumbers(digits, wanted);
  const fallen = new Set<ColumnKey>();
  let columns = columnsWithout(fallen);
  for (const key of LEAVING) {
    if (sum(columns.map((column) => widthOf(column, chosen))) <= width) break;
    fallen.add(key);
    columns = columnsWithout(fallen);
  }
  return place(columns, width, chosen);
}

/**
 * The address and the waterfall share what the other columns leave. Without a waterfall, the address gets all of it.
 */
function place(columns: readonly Column[], width: number, chosen: ColumnWidths): PlacedColumn[] {
  const rest = width - sum(columns.filter((column) => column.width > 0).map((column) => widthOf(column, chosen)));
  const address = addressWidth(columns, Math.max(0, rest), chosen);
  return columns.map((column) => {
    if (column.width > 0) return { ...column, placed: widthOf(column, chosen) };
    return { ...column, placed: column.key === 'waterfall' ? rest - address : address };
  });
}

/** The address's width: the user's or the default, but it leaves the waterfall its minimum. */
function addressWidth(columns: readonly Column[], rest: number, chosen: ColumnWidths): number {
  const waterfall = columns.find(({ key }) => key === 'waterfall');
  const address = columns.find(({ key }) => key === 'path' || key === 'url');
  if (!waterfall || !address) return rest;
  const wanted = chosen[address.key] ?? Math.min(ADDRESS_ENOUGH, Math.round(rest * ADDRESS_SHARE));
  return Math.max(address.narrowest, Math.min(wanted, rest - waterfall.narrowest));
}
