/** A query, or whether a condition holds for all messages or for none. */
export type Condition = string | boolean;

/** Whether a query needs no parentheses after NOT or next to other terms. */
function isOne(query: string): boolean {
  return /^(?:(?:[^\s()"]|"(?:\\.|[^"\\])*")+|\((?:[^()"]|"(?:\\.|[^"\\])*")*\))$/s.test(query);
}

const queries = (parts: readonly Condition[]): string[] => [
  ...new Set(parts.filter((part): part is string => typeof part === 'string')),
];

/** All of them hold. */
export function both(...parts: Condition[]): Condition {
  if (parts.includes(false)) return false;
  return queries(parts).join(' ') || true;
}

/** At least one of them holds. */
export function either(...parts: Condition[]): Condition {
  if (parts.includes(true)) return true;
  const [first, ...others] = queries(parts);
  if (first === undefined) return false;
  if (others.length === 0) return first;
  return `(${[first, ...others].map((part) => (isOne(part) ? part : `(${part})`)).join(' OR ')})`;
}

export function negated(part: Condition): Condition {
  if (typeof part === 'boolean') return !part;
  return `NOT ${isOne(part) ? part : `(${part})`}`;
}
