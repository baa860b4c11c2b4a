import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import { SUMMARY_NAMES } from '../../../shared/model/summary-columns.ts';
import { knownTotal, overheadTime } from '../../../shared/model/timings.ts';
import type { RowChunk } from './row-chunk.ts';

/** The colour that a user gave a row; null: none. */
export type ColourOf = (id: number) => ExchangeSummary['colour'];

/**
 * One row of a chunk, in the shape of a summary: filters and sort orders read from it the cells that they need. Making
 * one costs far less than a summary. It shows the row as it is now, and is for immediate use: code that keeps a row
 * uses `RowStore.summary`.
 */
class RowView {
  readonly chunk: RowChunk;
  readonly at: number;
  readonly colourOf: ColourOf;

  constructor(chunk: RowChunk, at: number, colourOf: ColourOf) {
    this.chunk = chunk;
    this.at = at;
    this.colourOf = colourOf;
  }
}

/** Getters of everything that is not a cell. The timings are cells, under the same names. */
const DERIVED: Record<string, (view: RowView & ExchangeSummary) => unknown> = {
  id: (view) => view.chunk.first + view.at,
  timings: (view) => view,
  ttfb: (view) => view.timings.wait,
  total: (view) => knownTotal(view.timings),
  overhead: (view) => overheadTime(view.timings),
  colour: (view) => view.colourOf(view.id) ?? view.chunk.cell(view.at, COLOUR),
};

/** Read by its place, because the getter of that name is the user's colour. */
const COLOUR = SUMMARY_NAMES.indexOf('colour');

for (const [column, name] of SUMMARY_NAMES.entries()) {
  Object.defineProperty(RowView.prototype, name, {
    configurable: true,
    get(this: RowView) {
      return this.chunk.cell(this.at, column);
    },
  });
}
for (const [name, of] of Object.entries(DERIVED)) {
  Object.defineProperty(RowView.prototype, name, {
    get(this: RowView & ExchangeSummary) {
      return of(this);
    },
  });
}

/** A view of the row at `at`, for immediate use: it shows whatever the chunk holds when a property is read. */
export function rowView(chunk: RowChunk, at: number, colourOf: ColourOf): ExchangeSummary {
  return new RowView(chunk, at, colourOf) as RowView & ExchangeSummary;
}
