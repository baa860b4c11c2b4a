import { type Cell, type PageColumn, pageCell } from '../../../shared/contract/row-columns.ts';

/** Rows of one chunk; a power of two. */
export const CHUNK_ROWS = 4096;

/**
 * The cells of one column of a chunk. Most columns hold the same value throughout, as `rules` does without rules: that
 * takes no memory until another value comes. Integers take four bytes, other numbers eight, texts a reference.
 */
export class CellColumn {
  /** The value of every cell while `#cells` is null. */
  #same: Cell | undefined;
  #cells: Int32Array | Float64Array | Cell[] | null = null;

  get(at: number): Cell {
    return this.#cells === null ? (this.#same ?? null) : (this.#cells[at] ?? null);
  }

  set(at: number, cell: Cell): void {
    if (this.#cells === null) {
      if (this.#same === undefined) this.#same = cell;
      if (this.#same === cell) return;
      this.#cells = this.#filled(cell);
    } else if (this.#cells instanceof Int32Array && !isInt32(cell)) {
      this.#cells = Float64Array.from(this.#cells);
    }
    this.#cells[at] = cell as never;
  }

  /** Sets the cells of several rows. `from`: their places on the page; `to`: their places here, in the same order. */
  setAll(to: readonly number[], column: PageColumn | undefined, from: readonly number[]): void {
    if (this.#cells === null && column !== undefined && 'same' in column) {
      if (this.#same === undefined) this.#same = column.same;
      if (this.#same === column.same) return;
    }
    const numbers = column !== undefined && 'cells' in column ? column.cells : null;
    const into = numbers instanceof Int32Array || numbers instanceof Float64Array ? this.#roomFor(numbers) : null;
    if (numbers === null || into === null) {
      for (const [index, at] of to.entries()) this.set(at, pageCell(column, from[index] ?? 0));
      return;
    }
    for (let index = 0; index < to.length; index += 1) into[to[index] ?? 0] = numbers[from[index] ?? 0] as number;
  }

  /** The array of the cells so far, of a type that also holds these numbers; null: the cells are no numbers. */
  #roomFor(numbers: Int32Array | Float64Array): Int32Array | Float64Array | null {
    const { constructor: Numbers } = numbers;
    if (this.#cells === null) {
      const same = this.#same ?? 0;
      if (typeof same !== 'number') return null;
      const isWide = Numbers === Float64Array || !isInt32(same);
      this.#cells = (isWide ? new Float64Array(CHUNK_ROWS) : new Int32Array(CHUNK_ROWS)).fill(same);
    } else if (this.#cells instanceof Int32Array && Numbers === Float64Array) {
      this.#cells = Float64Array.from(this.#cells);
    }
    return Array.isArray(this.#cells) ? null : this.#cells;
  }

  /** An array of the cells so far, in the smallest type that also holds the next cell. */
  #filled(next: Cell): Int32Array | Float64Array | Cell[] {
    const same = this.#same ?? null;
    if (typeof same !== 'number' || typeof next !== 'number') return new Array<Cell>(CHUNK_ROWS).fill(same);
    const Numbers = isInt32(same) && isInt32(next) ? Int32Array : Float64Array;
    return new Numbers(CHUNK_ROWS).fill(same);
  }
}

function isInt32(cell: Cell): boolean {
  // Negative zero is not an Int32, but JSON senders do not use it.
  return typeof cell === 'number' && (cell | 0) === cell;
}
