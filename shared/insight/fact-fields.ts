import type { RawHeaders } from '../model/headers.ts';
import { shared } from './shared-text.ts';

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

/** A wanted field, and where its value is in the message. */
interface Place {
  at: number;
  field: AnyField;
}

/** The names of a message in their order, and what messages with these names had. */
interface Layout {
  names: readonly string[];
  places: readonly Place[];
  own: readonly Place[];
  /** The values of `places` in the message before, and its fields. */
  values: string[];
  last: FactFields | null;
  /** Fields by their values. */
  known: Map<string, FactFields>;
}

/**
 * Layouts by the number of cells in a message. Programs write the same names in the same order each time: comparing
 * them with those of the previous message is far cheaper than looking up each one.
 */
const layouts = new Map<number, Layout[]>();
/** Layouts of one length, and sets of values of one layout. Sessions have few of each. */
const MOST_LAYOUTS = 8;
const MOST_SETS = 2000;
/** Characters of the longest set that is looked up by its values. */
const LONGEST = 4096;

/**
 * One pass over the fields of a message. Messages with equal values get the same object, which facts share: 100,000 of
 * them have few distinct ones. Values that rarely repeat go into `own`.
 */
export function factFields(headers: RawHeaders, own: OwnFields): FactFields {
  const layout = layoutOf(headers);
  for (const { at, field } of layout.own) {
    const name = field as keyof OwnFields;
    own[name] = joined(own[name], headers[at] ?? '');
  }
  const { places, values, last } = layout;
  let isSame = last !== null;
  for (let index = 0; index < places.length; index++) {
    const value = headers[places[index]?.at ?? 0] ?? '';
    if (value === values[index]) continue;
    values[index] = value;
    isSame = false;
  }
  if (isSame && last !== null) return last;
  layout.last = fieldsBy(layout);
  return layout.last;
}

function layoutOf(headers: RawHeaders): Layout {
  const alike = layouts.get(headers.length) ?? [];
  const known = alike.find(({ names }) => hasNames(headers, names));
  if (known) return known;
  const layout = newLayout(headers);
  layouts.set(headers.length, [layout, ...alike].slice(0, MOST_LAYOUTS));
  return layout;
}

function hasNames(headers: RawHeaders, names: readonly string[]): boolean {
  for (let index = 0; index < names.length; index++) if (headers[index * 2] !== names[index]) return false;
  return true;
}

function newLayout(headers: RawHeaders): Layout {
  const names = headers.filter((_, index) => index % 2 === 0);
  const all = names.flatMap((name, index): Place[] => {
    const field = name.toLowerCase();
    return KNOWN.has(field) ? [{ at: index * 2 + 1, field: field as AnyField }] : [];
  });
  const own = all.filter(({ field }) => IS_OWN.has(field));
  const places = all.filter(({ field }) => !IS_OWN.has(field));
  return { names, places, own, values: [], last: null, known: new Map() };
}

function fieldsBy({ places, values, known }: Layout): FactFields {
  // No value contains a line feed (RFC 9110, section 5.5).
  const key = values.join('\n');
  const found = known.get(key);
  if (found) return found;
  const fields: { [N in FactField]?: string } = {};
  for (const [index, { field }] of places.entries()) {
    const name = field as FactField;
    fields[name] = shared(joined(fields[name], values[index] ?? ''));
  }
  if (key.length <= LONGEST) {
    if (known.size >= MOST_SETS) known.clear();
    known.set(key, fields);
  }
  return fields;
}

function joined(before: string | undefined, value: string): string {
  return before === undefined ? value : `${before}, ${value}`;
}
