import * as v from 'valibot';
import type { RuleFault } from '../../shared/model/rule/rule-state.ts';
import type { JsonPath, JsonSource } from './json-source.ts';

/** The parts of a valibot schema that lead to the fields of an object in it. */
interface Shape {
  readonly entries?: Readonly<Record<string, Shape>>;
  readonly item?: Shape;
  readonly wrapped?: Shape;
  readonly options?: readonly (Shape | string)[];
}

type Issue = v.BaseIssue<unknown>;

const KINDS: Readonly<Record<string, string>> = {
  string: 'text in double quotes',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list: [...]',
  strict_object: 'an object: {...}',
  strict_tuple: 'a pair of texts: ["name", "value"]',
};

/** The faults that `schema` finds in a value at the place `base` in the source. */
export function schemaFaults(
  source: JsonSource,
  schema: v.GenericSchema,
  value: unknown,
  base: JsonPath = [],
): RuleFault[] {
  const lists = listsForObjects(source, schema as Shape, value, base);
  if (lists.length > 0) return lists;
  const result = v.safeParse(schema, value);
  if (result.success) return [];
  return result.issues.map((issue) => faultOf(source, issue, { shape: schema as Shape, base }));
}

/** To valibot a list is an object too. */
function listsForObjects(source: JsonSource, shape: Shape, value: unknown, path: JsonPath): RuleFault[] {
  if (typeof value !== 'object' || value === null) return [];
  const shapes = opened(shape);
  if (Array.isArray(value) && shapes.some(({ entries }) => entries)) {
    return [source.faultAt(path, `${nameOf(path)} must be ${KINDS.strict_object}, not a list.`)];
  }
  return Object.entries(value).flatMap(([name, inner]) => {
    const key = Array.isArray(value) ? Number(name) : name;
    return shapes
      .flatMap((one) => child(one, key))
      .flatMap((next) => listsForObjects(source, next, inner, [...path, key]));
  });
}

interface Place {
  shape: Shape;
  base: JsonPath;
}

function faultOf(source: JsonSource, issue: Issue, { shape, base }: Place): RuleFault {
  const within = (issue.path ?? []).map(({ key }) => key as string | number);
  const path = [...base, ...within];
  const isPair = issue.path?.at(-1)?.type === 'array' && (isMissing(issue) || issue.expected === 'never');
  if (isPair) return source.faultAt(path.slice(0, -1), `This must be ${KINDS.strict_tuple}.`);
  if (issue.expected === 'never') {
    return source.faultAtName(path, unknownField(String(within.at(-1)), fieldsAt(shape, within.slice(0, -1))));
  }
  if (isMissing(issue)) {
    return source.faultAt(path, `The field ${JSON.stringify(path.at(-1))} is missing: add it.`);
  }
  return source.faultAt(path, sentence(issue, nameOf(path)));
}

function isMissing({ input, received }: Issue): boolean {
  return input === undefined && received === 'undefined';
}

function nameOf(path: JsonPath): string {
  const last = path.at(-1);
  if (last === undefined) return 'The file';
  return typeof last === 'string' ? JSON.stringify(last) : 'This';
}

function sentence(issue: Issue, name: string): string {
  const { type, input, expected, requirement, message } = issue;
  switch (type) {
    case 'min_value':
      return `${name} must be at least ${requirement}, not ${input}.`;
    case 'max_value':
      return `${name} must be at most ${requirement}, not ${input}.`;
    case 'integer':
      return `${name} must be a whole number, not ${input}.`;
    case 'min_length':
      return Array.isArray(input) ? `${name} must not be empty: add an item.` : `${name} must not be empty.`;
    case 'base64':
      return `${name} must be base64: letters, digits, + and /, padded with = to a multiple of four.`;
    case 'regex':
      return `${message.includes('field value') ? 'This text' : JSON.stringify(input)} ${message}.`;
    case 'check':
      return `${typeof input === 'string' ? JSON.stringify(input) : 'An action'} ${message}.`;
    case 'picklist':
    case 'literal':
    case 'variant':
      return `${name} must be ${choice(expected ?? '')}, not ${shown(issue)}.`;
    default:
      return `${name} must be ${KINDS[type] ?? expected}, not ${isSwitch(issue) ? shown(issue) : kindOf(issue)}.`;
  }
}

/** `("a" | "b")` as `one of "a", "b"`. */
function choice(expected: string): string {
  const values = expected.replaceAll(/[()]/g, '').split(' | ');
  return values.length === 1 ? expected : `one of ${values.join(', ')}`;
}

/** The only values that are shown where another kind is expected: elsewhere they may be passwords. */
function isSwitch({ type }: Issue): boolean {
  return type === 'boolean' || type === 'number';
}

function kindOf(issue: Issue): string {
  return typeof issue.input === 'string' ? 'a text' : shown(issue);
}

/** The value, if it fits a line; otherwise its kind. */
function shown({ input, received }: Issue): string {
  if (Array.isArray(input)) return 'a list';
  if (typeof input === 'object' && input !== null) return 'an object';
  return received.length > 40 ? 'this text' : received;
}

function unknownField(name: string, known: readonly string[]): string {
  const like = known.find((field) => isLike(field, name));
  const remedy = like === undefined ? `Valid here: ${known.join(', ')}.` : `Did you mean ${JSON.stringify(like)}?`;
  return `The field ${JSON.stringify(name)} is unknown here. ${remedy}`;
}

/** The same letters except for case, separators and one wrong, missing, swapped or additional letter. */
function isLike(known: string, given: string): boolean {
  const [a, b] = [known, given].map((name) => name.toLowerCase().replaceAll(/[-_ ]/g, '')) as [string, string];
  if (a === b || a === `${b}s` || b === `${a}s`) return true;
  if (Math.abs(a.length - b.length) > 1 || a.length < 4) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const [restA, restB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const isSwap = restA.length === 2 && restA === [...restB].reverse().join('');
  return isSwap || (restA.length <= 1 && restB.length <= 1);
}

/** The fields of the object at a path of a schema; of several variants, those of all. */
function fieldsAt(shape: Shape, path: JsonPath): string[] {
  let shapes: Shape[] = [shape];
  for (const key of path) shapes = shapes.flatMap(opened).flatMap((one) => child(one, key));
  return [...new Set(shapes.flatMap(opened).flatMap(({ entries = {} }) => Object.keys(entries)))];
}

function opened(shape: Shape): Shape[] {
  if (shape.wrapped) return opened(shape.wrapped);
  const variants = (shape.options ?? []).filter((option) => typeof option === 'object');
  return variants.length > 0 ? variants.flatMap(opened) : [shape];
}

function child({ entries, item }: Shape, key: string | number): Shape[] {
  const next = typeof key === 'number' ? item : entries && Object.hasOwn(entries, key) ? entries[key] : undefined;
  return next ? [next] : [];
}
