import type { ExchangeSummary } from '../model/exchange-summary.ts';
import type { KnownFields } from '../model/rule/known-fields.ts';
import { compile } from './compile.ts';
import type { Query } from './query.ts';

/** A query in words that can be typed again, though not as they were typed. */
function textOf(query: Query): string {
  if (query.kind === 'all') return 'everything';
  if (query.kind === 'term' || query.kind === 'content') return query.text;
  if (query.kind === 'not') return `NOT ${textOf(query.of)}`;
  return `(${query.parts.map(textOf).join(query.kind === 'or' ? ' OR ' : ' ')})`;
}

/** The condition that keeps a query from matching a row: the first that fails. Null: it matches. */
export function missedCondition(query: Query, row: ExchangeSummary, fields: KnownFields): string | null {
  if (compile(query)(row, fields)) return null;
  if (query.kind !== 'and') return textOf(query);
  const failing = query.parts.find((part) => !compile(part)(row, fields));
  return failing ? missedCondition(failing, row, fields) : textOf(query);
}
