import { type Cell, type PageColumn, pageCell, type RowColumns } from '../../../shared/contract/row-columns.ts';
import { type ExchangeSummary, type SummaryRow, summaryOf } from '../../../shared/model/exchange-summary.ts';
import { cellAt } from '../../../shared/model/summary-columns.ts';
import { CHUNK_ROWS } from './cell-column.ts';
import { RowChunk } from './row-chunk.ts';
import { type ColourOf, rowView } from './row-view.ts';
import { SharedTexts } from './shared-texts.ts';

const [ID, REVISION] = [cellAt('id'), cellAt('revision')];

/**
 * The rows of a session, in columns: an object for each row would take five times the memory. A row's place follows
 * from its id, because ids increase. No row exists twice.
 */
export class RowStore {
  readonly #colourOf: ColourOf;
  #chunks = new Map<number, RowChunk>();
  /** Ascending by id; null: to be sorted. */
  #ordered: RowChunk[] | null = null;
  /** Most rows share method, host and type with others. */
  readonly #texts = new SharedTexts();
  #size = 0;

  constructor(colourOf: ColourOf = () => null) {
    this.#colourOf = colourOf;
  }

  get size(): number {
    return this.#size;
  }

  /** The highest id; 0: there is no row. */
  get lastId(): number {
    // Rows may have been removed: the last chunk may be empty.
    const chunks = this.chunks();
    for (let at = chunks.length - 1; at >= 0; at -= 1) {
      const last = chunks[at]?.lastId ?? 0;
      if (last > 0) return last;
    }
    return 0;
  }

  /** All chunks, ascending by id. */
  chunks(): readonly RowChunk[] {
    this.#ordered ??= [...this.#chunks.values()].sort((a, b) => a.first - b.first);
    return this.#ordered;
  }

  has(id: number): boolean {
    return this.#chunkOf(id)?.isKnown(id % CHUNK_ROWS) ?? false;
  }

  /** The row's revision; -1: there is no such row. */
  revision(id: number): number {
    return this.has(id) ? Number(this.#chunkOf(id)?.cell(id % CHUNK_ROWS, REVISION)) : -1;
  }

  /** For immediate use: it changes with the row. For an id without a row, its values are undefined. */
  view(id: number): ExchangeSummary {
    return rowView(this.#chunkOf(id) ?? new RowChunk(0), id % CHUNK_ROWS, this.#colourOf);
  }

  /** The row at `at` of a chunk, as `view`. */
  viewIn(chunk: RowChunk, at: number): ExchangeSummary {
    return rowView(chunk, at, this.#colourOf);
  }

  /** The row as it is now. */
  summary(id: number): ExchangeSummary | undefined {
    const chunk = this.#chunkOf(id);
    if (!chunk?.isKnown(id % CHUNK_ROWS)) return undefined;
    const summary = summaryOf(chunk.cells(id % CHUNK_ROWS));
    return { ...summary, colour: this.#colourOf(id) ?? summary.colour };
  }

  /** Adds a row, or replaces it. */
  set(cells: SummaryRow): void {
    const id = idOf(cells);
    const chunk = this.#chunkOf(id) ?? this.#addChunk(id);
    this.#size += Number(!chunk.isKnown(id % CHUNK_ROWS));
    chunk.set(id % CHUNK_ROWS, cells, this.#shared);
  }

  /** Adds the rows at these places of a page, or replaces them. */
  setAll(page: RowColumns, places: readonly number[]): void {
    const shared = { ...page, columns: page.columns.map(this.#sharedColumn) };
    let [from, to]: [number[], number[]] = [[], []];
    let chunk: RowChunk | undefined;
    for (const place of places) {
      const id = pageId(page, place);
      const next = this.#chunkOf(id) ?? this.#addChunk(id);
      if (next !== chunk) {
        this.#size += chunk?.setAll(to, shared, from) ?? 0;
        [from, to] = [[], []];
        chunk = next;
      }
      from.push(place);
      to.push(id % CHUNK_ROWS);
    }
    this.#size += chunk?.setAll(to, shared, from) ?? 0;
  }

  delete(id: number): void {
    if (!this.has(id)) return;
    this.#chunkOf(id)?.forget(id % CHUNK_ROWS);
    this.#size -= 1;
  }

  /** The texts are dropped too: another session has different ones. */
  clear(): void {
    this.#chunks.clear();
    this.#ordered = null;
    this.#texts.clear();
    this.#size = 0;
  }

  /** Whether the list shows the row. */
  isShown(id: number): boolean {
    return this.#chunkOf(id)?.isShown(id % CHUNK_ROWS) ?? false;
  }

  show(id: number, shown: boolean): void {
    this.#chunkOf(id)?.show(id % CHUNK_ROWS, shown);
  }

  /** Shows all rows or none. Far cheaper than one by one. */
  showAll(shown: boolean): void {
    for (const chunk of this.#chunks.values()) chunk.showAll(shown);
  }

  #chunkOf(id: number): RowChunk | undefined {
    return this.#chunks.get(Math.floor(id / CHUNK_ROWS));
  }

  #addChunk(id: number): RowChunk {
    const number = Math.floor(id / CHUNK_ROWS);
    const chunk = new RowChunk(number * CHUNK_ROWS);
    this.#chunks.set(number, chunk);
    this.#ordered = null;
    return chunk;
  }

  /** The same text in the one copy that other rows refer to. */
  #shared = (text: string): string => this.#texts.get(text);

  #sharedCell = (cell: Cell): Cell => (typeof cell === 'string' ? this.#texts.get(cell) : cell);

  #sharedColumn = (column: PageColumn): PageColumn => {
    if ('same' in column) return { same: this.#sharedCell(column.same) };
    if ('of' in column) return { of: column.of.map(this.#sharedCell), at: column.at };
    const isText = typeof column.cells[0] === 'string' || column.cells[0] === null;
    return isText ? { cells: Array.from(column.cells, this.#sharedCell) } : column;
  };
}

/** The exchange's id, read from a row as it arrives: this creates no object. */
export function idOf(cells: SummaryRow): number {
  return cells[ID] as number;
}

/** The row's revision, read in the same way. It increments with each change of the exchange. */
export function revisionOf(cells: SummaryRow): number {
  return cells[REVISION] as number;
}

/** The same of a row of a page. `at`: its place there. */
export function pageId(page: RowColumns, at: number): number {
  return pageCell(page.columns[ID], at) as number;
}

export function pageRevision(page: RowColumns, at: number): number {
  return pageCell(page.columns[REVISION], at) as number;
}
