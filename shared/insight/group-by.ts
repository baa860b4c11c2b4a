import type { Fact } from './fact.ts';

/** Groups in the order of their first member. */
export function groupBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** Groups of items that agree in every key. Faster than one joined key: no text is created for each item. */
export function groupsOf<T>(items: readonly T[], ...keys: readonly ((item: T) => unknown)[]): T[][] {
  let groups = [[...items]];
  for (const keyOf of keys) {
    groups = groups.flatMap((group) => (group.length === 1 ? [group] : [...groupBy(group, keyOf).values()]));
  }
  return groups;
}

/** Slots for hashes: 4 million, in which 100,000 texts rarely collide. A power of two. */
const SLOTS = 2 ** 22;

/**
 * The items that share their text with another one, and a few others. Cheap where most texts differ: a map of 100,000
 * texts took ten times as long.
 */
export function mayRepeat<T>(items: readonly T[], textOf: (item: T) => string): T[] {
  const seen = new Uint8Array(SLOTS);
  const slots = Uint32Array.from(items, (item) => slotOf(textOf(item)));
  for (const slot of slots) seen[slot] = Math.min((seen[slot] ?? 0) + 1, 2);
  return items.filter((_, index) => seen[slots[index] ?? 0] === 2);
}

/** FNV-1a, folded. */
function slotOf(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return (value ^ (value >>> 22)) & (SLOTS - 1);
}

/** Exchanges that request the same kind of thing: same method, origin, path template and `more`. */
export function kindsOf(facts: readonly Fact[], more: (fact: Fact) => unknown = () => null): Fact[][] {
  return groupsOf(
    facts,
    ({ origin }) => origin,
    ({ template }) => template,
    ({ method }) => method,
    more,
  );
}
