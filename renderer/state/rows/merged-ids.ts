/** The first place in sorted ids where `id` can go. */
function placeOf(ids: readonly number[], id: number, from: number, compare: (a: number, b: number) => number): number {
  let [low, high] = [from, ids.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(ids[middle] ?? 0, id) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Sorted ids without those of `leave` and with those of `enter`. `compare` is asked only about ids that enter, about
 * twenty times each among a million: comparing costs more than copying. Rows at the end are added in place.
 */
export function mergedIds(
  ids: number[],
  leave: ReadonlySet<number>,
  enter: readonly number[],
  compare: (a: number, b: number) => number,
): number[] {
  if (leave.size === 0 && enter.length === 0) return ids;
  const stay = leave.size === 0 ? ids : ids.filter((id) => !leave.has(id));
  const entering = [...enter].sort(compare);
  const merged: number[] = [];
  let copied = 0;
  for (const id of entering) {
    const place = placeOf(stay, id, copied, compare);
    if (merged.length === 0 && place === stay.length) return appended(stay, entering);
    for (; copied < place; copied += 1) merged.push(stay[copied] ?? 0);
    merged.push(id);
  }
  for (; copied < stay.length; copied += 1) merged.push(stay[copied] ?? 0);
  return merged;
}

function appended(ids: number[], entering: readonly number[]): number[] {
  for (const id of entering) ids.push(id);
  return ids;
}
