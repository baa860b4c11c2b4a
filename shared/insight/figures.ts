/** Of an unsorted list; NaN for an empty one. */
export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** With linear interpolation between ranks (Hyndman and Fan's type 7). `percent`: 0 to 100. NaN for an empty list. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  const rank = ((sorted.length - 1) * percent) / 100;
  const below = sorted[Math.floor(rank)] ?? Number.NaN;
  const above = sorted[Math.ceil(rank)] ?? below;
  return below + (above - below) * (rank - Math.floor(rank));
}

export function sumOf<T>(items: Iterable<T>, of: (item: T) => number): number {
  let sum = 0;
  for (const item of items) sum += of(item);
  return sum;
}

/** Rounded to tenths: what a title says and the finding's cost then agree, however they are shown. */
export function tenths(figure: number): number {
  return Math.round(figure * 10) / 10;
}
