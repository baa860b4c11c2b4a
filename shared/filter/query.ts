import type { ExchangeSummary } from '../model/exchange-summary.ts';

export type Predicate = (row: ExchangeSummary) => boolean;

/** A query, read. `fits` is compiled already: it says whether a row has what the term asks for. */
export type Query =
  | { kind: 'all' }
  | { kind: 'term'; text: string; fits: Predicate }
  | { kind: 'not'; of: Query }
  | { kind: 'and' | 'or'; parts: Query[] };

/** What is wrong with a query: where, in UTF-16 units from its beginning, and a sentence that names the fix. */
export interface QueryProblem {
  position: number;
  length: number;
  message: string;
}

export type Parsed = { ok: true; query: Query } | { ok: false; problem: QueryProblem };

/** How a reader of a query's parts refuses one; caught by `parseQuery`. */
export class QueryError extends Error {
  override readonly name = 'QueryError';
  readonly position: number;
  readonly length: number;

  constructor(message: string, at: { position: number; length: number }) {
    super(message);
    this.position = at.position;
    this.length = at.length;
  }
}
