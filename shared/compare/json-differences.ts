import { isRawNumber } from '../format/exact-json.ts';

/** A value of two JSON documents that differs. `undefined`: the document does not have it. */
export interface JsonDifference {
  /** `$.items[2].name`; names that are not identifiers are quoted: `$["a b"]`. */
  path: string;
  before: unknown;
  after: unknown;
}

/**
 * Compares two JSON values by structure: the order of an object's members does not matter. Items of a list are compared
 * by their place, except those that two lists of different lengths begin and end with. Returns at most `limit`
 * differences, in the order of the documents. Numbers may be those of `parseExactly`.
 */
export function jsonDifferences(before: unknown, after: unknown, limit: number): JsonDifference[] {
  const found: JsonDifference[] = [];
  const pending: JsonDifference[] = [{ path: '$', before, after }];
  // A loop with its own stack: documents may be nested deeper than the call stack.
  for (let next = pending.pop(); next !== undefined && found.length < limit; next = pending.pop()) {
    const inner = membersOf(next);
    if (inner === null) {
      if (!isSameValue(next.before, next.after)) found.push(next);
      continue;
    }
    for (let at = inner.length - 1; at >= 0; at -= 1) {
      const member = inner[at];
      if (member) pending.push(member);
    }
  }
  return found;
}

/** The members of two lists or two objects, side by side; null if they are not of the same kind. */
function membersOf({ path, before, after }: JsonDifference): JsonDifference[] | null {
  if (Array.isArray(before) && Array.isArray(after)) return itemsOf(path, before, after);
  if (!isObject(before) || !isObject(after)) return null;
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const own = (of: Record<string, unknown>, name: string) => (Object.hasOwn(of, name) ? of[name] : undefined);
  return [...names].map((name) => ({
    path: path + (/^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`),
    before: own(before, name),
    after: own(after, name),
  }));
}

/** An item that is new at the front would otherwise make all others differ. */
function itemsOf(path: string, before: readonly unknown[], after: readonly unknown[]): JsonDifference[] {
  const most = before.length === after.length ? 0 : Math.min(before.length, after.length);
  let start = 0;
  while (start < most && isEqual(before[start], after[start])) start += 1;
  let end = 0;
  while (start + end < most && isEqual(before.at(-1 - end), after.at(-1 - end))) end += 1;
  const [was, is] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  return Array.from({ length: Math.max(was.length, is.length) }, (_, at) => ({
    path: `${path}[${start + at}]`,
    before: was[at],
    after: is[at],
  }));
}

function isEqual(one: unknown, other: unknown): boolean {
  const pending: [unknown, unknown][] = [[one, other]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [was, is] = next;
    if (isBranch(was) && isBranch(is) && Array.isArray(was) === Array.isArray(is)) {
      const names = Object.keys(was);
      if (names.length !== Object.keys(is).length) return false;
      for (const name of names) {
        if (!Object.hasOwn(is, name)) return false;
        pending.push([was[name], is[name]]);
      }
    } else if (!isSameValue(was, is)) return false;
  }
  return true;
}

/** Whether two numbers, texts or the like are the same, however a number is written. */
function isSameValue(one: unknown, other: unknown): boolean {
  if (!isRawNumber(one) && !isRawNumber(other)) return one === other;
  const [was, is] = [JSON.stringify(one), JSON.stringify(other)];
  // Two numbers of many digits can be the same to JavaScript.
  return was === is || (Number(was) === Number(is) && !/\d{16}/.test(`${was} ${is}`.replaceAll('.', '')));
}

function isBranch(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !isRawNumber(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return isBranch(value) && !Array.isArray(value);
}
