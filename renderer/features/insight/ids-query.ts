/** A query stays readable, and quick to compile, up to this many parts. */
const MOST_PARTS = 100;

/**
 * The filter that shows these exchanges: `id:1..3,7`. Consecutive ids become a range; ids beyond the limit are left
 * out.
 */
export function idsQuery(ids: readonly number[]): string {
  const parts: { from: number; to: number }[] = [];
  for (const id of [...ids].sort((one, other) => one - other)) {
    const last = parts.at(-1);
    if (last && id <= last.to + 1) last.to = id;
    else parts.push({ from: id, to: id });
  }
  const shown = parts.slice(0, MOST_PARTS).map(({ from, to }) => (from === to ? `${from}` : `${from}..${to}`));
  return `id:${shown.join(',')}`;
}
