/** More edits than this share of the name make it a different word. */
const MOST_EDITS = 0.4;

/** Insertions, deletions, replacements and swaps of neighbours that turn one word into the other (Damerau, 1964). */
function edits(one: string, other: string): number {
  let [before, last]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_none, at) => at)];
  for (let row = 1; row <= one.length; row += 1) {
    const now = [row];
    for (let at = 1; at <= other.length; at += 1) {
      const cost = one[row - 1] === other[at - 1] ? 0 : 1;
      const least = Math.min((last[at] ?? 0) + 1, (now[at - 1] ?? 0) + 1, (last[at - 1] ?? 0) + cost);
      const isSwap = row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      now.push(isSwap ? Math.min(least, (before[at - 2] ?? 0) + 1) : least);
    }
    [before, last] = [last, now];
  }
  return last[other.length] ?? 0;
}

/** The probably intended name; undefined if none is close. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  const ranked = names.map((name) => ({ name, distance: edits(given, name) })).sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  return best && best.distance <= Math.max(1, Math.floor(given.length * MOST_EDITS)) ? best.name : undefined;
}
