import type { RawHeaders } from '../model/headers.ts';
import { copyOf, shared } from './shared-text.ts';

/** The fields that rules read; secrets are not among them. */
const FIELDS = [
  'accept',
  'accept-encoding',
  'access-control-max-age',
  'access-control-request-headers',
  'access-control-request-method',
  'alt-svc',
  'cache-control',
  'connection',
  'content-encoding',
  'content-type',
  'expect',
  'expires',
  'if-modified-since',
  'if-none-match',
  'location',
  'origin',
  'priority',
  'purpose',
  'range',
  'referer',
  'sec-fetch-dest',
  'sec-fetch-mode',
  'sec-fetch-site',
  'sec-purpose',
  'sec-websocket-extensions',
  'service-worker',
  'te',
  'user-agent',
  'x-requested-with',
] as const;

export type FactField = (typeof FIELDS)[number];
/** Values by lower-case name; several fields of one name are joined by `, ` (RFC 9110, section 5.3). */
export type FactFields = { readonly [N in FactField]?: string };

/** Values that rarely repeat, or that a fact must not hold. It keeps what follows from them. */
const OWN = ['age', 'authorization', 'cookie', 'etag', 'server-timing'] as const;
export type OwnFields = { [N in (typeof OWN)[number]]?: string };

type AnyField = FactField | keyof OwnFields;

const KNOWN = new Set<string>([...FIELDS, ...OWN]);
const IS_OWN = new Set<string>(OWN);

/** Whether `FieldReader.read` reads a field of this name. */
export function isReadField(name: string): boolean {
  return KNOWN.has(name.toLowerCase());
}

/** A wanted field, and the place of its name among the names of the message. */
interface Place {
  at: number;
  field: AnyField;
}

/** Values in their order. */
export interface FieldCells {
  readonly [at: number]: string | undefined;
}

/** Fields by the values of the first name, the second one, and so on. */
type Sets = Map<string, Sets | FactFields>;
/** Sets of values that one layout remembers, and characters of the longest value in one. */
const MOST_SETS = 2000;
const LONGEST = 512;

/** The names of a message in their order, and the sets of values that came with them. */
export class FieldLayout {
  readonly names: readonly string[];
  readonly places: readonly Place[];
  readonly own: readonly Place[];
  #sets: Sets = new Map();
  #count = 0;

  constructor(names: readonly string[]) {
    this.names = names;
    const all = names.flatMap((name, at): Place[] => {
      const field = name.toLowerCase();
      return KNOWN.has(field) ? [{ at, field: field as AnyField }] : [];
    });
    this.own = all.filter(({ field }) => IS_OWN.has(field));
    this.places = all.filter(({ field }) => !IS_OWN.has(field));
  }

  /** The fields with these values of `places`: the same object for equal ones. */
  fieldsOf(values: readonly string[]): FactFields {
    const last = values.length - 1;
    if (last < 0 || values.some(({ length }) => length > LONGEST)) return this.#newFields(values);
    let sets = this.#sets;
    for (let index = 0; index < last; index++) {
      const value = values[index] ?? '';
      let next = sets.get(value) as Sets | undefined;
      if (next === undefined) {
        next = new Map();
        sets.set(value, next);
      }
      sets = next;
    }
    const known = sets.get(values[last] ?? '') as FactFields | undefined;
    if (known !== undefined) return known;
    const fields = this.#newFields(values);
    sets.set(values[last] ?? '', fields);
    this.#count += 1;
    if (this.#count >= MOST_SETS) {
      this.#sets = new Map();
      this.#count = 0;
    }
    return fields;
  }

  #newFields(values: readonly string[]): FactFields {
    const fields: { [N in FactField]?: string } = {};
    for (const [index, { field }] of this.places.entries()) {
      const name = field as FactField;
      fields[name] = shared(joined(fields[name], values[index] ?? ''));
    }
    return fields;
  }
}

/**
 * Reads messages of one layout. Programs write the same names in the same order each time, and mostly the same values
 * to one server: comparing those with the message before is far cheaper than looking up each one.
 */
export class FieldReader {
  readonly layout: FieldLayout;
  /** What the last message had in the layout's `places`, and the values of that. */
  readonly #cells: string[] = [];
  readonly #values: string[] = [];
  #fields: FactFields | null = null;

  constructor(layout: FieldLayout) {
    this.layout = layout;
  }

  /**
   * The fields of a message. Messages with equal values get the same object, which facts share: 100,000 of them have
   * few distinct ones. Values that rarely repeat go into `own`. The value of the first name is at `from`, the next at
   * `from + step`; `decode` makes the value of a cell.
   */
  read(cells: FieldCells, from: number, step: number, own: OwnFields, decode = (cell: string) => cell): FactFields {
    const { places } = this.layout;
    for (const { at, field } of this.layout.own) {
      const name = field as keyof OwnFields;
      own[name] = joined(own[name], decode(cells[from + at * step] ?? ''));
    }
    let isSame = this.#fields !== null;
    for (let index = 0; index < places.length; index++) {
      const cell = cells[from + (places[index]?.at ?? 0) * step] ?? '';
      if (cell === this.#cells[index]) continue;
      const value = shared(decode(cell));
      // A cell may be a slice of a long text, which it would keep in memory.
      this.#cells[index] = value === cell ? value : copyOf(cell);
      this.#values[index] = value;
      isSame = false;
    }
    if (!isSame || this.#fields === null) this.#fields = this.layout.fieldsOf(this.#values);
    return this.#fields;
  }
}

/** Readers by the number of cells in a message. Sessions have few layouts of each length. */
const readers = new Map<number, FieldReader[]>();
const MOST_LAYOUTS = 8;

/** One pass over the fields of a message; see `FieldReader.read`. */
export function factFields(headers: RawHeaders, own: OwnFields): FactFields {
  return readerOf(headers).read(headers, 1, 2, own);
}

function readerOf(headers: RawHeaders): FieldReader {
  const alike = readers.get(headers.length) ?? [];
  const known = alike.find(({ layout }) => hasNames(headers, layout.names));
  if (known) return known;
  const reader = new FieldReader(new FieldLayout(headers.filter((_, at) => at % 2 === 0)));
  readers.set(headers.length, [reader, ...alike].slice(0, MOST_LAYOUTS));
  return reader;
}

function hasNames(headers: RawHeaders, names: readonly string[]): boolean {
  for (let index = 0; index < names.length; index++) if (headers[index * 2] !== names[index]) return false;
  return true;
}

function joined(before: string | undefined, value: string): string {
  return before === undefined ? value : `${before}, ${value}`;
}
