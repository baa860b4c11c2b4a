import type { Query, RequiredText, TextField } from '../../../../shared/filter/query.ts';
import { requiredTexts } from '../../../../shared/filter/required-text.ts';
import { TextFinder } from './text-finder.ts';

/** Where a request goes: all that the index looks at. */
export interface Place {
  method: string;
  scheme: string;
  authority: string;
  path: string;
}

const TEXT_OF: Record<TextField, (place: Place) => string> = {
  host: ({ authority }) => authority.toLowerCase(),
  path: ({ path }) => path.toLowerCase(),
  method: ({ method }) => method.toLowerCase(),
  scheme: ({ scheme }) => scheme,
  url: ({ scheme, authority, path }) => `${scheme}://${authority}${path}`.toLowerCase(),
};

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

/** How common a field's texts are in traffic: the higher, the less a text says. */
const COMMON: Record<TextField, number> = { host: 0, path: 0, url: 0, method: 10_000, scheme: 20_000 };

/** The rules that one of a field's texts stands for. */
interface Lookup {
  textOf: (place: Place) => string;
  finder: TextFinder;
  rules: readonly (readonly number[])[];
}

/**
 * Names the few rules that may match a request, out of hundreds. A rule is found by the rarest text that its query
 * requires in host, path or URL. A rule without required text may always match.
 */
export class RuleIndex<R> {
  readonly #rules: readonly R[];
  readonly #always: readonly R[];
  readonly #isAlways: readonly boolean[];
  readonly #lookups: readonly Lookup[];
  /** When a rule was last found: the number of the search. */
  readonly #foundIn: Uint32Array;
  #searches = 0;
  /** The last search: the request, its response and its end ask the same. */
  #last: Place = NOWHERE;
  #lastFound: readonly R[];

  /** `anyMethod`: the rule may also match a request of another method than its query says. */
  constructor(rules: readonly { rule: R; query: Query; anyMethod: boolean }[]) {
    this.#rules = rules.map(({ rule }) => rule);
    const required = chooseTexts(rules);
    this.#isAlways = required.map((texts) => texts === null);
    this.#always = this.#rules.filter((_rule, index) => this.#isAlways[index]);
    this.#lookups = lookupsOf(required);
    this.#foundIn = new Uint32Array(rules.length);
    this.#lastFound = this.#always;
  }

  /** In the order of the list. */
  candidates(place: Place): readonly R[] {
    if (isSame(this.#last, place)) return this.#lastFound;
    const { method, scheme, authority, path } = place;
    this.#last = { method, scheme, authority, path };
    this.#lastFound = this.#found(place);
    return this.#lastFound;
  }

  #found(place: Place): readonly R[] {
    this.#searches = (this.#searches + 1) >>> 0;
    let isFound = false;
    for (const { textOf, finder, rules } of this.#lookups) {
      finder.find(textOf(place), (text) => {
        isFound = true;
        for (const rule of rules[text] ?? []) this.#foundIn[rule] = this.#searches;
      });
    }
    if (!isFound) return this.#always;
    return this.#rules.filter((_rule, index) => this.#isAlways[index] || this.#foundIn[index] === this.#searches);
  }
}

/** For each query the texts to find it by: of several, those that the fewest queries share. */
function chooseTexts(rules: readonly { query: Query; anyMethod: boolean }[]): (readonly RequiredText[] | null)[] {
  const uses = new Map<string, number>();
  const keyOf = (field: TextField, text: string) => `${field} ${text}`;
  const count = (query: Query): void => {
    if (query.kind === 'and' || query.kind === 'or') query.parts.forEach(count);
    else if (query.kind === 'term' && query.requires) {
      const { field, anyOf } = query.requires;
      for (const text of anyOf) uses.set(keyOf(field, text), (uses.get(keyOf(field, text)) ?? 0) + 1);
    }
  };
  for (const { query } of rules) count(query);
  const prefer = ({ field, anyOf }: RequiredText): number =>
    anyOf.reduce((sum, text) => sum + (uses.get(keyOf(field, text)) ?? 0) + 1 / text.length, COMMON[field]);
  return rules.map(({ query, anyMethod }) => {
    const texts = requiredTexts(query, prefer);
    return anyMethod && texts?.some(({ field }) => field === 'method') ? null : texts;
  });
}

function lookupsOf(required: readonly (readonly RequiredText[] | null)[]): Lookup[] {
  return (Object.keys(TEXT_OF) as TextField[]).flatMap((field) => {
    const rulesOf = new Map<string, number[]>();
    required.forEach((texts, rule) => {
      for (const text of (texts ?? []).filter((each) => each.field === field).flatMap(({ anyOf }) => anyOf))
        rulesOf.set(text, [...(rulesOf.get(text) ?? []), rule]);
    });
    if (rulesOf.size === 0) return [];
    return [{ textOf: TEXT_OF[field], finder: new TextFinder([...rulesOf.keys()]), rules: [...rulesOf.values()] }];
  });
}
