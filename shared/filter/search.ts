import type { ExchangeSummary } from '../model/exchange-summary.ts';
import { parseQuery } from './parse.ts';
import type { ContentTerm, Query, QueryProblem } from './query.ts';

/** Whether the content of an exchange matches a term. */
export type ContentLookup = (term: ContentTerm) => Promise<boolean> | boolean;

export interface Search {
  /** True if rows alone decide the query. */
  rowsOnly: boolean;
  /** The result by the row alone: true, false, or null if it depends on the content. */
  decide: (row: ExchangeSummary) => boolean | null;
  /** The full result. `lookup` is called only for terms that matter, and may be slow. */
  matches: (row: ExchangeSummary, lookup: ContentLookup) => Promise<boolean>;
}

/** Compiles a query that may look into recorded content, or returns its error. Never throws. */
export function compileSearch(text: string): { ok: true; search: Search } | { ok: false; problem: QueryProblem } {
  const parsed = parseQuery(text, 'all');
  if (!parsed.ok) return parsed;
  const { query } = parsed;
  const search: Search = {
    rowsOnly: !hasContent(query),
    decide: (row) => decide(query, row),
    matches: (row, lookup) => matches(query, row, lookup),
  };
  return { ok: true, search };
}

function hasContent(query: Query): boolean {
  if (query.kind === 'not') return hasContent(query.of);
  if (query.kind === 'and' || query.kind === 'or') return query.parts.some(hasContent);
  return query.kind === 'content';
}

/** The result of a query by a row alone, in Kleene's three-valued logic; null is unknown. */
export function decide(query: Query, row: ExchangeSummary): boolean | null {
  switch (query.kind) {
    case 'all':
      return true;
    case 'term':
      return query.fits(row);
    case 'content':
      return null;
    case 'not': {
      const inner = decide(query.of, row);
      return inner === null ? null : !inner;
    }
    case 'and':
    case 'or': {
      const decisive = query.kind === 'or';
      let known: boolean | null = !decisive;
      for (const part of query.parts) {
        const answer = decide(part, row);
        if (answer === decisive) return decisive;
        if (answer === null) known = null;
      }
      return known;
    }
  }
}

async function matches(query: Query, row: ExchangeSummary, lookup: ContentLookup): Promise<boolean> {
  const decided = decide(query, row);
  if (decided !== null) return decided;
  if (query.kind === 'content') return await lookup(query);
  if (query.kind === 'not') return !(await matches(query.of, row, lookup));
  if (query.kind !== 'and' && query.kind !== 'or') return false;
  const decisive = query.kind === 'or';
  for (const part of query.parts) if ((await matches(part, row, lookup)) === decisive) return decisive;
  return !decisive;
}
