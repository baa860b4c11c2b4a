/** Indexes sorted at once, and merge steps between two possible pauses: well below a millisecond. */
const RUN = 1024;

/**
 * Sorts the indexes 0 to `count - 1`: a merge sort, and stable, that may pause at each `yield`. A sort that can't pause
 * would keep the window from drawing.
 */
export function* sortedOrder(count: number, compare: (a: number, b: number) => number): Generator<void, Uint32Array> {
  // A loop: `Uint32Array.from` with a function holds up 1,000,000 rows for several frames.
  let from: Uint32Array = new Uint32Array(count);
  for (let index = 0; index < count; index += 1) from[index] = index;
  yield;
  for (let start = 0; start < count; start += RUN) {
    from.subarray(start, start + RUN).sort(compare);
    yield;
  }
  let to: Uint32Array = new Uint32Array(count);
  for (let width = RUN; width < count; width *= 2) {
    for (let start = 0; start < count; start += 2 * width) {
      yield* merge(from, to, { start, middle: start + width, end: Math.min(start + 2 * width, count) }, compare);
    }
    [from, to] = [to, from];
  }
  return from;
}

/** Two adjacent sorted runs. `middle` may be past `end`: then there is no second run. */
interface Runs {
  start: number;
  middle: number;
  end: number;
}

/** Takes the left of two equal indexes, which makes the sort stable. */
function* merge(
  from: Uint32Array,
  to: Uint32Array,
  { start, middle, end }: Runs,
  compare: (a: number, b: number) => number,
): Generator<void> {
  let [left, right] = [start, middle];
  for (let at = start; at < end; at += 1) {
    if (at % RUN === 0) yield;
    const takesLeft = left < Math.min(middle, end) && (right >= end || compare(from[left] ?? 0, from[right] ?? 0) <= 0);
    to[at] = from[takesLeft ? left : right] ?? 0;
    if (takesLeft) left += 1;
    else right += 1;
  }
}
