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

/** Groups of items that agree in every key. Faster than one key that joins them: no text is made for each item. */
export function groupsOf<T>(items: readonly T[], ...keys: readonly ((item: T) => unknown)[]): T[][] {
  let groups = [[...items]];
  for (const keyOf of keys) {
    groups = groups.flatMap((group) => (group.length === 1 ? [group] : [...groupBy(group, keyOf).values()]));
  }
  return groups;
}

/** Exchanges that ask for the same kind of thing: method, origin and path template; and what `more` says. */
export function kindsOf(facts: readonly Fact[], more: (fact: Fact) => unknown = () => null): Fact[][] {
  return groupsOf(
    facts,
    ({ origin }) => origin,
    ({ template }) => template,
    ({ method }) => method,
    more,
  );
}
