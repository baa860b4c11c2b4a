import type { IdRange } from './session-edits.ts';

/** The ids as ascending ranges without overlap. */
export function rangesOf(ids: Iterable<number>): IdRange[] {
  const ranges: IdRange[] = [];
  for (const id of [...ids].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && id <= last.last + 1) last.last = id;
    else ranges.push({ first: id, last: id });
  }
  return ranges;
}

/** `ranges`: ascending, without overlap. */
export function isInRanges(ranges: readonly IdRange[], id: number): boolean {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.last ?? 0) < id) low = middle + 1;
    else high = middle;
  }
  const range = ranges[low];
  return range !== undefined && range.first <= id;
}
