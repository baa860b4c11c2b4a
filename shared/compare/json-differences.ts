/** A value of two JSON documents that differs. `undefined`: the document does not have it. */
export interface JsonDifference {
  /** `$.items[2].name`; names that are not identifiers are quoted: `$["a b"]`. */
  path: string;
  before: unknown;
  after: unknown;
}

/**
 * Compares two JSON values by structure: the order of an object's members does not matter, items of a list are compared
 * by their place. Returns at most `limit` differences, in the order of the documents.
 */
export function jsonDifferences(before: unknown, after: unknown, limit: number): JsonDifference[] {
  const found: JsonDifference[] = [];
  const pending: JsonDifference[] = [{ path: '$', before, after }];
  // A loop with its own stack: documents may be nested deeper than the call stack.
  for (let next = pending.pop(); next !== undefined && found.length < limit; next = pending.pop()) {
    const inner = membersOf(next);
    if (inner === null) {
      if (next.before !== next.after) found.push(next);
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
  if (Array.isArray(before) && Array.isArray(after)) {
    return Array.from({ length: Math.max(before.length, after.length) }, (_, at) => ({
      path: `${path}[${at}]`,
      before: before[at],
      after: after[at],
    }));
  }
  if (!isObject(before) || !isObject(after)) return null;
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const own = (of: Record<string, unknown>, name: string) => (Object.hasOwn(of, name) ? of[name] : undefined);
  return [...names].map((name) => ({
    path: path + (/^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`),
    before: own(before, name),
    after: own(after, name),
  }));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
