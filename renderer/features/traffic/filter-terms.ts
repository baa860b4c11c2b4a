import { QueryError } from '../../../shared/filter/query.ts';
import { tokenize } from '../../../shared/filter/tokens.ts';

/** A term of the query language; a value that holds anything special to it is quoted. */
export function filterTerm(field: string, value: string): string {
  return `${field}:${/[\s()",*\\<>]/.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : value}`;
}

/** A query that also asks for this term. One that cannot be read gives way to the term. */
export function withTerm(query: string, term: string): string {
  const before = query.trim();
  if (before === '' || before === term) return term;
  try {
    const tokens = tokenize(before);
    const has = before.split(/\s+/).includes(term);
    // OR binds less than standing beside each other does.
    const alternatives = tokens.some(({ kind }) => kind === 'or');
    if (has && !alternatives) return before;
    return `${alternatives ? `(${before})` : before} ${term}`;
  } catch (error) {
    if (error instanceof QueryError) return term;
    throw error;
  }
}
