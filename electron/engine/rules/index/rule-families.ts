import { compile } from '../../../../shared/filter/compile.ts';
import type { FigureRange, Predicate, Query } from '../../../../shared/filter/query.ts';
import type { ExchangeSummary } from '../../../../shared/model/exchange-summary.ts';
import type { KnownFields } from '../../../../shared/model/rule/known-fields.ts';
import { type Place, RuleIndex } from './rule-index.ts';

/** A rule and what the index needs of it. */
export interface IndexedRule<R> {
  rule: R;
  query: Query;
  /** Rules of one family have the same; null: this one has no family, because its query alone does not decide. */
  kind: string | null;
  /** The rule may also match a request with a method other than its query's. */
  anyMethod: boolean;
}

/** Rules whose queries differ only in figures. `guard`: holds for every row that one of them matches. */
interface Family<R> {
  members: readonly { rule: R; at: number }[];
  guard: Predicate | null;
}

/** Figures of a query as `#`. Below a NOT they stay: there the widest range does not cover all. */
function shapeOf(query: Query, isNegated = false): string {
  if (query.kind === 'term') return query.figure && !isNegated ? `${query.figure.field}:#` : JSON.stringify(query.text);
  if (query.kind === 'content') return JSON.stringify(query.text);
  if (query.kind === 'not') return `not ${shapeOf(query.of, true)}`;
  if (query.kind !== 'and' && query.kind !== 'or') return query.kind;
  return `(${query.parts.map((part) => shapeOf(part, isNegated)).join(` ${query.kind} `)})`;
}

/** Whether a row's figure is in the range that covers all of these. At an end of the range, that rule decides. */
function withinAll(figures: readonly FigureRange[]): Predicate {
  const low = Math.min(...figures.map((each) => each.low));
  const high = Math.max(...figures.map((each) => each.high));
  const lowest = figures.filter((each) => each.low === low);
  const highest = figures.filter((each) => each.high === high);
  const [{ of }] = figures as [FigureRange];
  return (row) => {
    const figure = of(row);
    if (figure < Math.max(low, 0) || figure > high) return false;
    if (figure === low) return lowest.some(({ fits }) => fits(figure));
    return figure < high || highest.some(({ fits }) => fits(figure));
  };
}

/** The shape of queries that share it, with the widest range of each figure. It matches wherever one of them does. */
function widest(queries: readonly Query[]): Query {
  const [first] = queries;
  if (first === undefined) return { kind: 'all' };
  if (first.kind === 'term') {
    const figures = queries.flatMap((query) => (query.kind === 'term' && query.figure ? [query.figure] : []));
    return figures.length === 0 ? first : { ...first, fits: withinAll(figures) };
  }
  if (first.kind !== 'and' && first.kind !== 'or') return first;
  const partsAt = (at: number) => queries.flatMap((query) => ('parts' in query ? query.parts.slice(at, at + 1) : []));
  return { ...first, parts: first.parts.map((_part, at) => widest(partsAt(at))) };
}

/**
 * Finds the rules that may match an exchange. Hundreds of rules on one host that differ only in a figure, such as
 * `size:>1mb` and `size:>2mb`, cost one test if none of them matches.
 */
export class RuleFamilies<R> {
  readonly #index: RuleIndex<Family<R>>;

  constructor(rules: readonly IndexedRule<R>[]) {
    const families = new Map<unknown, (IndexedRule<R> & { at: number })[]>();
    for (const [at, each] of rules.entries()) {
      const key = each.kind === null ? at : `${each.kind} ${shapeOf(each.query)}`;
      families.set(key, [...(families.get(key) ?? []), { ...each, at }]);
    }
    this.#index = new RuleIndex(
      [...families.values()].map((members) => {
        const query = widest(members.map((member) => member.query));
        const guard = members.length > 1 ? compile(query) : null;
        return { rule: { members, guard }, query, anyMethod: members.some(({ anyMethod }) => anyMethod) };
      }),
    );
  }

  /** One rule of each family that may match an exchange at this place with these fields. */
  at(place: Place, fields: KnownFields): R[] {
    return this.#index.candidates(place, fields).flatMap(({ members }) => members.slice(0, 1).map(({ rule }) => rule));
  }

  /** All rules that may match this row, in the order of the list. */
  candidates(row: ExchangeSummary, fields: KnownFields): R[] {
    const found = this.#index.candidates(row, fields);
    const families = found.filter(({ guard }) => guard === null || guard(row, fields));
    const members = families.flatMap((family) => family.members);
    return members.sort((one, other) => one.at - other.at).map(({ rule }) => rule);
  }
}
