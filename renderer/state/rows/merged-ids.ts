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

/** Ids that may be inserted at once: they become arguments of a call. */
const MOST_AT_ONCE = 10_000;

/**
 * Sorted ids without those of `leave` and with those of `enter`; changes `ids` in place if it can. `compare` is asked
 * only about ids that enter, about twenty times each among a million: comparing costs more than copying. Ids that are
 * inserted at one place, such as those of a page, move only what follows.
 */
export function mergedIds(
  ids: number[],
  leave: ReadonlySet<number>,
  enter: readonly number[],
  compare: (a: number, b: number) => number,
): number[] {
  const stay = leave.size === 0 ? ids : ids.filter((id) => !leave.has(id));
  const entering = [...enter].sort(compare);
  const [first, last] = [entering[0], entering.at(-1)];
  if (first === undefined || last === undefined) return stay;
  const place = placeOf(stay, first, 0, compare);
  if (placeOf(stay, last, place, compare) === place) {
    if (entering.length > MOST_AT_ONCE) return stay.slice(0, place).concat(entering, stay.slice(place));
    stay.splice(place, 0, ...entering);
    return stay;
  }
  const merged = stay.slice(0, place);
  let copied = place;
  for (const id of entering) {
    const next = placeOf(stay, id, copied, compare);
    for (; copied < next; copied += 1) merged.push(stay[copied] ?? 0);
    merged.push(id);
  }
  for (; copied < stay.length; copied += 1) merged.push(stay[copied] ?? 0);
  return merged;
}
