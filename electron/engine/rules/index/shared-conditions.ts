import { compile } from '../../../../shared/filter/compile.ts';
import type { Predicate, Query } from '../../../../shared/filter/query.ts';

/**
 * Compiles the queries of a list of rules. A condition that several of them have is tested once for each row: hundreds
 * of rules may ask for the same method or host. Each phase of an exchange has its own row.
 */
export class SharedConditions {
  readonly #conditions = new Map<string, Predicate>();
  readonly #uses = new Map<string, number>();

  /** `queries`: all that will be compiled. */
  constructor(queries: readonly Query[]) {
    for (const query of queries) this.#count(query);
  }

  #count(query: Query): void {
    if (query.kind === 'term' || query.kind === 'content')
      this.#uses.set(query.text, (this.#uses.get(query.text) ?? 0) + 1);
    else if (query.kind === 'not') this.#count(query.of);
    else if (query.kind === 'and' || query.kind === 'or') for (const part of query.parts) this.#count(part);
  }

  compile(query: Query): Predicate {
    return compile(this.#shared(query));
  }

  #shared(query: Query): Query {
    if (query.kind === 'term' || query.kind === 'content')
      return { ...query, fits: this.#condition(query.text, query.fits) };
    if (query.kind === 'not') return { ...query, of: this.#shared(query.of) };
    if (query.kind === 'and' || query.kind === 'or')
      return { ...query, parts: query.parts.map((part) => this.#shared(part)) };
    return query;
  }

  #condition(text: string, fits: Predicate): Predicate {
    const known = this.#conditions.get(text);
    if (known) return known;
    if (this.#uses.get(text) === 1) return fits;
    let last: Parameters<Predicate>[0] | null = null;
    let result = false;
    const condition: Predicate = (row, fields) => {
      if (row === last) return result;
      last = row;
      result = fits(row, fields);
      return result;
    };
    this.#conditions.set(text, condition);
    return condition;
  }
}
