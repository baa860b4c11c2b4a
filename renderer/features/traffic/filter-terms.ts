import { QueryError } from '../../../shared/filter/query.ts';
import { tokenize } from '../../../shared/filter/tokens.ts';

/** A filter term; a value with characters that are special in the query language is quoted. */
export function filterTerm(field: string, value: string): string {
  return `${field}:${/[\s()",*\\<>]/.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : value}`;
}

/** The query with the term added. A query that can't be parsed is replaced by the term. */
export function withTerm(query: string, term: string): string {
  const before = query.trim();
  if (before === '' || before === term) return term;
  try {
    const tokens = tokenize(before);
    const has = before.split(/\s+/).includes(term);
    // OR binds less tightly than juxtaposition (AND): the query needs parentheses.
    const alternatives = tokens.some(({ kind }) => kind === 'or');
    if (has && !alternatives) return before;
    return `${alternatives ? `(${before})` : before} ${term}`;
  } catch (error) {
    if (error instanceof QueryError) return term;
    throw error;
  }
}
