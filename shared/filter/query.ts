import type { ExchangeSummary } from '../model/exchange-summary.ts';
import type { KnownFields } from '../model/rule/known-fields.ts';

/** `fields`: only terms about them look at it; without it, none of those matches. */
export type Predicate = (row: ExchangeSummary, fields?: KnownFields) => boolean;

/** What a term about recorded content looks into. */
export type ContentField = 'body' | 'header' | 'cookie' | 'message';

/** `body:token`: a term that a row cannot answer. `value`: what to find, with `*` for anything. */
export interface ContentTerm {
  kind: 'content';
  field: ContentField;
  value: string;
  text: string;
  /** Looks into fields. What is in bodies and messages it does not find. */
  fits: Predicate;
  requires: RequiredText | null;
}

/** The content that a query may ask for: nothing, fields and cookies, or all that a recording holds. */
export type ContentScope = 'none' | 'fields' | 'all';

/** Where a query's text is found. `fields`: in a line `name: value` of the headers or trailers. */
export type TextField = 'host' | 'path' | 'url' | 'method' | 'scheme' | 'fields';

/** Any one of these texts, in lower case, is in the field of every row that the query matches. */
export interface RequiredText {
  field: TextField;
  anyOf: readonly string[];
}

/**
 * A term about a figure, `size:>10kb`: rows that match it have one from `low` to `high`. Below 0 stands for unknown.
 */
export interface FigureRange {
  field: string;
  of: (row: ExchangeSummary) => number;
  low: number;
  high: number;
  fits: (figure: number) => boolean;
}

/** A parsed query. `fits` is already compiled: it tests whether a row matches the term. */
export type Query =
  | { kind: 'all' }
  /** `requires`: text that every row it matches has; `figure`: its range in them; null: none that is known. */
  | { kind: 'term'; text: string; fits: Predicate; requires: RequiredText | null; figure: FigureRange | null }
  | ContentTerm
  | { kind: 'not'; of: Query }
  | { kind: 'and' | 'or'; parts: Query[] };

/** What is wrong with a query: where, in UTF-16 units from its beginning, and a sentence that names the fix. */
export interface QueryProblem {
  position: number;
  length: number;
  message: string;
  /** More typing at its end may make it valid: the message says what fits there. */
  unfinished: boolean;
}

export type Parsed = { ok: true; query: Query } | { ok: false; problem: QueryProblem };

/** Where typing on would mend it: at the refused part, if that is the last, or at the query's end in any case. */
export type Mending = 'there' | 'at-end';

/** How a reader of a query's parts refuses one; caught by `parseQuery`. */
export class QueryError extends Error {
  override readonly name = 'QueryError';
  readonly position: number;
  readonly length: number;
  /** Null: no continuation makes it valid. */
  readonly mending: Mending | null;

  constructor(message: string, at: { position: number; length: number }, mending: Mending | null = null) {
    super(message);
    this.mending = mending;
    this.position = at.position;
    this.length = at.length;
  }
}
