import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import { CHUNK_ROWS } from './cell-column.ts';
import type { RowStore } from './row-store.ts';
import { sortedOrder } from './sorted-order.ts';

/** Rows between two possible pauses. */
const STEP = 512;

/** Which rows are shown, and in what order. */
export interface Arrangement {
  matches: (row: ExchangeSummary) => boolean;
  /** Null: in order of arrival. */
  sorting: Sorting | null;
}

/** A sort order; `key` is the column, `value` what it sorts by, the same type for all rows. */
export interface Sorting {
  key: string;
  descending: boolean;
  value: (row: ExchangeSummary) => number | string;
}

/**
 * The ids of the rows to show, in order. May pause at each `yield`. `isPinned`: rows that come first and always show.
 */
export function* arrangedRows(
  store: RowStore,
  { matches, sorting }: Arrangement,
  isPinned: (id: number) => boolean,
): Generator<void, number[]> {
  const pinned: number[] = [];
  const others: number[] = [];
  for (const chunk of store.chunks()) {
    for (let at = 0; at < CHUNK_ROWS; at += 1) {
      if (at % STEP === 0) yield;
      if (!chunk.isKnown(at)) continue;
      const id = chunk.first + at;
      if (isPinned(id)) pinned.push(id);
      else if (matches(store.viewIn(chunk, at))) others.push(id);
    }
  }
  if (sorting === null) return pinned.concat(others);
  const first = yield* sortedIds(store, pinned, sorting);
  return first.concat(yield* sortedIds(store, others, sorting));
}

/** Reads each row's value once: a comparison that reads two rows would read each about twenty times. */
function* sortedIds(store: RowStore, ids: readonly number[], sorting: Sorting): Generator<void, number[]> {
  const values: (number | string)[] = [];
  for (const [index, id] of ids.entries()) {
    if (index % STEP === 0) yield;
    values.push(sorting.value(store.view(id)));
  }
  const keys = yield* keysOf(values);
  const sign = sorting.descending ? -1 : 1;
  const order = yield* sortedOrder(ids.length, (a, b) => sign * ((keys[a] ?? 0) - (keys[b] ?? 0)));
  const sorted: number[] = [];
  for (const [place, index] of order.entries()) {
    if (place % STEP === 0) yield;
    sorted.push(ids[index] ?? 0);
  }
  return sorted;
}

/** A number for each value, in the same order: texts become their places among all of them, which compare faster. */
function* keysOf(values: readonly (number | string)[]): Generator<void, Float64Array> {
  if (typeof values[0] !== 'string') return Float64Array.from(values as readonly number[]);
  const places = new Map<number | string, number>();
  for (const [index, value] of values.entries()) {
    if (index % STEP === 0) yield;
    places.set(value, 0);
  }
  const texts = [...places.keys()] as string[];
  const order = yield* sortedOrder(texts.length, (a, b) => compareTexts(texts[a] ?? '', texts[b] ?? ''));
  for (const [place, index] of order.entries()) {
    if (place % STEP === 0) yield;
    places.set(texts[index] ?? '', place);
  }
  const keys = new Float64Array(values.length);
  for (const [index, value] of values.entries()) {
    if (index % STEP === 0) yield;
    keys[index] = places.get(value) ?? 0;
  }
  return keys;
}

/** By code unit, which is fast and groups equal texts. */
function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
