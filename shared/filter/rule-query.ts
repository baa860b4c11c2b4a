import type { Exchange } from '../model/exchange.ts';
import { summaryNow } from '../model/exchange-summary.ts';
import { phasesOf } from '../model/rule/actions.ts';
import { latestPhase } from '../model/rule/exchange-phase.ts';
import { type KnownFields, knownFields } from '../model/rule/known-fields.ts';
import type { Rule } from '../model/rule/rule.ts';
import { compile } from './compile.ts';
import { parseQuery } from './parse.ts';
import type { Parsed, Query } from './query.ts';

/** Reads the query of a rule, which may ask for fields and cookies too. Never throws. */
export function parseRuleQuery(text: string): Parsed {
  return parseQuery(text, 'fields');
}

/** The fields that the last action of a rule knows. */
export function fieldsFor(rule: Rule, exchange: Exchange): KnownFields {
  return knownFields(exchange, latestPhase(rule.do.flatMap(phasesOf)));
}

/** Whether a rule's query matches a recorded exchange. One that does not compile matches nothing. */
export function ruleMatches(rule: Rule, exchange: Exchange): boolean {
  const parsed = parseRuleQuery(rule.when);
  return parsed.ok && compile(parsed.query)(summaryNow(exchange), fieldsFor(rule, exchange));
}

/**
 * The query of the requests that may come after a preflight: it has none of their own fields, and a term about fields
 * is undecided. Such a term, or its negation, counts as true.
 */
export function withoutFields(query: Query, isNegated = false): Query {
  if (query.kind === 'content') return isNegated ? { kind: 'not', of: { kind: 'all' } } : { kind: 'all' };
  if (query.kind === 'not') return { ...query, of: withoutFields(query.of, !isNegated) };
  if (query.kind !== 'and' && query.kind !== 'or') return query;
  return { ...query, parts: query.parts.map((part) => withoutFields(part, isNegated)) };
}
