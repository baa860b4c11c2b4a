import type { RowColumns } from '../../../shared/contract/row-columns.ts';
import type { SummaryRow } from '../../../shared/model/exchange-summary.ts';
import { cellAt, SUMMARY_NAMES } from '../../../shared/model/summary-columns.ts';
import { CellColumn, CHUNK_ROWS } from './cell-column.ts';

const ID = cellAt('id');
/** Flags of a row. */
const [KNOWN, SHOWN] = [1, 2];

/** The rows with the ids `first` to `first + CHUNK_ROWS - 1`, in columns. */
export class RowChunk {
  readonly first: number;
  readonly #columns = SUMMARY_NAMES.map(() => new CellColumn());
  readonly #flags = new Uint8Array(CHUNK_ROWS);

  constructor(first: number) {
    this.first = first;
  }

  /** `at`: the row's place in the chunk; `column`: the cell's place in a summary. */
  cell(at: number, column: number): string | number | null {
    return this.#columns[column]?.get(at) ?? null;
  }

  /**
   * `shared` returns the one copy of a text that many rows have. The id is not a cell: it follows from the position.
   */
  set(at: number, cells: SummaryRow, shared: (text: string) => string): void {
    for (const [column, of] of this.#columns.entries()) {
      if (column === ID) continue;
      const cell = cells[column];
      of.set(at, typeof cell === 'string' ? shared(cell) : (cell as number | null));
    }
    this.#flags[at] = this.#flagsAt(at) | KNOWN;
  }

  /**
   * Several rows. `from`: their places on the page; `to`: their places in the chunk, in the same order.
   * Returns how many were not there.
   */
  setAll(to: readonly number[], page: RowColumns, from: readonly number[]): number {
    for (const [column, of] of this.#columns.entries()) if (column !== ID) of.setAll(to, page.columns[column], from);
    let added = 0;
    for (const at of to) {
      added += Number(!this.isKnown(at));
      this.#flags[at] = this.#flagsAt(at) | KNOWN;
    }
    return added;
  }

  /** All cells in the order of a summary, with the id. */
  cells(at: number): unknown[] {
    return this.#columns.map((column, index) => (index === ID ? this.first + at : column.get(at)));
  }

  isKnown(at: number): boolean {
    return (this.#flagsAt(at) & KNOWN) !== 0;
  }

  isShown(at: number): boolean {
    return (this.#flagsAt(at) & SHOWN) !== 0;
  }

  show(at: number, shown: boolean): void {
    this.#flags[at] = (this.#flagsAt(at) & ~SHOWN) | (shown ? SHOWN : 0);
  }

  /** Of its rows, ascending. */
  *ids(): Generator<number> {
    for (let at = 0; at < CHUNK_ROWS; at += 1) if (this.isKnown(at)) yield this.first + at;
  }

  /** The highest id of its rows; 0: it has none. */
  get lastId(): number {
    for (let at = CHUNK_ROWS - 1; at >= 0; at -= 1) if (this.isKnown(at)) return this.first + at;
    return 0;
  }

  /** The cells stay: an unknown row is never read, and a restored one overwrites them. */
  forget(at: number): void {
    this.#flags[at] = 0;
  }

  /** Shows all of its rows or none. */
  showAll(shown: boolean): void {
    for (let at = 0; at < CHUNK_ROWS; at += 1) this.show(at, shown && this.isKnown(at));
  }

  #flagsAt(at: number): number {
    return this.#flags[at] ?? 0;
  }
}
