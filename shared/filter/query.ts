import type { ExchangeSummary } from '../model/exchange-summary.ts';
import type { KnownFields } from '../model/rule/known-fields.ts';

/** `fields`: only terms about fields use it; without it, they do not match. */
export type Predicate = (row: ExchangeSummary, fields?: KnownFields) => boolean;

/** What a term about recorded content searches. */
export type ContentField = 'body' | 'header' | 'cookie' | 'message';

/** `body:token`: a term that a row cannot answer. `value`: what to find, with `*` for anything. */
export interface ContentTerm {
  kind: 'content';
  field: ContentField;
  value: string;
  text: string;
  /** Searches fields, but not bodies and messages. */
  fits: Predicate;
  requires: RequiredText | null;
}

/** The content that a query may search: none, fields and cookies, or everything in a recording. */
export type ContentScope = 'none' | 'fields' | 'all';

/**
 * Where a query's text is found. `fields`: in a line `name: value` of the headers or trailers; `cookies`: in such a
 * line of a field that sends or sets cookies.
 */
export type TextField = 'host' | 'path' | 'url' | 'method' | 'scheme' | 'fields' | 'cookies';

/** Every row that the query matches has one of these texts, in lower case, in the field. */
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
  /** `requires`: text that every matching row has; `figure`: its range in them; null: unknown. */
  | { kind: 'term'; text: string; fits: Predicate; requires: RequiredText | null; figure: FigureRange | null }
  | ContentTerm
  | { kind: 'not'; of: Query }
  | { kind: 'and' | 'or'; parts: Query[] };

/** What is wrong with a query: where, in UTF-16 units from its beginning, and a sentence that names the fix. */
export interface QueryProblem {
  position: number;
  length: number;
  message: string;
  /** More typing at its end may make it valid: the message names what fits there. */
  unfinished: boolean;
}

export type Parsed = { ok: true; query: Query } | { ok: false; problem: QueryProblem };

/** Where further typing would fix it: at the refused part, if it is the last, or always at the query's end. */
export type Mending = 'there' | 'at-end';

/** The error for a refused part of a query; caught by `parseQuery`. */
export class QueryError extends Error {
  override readonly name = 'QueryError';
  readonly position: number;
  readonly length: number;
  /** Null: no further typing makes it valid. */
  readonly mending: Mending | null;

  constructor(message: string, at: { position: number; length: number }, mending: Mending | null = null) {
    super(message);
    this.mending = mending;
    this.position = at.position;
    this.length = at.length;
  }
}
