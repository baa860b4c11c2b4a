import type { Query, RequiredText, TextField } from '../../../../shared/filter/query.ts';
import { requiredTexts } from '../../../../shared/filter/required-text.ts';
import type { KnownFields } from '../../../../shared/model/rule/known-fields.ts';
import { FieldFinder } from './field-finder.ts';
import { TextFinder } from './text-finder.ts';

const LISTS = ['fields', 'cookies'] as const;
type PlaceField = Exclude<TextField, (typeof LISTS)[number]>;

/** The target of a request: everything that the index uses, besides fields. */
export interface Place {
  method: string;
  scheme: string;
  authority: string;
  path: string;
}

const TEXT_OF: Record<PlaceField, (place: Place) => string> = {
  host: ({ authority }) => authority.toLowerCase(),
  path: ({ path }) => path.toLowerCase(),
  method: ({ method }) => method.toLowerCase(),
  scheme: ({ scheme }) => scheme,
  url: ({ scheme, authority, path }) => `${scheme}://${authority}${path}`.toLowerCase(),
};

function isPlaceField(field: TextField): field is PlaceField {
  return Object.hasOwn(TEXT_OF, field);
}

/** No request has this path. */
const NOWHERE: Place = { method: '', scheme: '', authority: '', path: '\n' };

function isSame(one: Place, other: Place): boolean {
  return (
    one.path === other.path &&
    one.authority === other.authority &&
    one.method === other.method &&
    one.scheme === other.scheme
  );
}

/** How common a field's texts are in traffic: the higher, the less a text narrows. Field lines take long to search. */
const COMMON: Record<TextField, number> = {
  ...{ host: 0, path: 0, url: 0, cookies: 5, fields: 5, method: 10_000, scheme: 20_000 },
};

/** The rules that one of a field's texts identifies. */
interface Lookup {
  textOf: (place: Place) => string;
  finder: TextFinder;
  rules: readonly (readonly number[])[];
}

interface ListLookup {
  finder: FieldFinder;
  rules: readonly (readonly number[])[];
}

function areSame(one: KnownFields, other: KnownFields): boolean {
  return one.length === other.length && one.every((list, index) => list === other[index]);
}

/**
 * Names the few rules that may match a request, out of hundreds. A rule is found by the rarest text that its query
 * requires in host, path, URL or fields. A rule without required text may always match.
 */
export class RuleIndex<R> {
  readonly #rules: readonly R[];
  readonly #always: readonly R[];
  readonly #isAlways: readonly boolean[];
  readonly #lookups: readonly Lookup[];
  /** Empty: no rule is found by its fields, which are not read. */
  readonly #listLookups: readonly ListLookup[];
  /** When a rule was last found: the number of the search. */
  readonly #foundIn: Uint32Array;
  #searches = 0;
  /** The last search: the request, its response and its end repeat it. */
  #last: Place = NOWHERE;
  #lastFields: KnownFields = [];
  #lastFound: readonly R[];

  /**
   * `anyMethod`: the rule may also match a request of another method, or with other fields, than those of its query.
   */
  constructor(rules: readonly { rule: R; query: Query; anyMethod: boolean }[]) {
    this.#rules = rules.map(({ rule }) => rule);
    const required = chooseTexts(rules);
    this.#isAlways = required.map((texts) => texts === null);
    this.#always = this.#rules.filter((_rule, index) => this.#isAlways[index]);
    this.#lookups = lookupsOf(required);
    this.#listLookups = listLookupsOf(required);
    this.#foundIn = new Uint32Array(rules.length);
    this.#lastFound = this.#always;
  }

  /** In the order of the list. */
  candidates(place: Place, fields: KnownFields): readonly R[] {
    if (this.#lookups.length === 0 && this.#listLookups.length === 0) return this.#always;
    if (isSame(this.#last, place) && (this.#listLookups.length === 0 || areSame(this.#lastFields, fields)))
      return this.#lastFound;
    const { method, scheme, authority, path } = place;
    this.#last = { method, scheme, authority, path };
    this.#lastFields = fields;
    this.#lastFound = this.#found(place, fields);
    return this.#lastFound;
  }

  #found(place: Place, fields: KnownFields): readonly R[] {
    this.#searches = (this.#searches + 1) >>> 0;
    let isFound = false;
    const find = (rules: readonly number[] = []): void => {
      isFound = true;
      for (const rule of rules) this.#foundIn[rule] = this.#searches;
    };
    for (const { textOf, finder, rules } of this.#lookups) finder.find(textOf(place), (text) => find(rules[text]));
    for (const { finder, rules } of this.#listLookups) finder.find(fields, (text) => find(rules[text]));
    if (!isFound) return this.#always;
    return this.#rules.filter((_rule, index) => this.#isAlways[index] || this.#foundIn[index] === this.#searches);
  }
}

/** For each query, the texts that identify it: those that the fewest queries share. */
function chooseTexts(rules: readonly { query: Query; anyMethod: boolean }[]): (readonly RequiredText[] | null)[] {
  const uses = new Map<string, number>();
  const keyOf = (field: TextField, text: string) => `${field} ${text}`;
  const count = (query: Query): void => {
    if (query.kind === 'and' || query.kind === 'or') query.parts.forEach(count);
    else if ((query.kind === 'term' || query.kind === 'content') && query.requires) {
      const { field, anyOf } = query.requires;
      for (const text of anyOf) uses.set(keyOf(field, text), (uses.get(keyOf(field, text)) ?? 0) + 1);
    }
  };
  for (const { query } of rules) count(query);
  const prefer = ({ field, anyOf }: RequiredText): number =>
    anyOf.reduce((sum, text) => sum + (uses.get(keyOf(field, text)) ?? 0) + 1 / text.length, COMMON[field]);
  return rules.map(({ query, anyMethod }) => {
    const texts = requiredTexts(query, prefer);
    return anyMethod && texts?.some(({ field }) => field === 'method' || !isPlaceField(field)) ? null : texts;
  });
}

type RequiredOfRules = readonly (readonly RequiredText[] | null)[];

/** For each text of a field, the rules that it identifies. */
function rulesByText(required: RequiredOfRules, field: TextField): Map<string, number[]> {
  const rulesOf = new Map<string, number[]>();
  required.forEach((texts, rule) => {
    for (const text of (texts ?? []).filter((each) => each.field === field).flatMap(({ anyOf }) => anyOf))
      rulesOf.set(text, [...(rulesOf.get(text) ?? []), rule]);
  });
  return rulesOf;
}

function lookupsOf(required: RequiredOfRules): Lookup[] {
  return (Object.keys(TEXT_OF) as PlaceField[]).flatMap((field) => {
    const rulesOf = rulesByText(required, field);
    if (rulesOf.size === 0) return [];
    return [{ textOf: TEXT_OF[field], finder: new TextFinder([...rulesOf.keys()]), rules: [...rulesOf.values()] }];
  });
}

function listLookupsOf(required: RequiredOfRules): ListLookup[] {
  return LISTS.flatMap((field) => {
    const rulesOf = rulesByText(required, field);
    if (rulesOf.size === 0) return [];
    return [{ finder: new FieldFinder([...rulesOf.keys()], field), rules: [...rulesOf.values()] }];
  });
}
