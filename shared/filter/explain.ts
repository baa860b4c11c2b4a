import type { ExchangeSummary } from '../model/exchange-summary.ts';
import { compile } from './compile.ts';
import type { Query } from './query.ts';

/** A query in words that can be typed again, though not as they were typed. */
function textOf(query: Query): string {
  if (query.kind === 'all') return 'everything';
  if (query.kind === 'term') return query.text;
  if (query.kind === 'content') return `${query.field}:${query.value}`;
  if (query.kind === 'not') return `NOT ${textOf(query.of)}`;
  return `(${query.parts.map(textOf).join(query.kind === 'or' ? ' OR ' : ' ')})`;
}

/** The condition that keeps a query from matching a row: the first that fails. Null: it matches. */
export function missedCondition(query: Query, row: ExchangeSummary): string | null {
  if (compile(query)(row)) return null;
  if (query.kind !== 'and') return textOf(query);
  const failing = query.parts.find((part) => !compile(part)(row));
  return failing ? missedCondition(failing, row) : textOf(query);
}
