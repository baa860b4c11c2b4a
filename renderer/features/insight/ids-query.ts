/** A query stays readable, and quick to compile, up to this many parts. */
const MOST_PARTS = 100;

interface Range {
  from: number;
  to: number;
}

/** Consecutive ids become a range. */
function rangesOf(ids: readonly number[]): Range[] {
  const parts: Range[] = [];
  for (const id of [...ids].sort((one, other) => one - other)) {
    const last = parts.at(-1);
    if (last && id <= last.to + 1) last.to = id;
    else parts.push({ from: id, to: id });
  }
  return parts.slice(0, MOST_PARTS);
}

/** The filter that shows these exchanges: `id:1..3,7`. Ids beyond the limit are left out. */
export function idsQuery(ids: readonly number[]): string {
  const shown = rangesOf(ids).map(({ from, to }) => (from === to ? `${from}` : `${from}..${to}`));
  return `id:${shown.join(',')}`;
}

/** How many of the ids that filter shows. */
export function shownIds(ids: readonly number[]): number {
  return rangesOf(ids).reduce((sum, { from, to }) => sum + to - from + 1, 0);
}
