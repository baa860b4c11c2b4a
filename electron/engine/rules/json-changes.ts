import { isRawNumber } from '../../../shared/format/exact-json.ts';
import type { PatchOperation } from '../../../shared/model/rule/actions.ts';

type Json = unknown;

function isObject(value: Json): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);
}

/** A JSON merge patch (RFC 7396, section 2). `target` stays unchanged. */
export function merged(target: Json, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const result: Record<string, Json> = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else Object.defineProperty(result, name, { ...OWN, value: merged(result[name], value) });
  }
  return result;
}

/** `__proto__` is a name like any other in JSON. */
const OWN = { configurable: true, enumerable: true, writable: true };

/** The reference tokens of a JSON pointer (RFC 6901, section 4). */
function tokensOf(pointer: string): string[] {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) throw new Error(`${JSON.stringify(pointer)} is not a JSON pointer`);
  const tokens = pointer.slice(1).split('/');
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function missing(token: string): Error {
  return new Error(`the body has no ${JSON.stringify(token)} there`);
}

function indexOf(list: readonly Json[], token: string, end: number): number {
  const index = token === '-' ? list.length : /^(0|[1-9]\d*)$/.test(token) ? Number(token) : Number.NaN;
  if (!(index <= end)) throw missing(token);
  return index;
}

function child(parent: Json, token: string): Json {
  if (Array.isArray(parent)) return parent[indexOf(parent, token, parent.length - 1)];
  if (isObject(parent) && Object.hasOwn(parent, token)) return parent[token];
  throw missing(token);
}

function valueAt(root: Json, pointer: string): Json {
  return tokensOf(pointer).reduce(child, root);
}

/** The operation on the value at the end of a pointer. */
type Edit = 'add' | 'replace' | 'remove';

/** A copy with the change, along the path only. */
function edited(parent: Json, [token, ...rest]: readonly string[], edit: Edit, value: Json): Json {
  if (token === undefined) return edit === 'remove' ? null : value;
  if (rest.length > 0) return withChild(parent, token, edited(child(parent, token), rest, edit, value));
  if (edit !== 'add') child(parent, token);
  if (Array.isArray(parent)) {
    const index = indexOf(parent, token, edit === 'add' ? parent.length : parent.length - 1);
    return edit === 'add'
      ? parent.toSpliced(index, 0, value)
      : parent.toSpliced(index, 1, ...(edit === 'remove' ? [] : [value]));
  }
  if (!isObject(parent)) throw missing(token);
  if (edit !== 'remove') return withChild(parent, token, value);
  const { [token]: _removed, ...others } = parent;
  return others;
}

function withChild(parent: Json, token: string, value: Json): Json {
  if (Array.isArray(parent)) return parent.with(indexOf(parent, token, parent.length - 1), value);
  return Object.defineProperty({ ...(parent as object) }, token, { ...OWN, value });
}

/** Characters that the text of a document has at least. `known`: what occurs several times is counted once. */
export function leastLength(value: Json, known = new Map<object, number>()): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  let length = known.get(value) ?? 0;
  if (length > 0) return length;
  length = 2;
  for (const child of Object.values(value)) length += leastLength(child, known);
  if (isObject(value)) for (const name of Object.keys(value)) length += name.length;
  known.set(value, length);
  return length;
}

/** A JSON patch (RFC 6902): all of it, or an Error that names what did not apply. `document` stays unchanged. */
export function patched(document: Json, operations: readonly PatchOperation[]): Json {
  return operations.reduce<Json>(operated, document);
}

function operated(root: Json, operation: PatchOperation): Json {
  const { path } = operation;
  const tokens = tokensOf(path);
  if (operation.op === 'remove') return edited(root, tokens, 'remove', null);
  if (operation.op === 'copy') return edited(root, tokens, 'add', valueAt(root, operation.from));
  if (operation.op === 'move') return moved(root, operation.from, path);
  if (operation.op === 'add' || operation.op === 'replace') return edited(root, tokens, operation.op, operation.value);
  if (!isSame(valueAt(root, path), operation.value)) throw new Error(`the test at ${JSON.stringify(path)} failed`);
  return root;
}

function moved(root: Json, from: string, to: string): Json {
  if (to.startsWith(`${from}/`)) throw new Error('a value cannot be moved into itself');
  const value = valueAt(root, from);
  return edited(edited(root, tokensOf(from), 'remove', null), tokensOf(to), 'add', value);
}

/** RFC 6902, section 4.6: the order of an object's members does not count, nor how a number is written. */
function isSame(one: Json, other: Json): boolean {
  if (isRawNumber(one)) return Number(one.rawJSON) === other;
  if (Array.isArray(one)) {
    return (
      Array.isArray(other) && one.length === other.length && one.every((each, index) => isSame(each, other[index]))
    );
  }
  if (!isObject(one)) return one === other;
  if (!isObject(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]))
  );
}
