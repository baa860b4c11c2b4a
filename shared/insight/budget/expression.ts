import { quantity, type Unit } from '../../filter/comparison.ts';
import { compileFilter } from '../../filter/compile.ts';
import { type Predicate, QueryError } from '../../filter/query.ts';
import type { Finding } from '../../model/insight/finding.ts';
import { INSIGHT_RULES } from '../rules/catalogue.ts';
import { FIELDS, PLAIN_REDUCTIONS, REDUCTION_NAMES, type Reduction, reductionOf } from './measures.ts';
import { nearestName } from './nearest-name.ts';

/** What a budget limits. `findings` has its own filter; the others take a query on exchanges. */
export type Measure =
  | { kind: 'count' | 'connections'; matches: Predicate }
  | { kind: 'values'; matches: Predicate; of: (row: Parameters<Predicate>[0]) => number; reduce: Reduction }
  | { kind: 'findings'; matches: (finding: Finding) => boolean };

export type Operator = '<' | '<=' | '>' | '>=' | '==' | '!=';

/** One line of a budget, `p95(ttfb) < 300ms where host:api type:json`. */
export interface BudgetLine {
  /** As written. */
  text: string;
  measure: Measure;
  operator: Operator;
  /** Milliseconds, bytes or a number, by `unit`. */
  limit: number;
  unit: Unit;
}

/** What is wrong with a line of a budget; the message is a sentence that names the fix. */
export class BudgetError extends Error {
  /** Where the fault begins in the line, in UTF-16 units from its start. */
  readonly offset: number;

  constructor(message: string, offset = 0) {
    super(message);
    this.offset = offset;
  }
}

/** A part of a line, and where it begins in it. */
interface Piece {
  text: string;
  offset: number;
}

/** Measure, operator, limit, query. Operators within a query follow a colon. */
const LINE = /^(.*?[\w)\s])\s*(<=|>=|==|!=|<|>|=)\s*([\d.]+\s*[a-zµ]*)(?:\s+where\s+(.*))?$/dis;
/** Name, field with its own query, query. */
const MEASURE = /^\s*([a-z][\w.]*)\s*(?:\(\s*([\w-]*)\s*(?:\bwhere\s+(.*))?\))?(?:\s+where\s+(.*))?$/dis;
const EXAMPLE = 'p95(ttfb) < 300ms where host:api';

/**
 * A group of a match, without the space around it; null if it is missing or empty. `from`: where the matched text
 * begins.
 */
function pieceOf(match: RegExpExecArray | null, group: number, from = 0): Piece | null {
  const text = match?.[group]?.trim();
  if (!text) return null;
  const start = match?.indices?.[group]?.[0] ?? 0;
  return { text, offset: from + start + (match?.[group] ?? '').indexOf(text) };
}

function piecesOf(...pieces: (Piece | null)[]): Piece[] {
  return pieces.filter((piece) => piece !== null);
}

/** Throws `BudgetError`. */
export function parseBudgetLine(text: string): BudgetLine {
  const line = LINE.exec(text);
  const left = pieceOf(line, 1);
  const limit = pieceOf(line, 3);
  if (left === null || limit === null) throw withoutLimit(text);
  const parts = MEASURE.exec(left.text);
  const name = pieceOf(parts, 1, left.offset);
  if (name === null)
    throw new BudgetError(`${JSON.stringify(left.text)} can't be measured: write it like ${EXAMPLE}.`, left.offset);
  const field = pieceOf(parts, 2, left.offset);
  const queries = piecesOf(pieceOf(parts, 3, left.offset), pieceOf(parts, 4, left.offset), pieceOf(line, 4));
  const { measure, unit } = measureOf(name, field, queries);
  const operator = line?.[2] ?? '';
  return {
    text: text.trim(),
    measure,
    operator: operator === '=' ? '==' : (operator as Operator),
    limit: limitOf(limit, unit),
    unit,
  };
}

/** An operator, and what follows it up to the query. */
const OTHER_LIMIT = /(?:[<>=!]=?)\s*([^\s<>=!:]+)(?:\s+where\s.*)?$/dis;

function withoutLimit(text: string): BudgetError {
  const other = pieceOf(OTHER_LIMIT.exec(text), 1);
  if (other === null || !/\d/.test(other.text)) return new BudgetError(`It has no limit: write it like ${EXAMPLE}.`);
  const fix = 'write digits and a unit, without a sign or separators, as in 1000 or 300ms';
  return new BudgetError(`${JSON.stringify(other.text)} can't be a limit: ${fix}.`, other.offset);
}

function limitOf({ text, offset }: Piece, unit: Unit): number {
  try {
    const compact = text.replace(/\s/g, '');
    return quantity(compact, unit, { position: 0, length: compact.length });
  } catch (error) {
    throw error instanceof QueryError ? new BudgetError(error.message, offset) : error;
  }
}

/** ` Did you mean ttfb?` */
function suggestion(given: string, names: readonly string[]): string {
  const nearest = nearestName(given, names);
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`;
}

const PLAIN_MEASURES = ['count', 'connections', 'findings'] as const;

function measureOf(name: Piece, field: Piece | null, queries: Piece[]): { measure: Measure; unit: Unit } {
  const kind = PLAIN_MEASURES.find((known) => known === name.text.toLowerCase());
  if (kind !== undefined && field !== null)
    throw new BudgetError(`${kind} takes no field: write ${kind}, or sum(${field.text}) for its sum.`, field.offset);
  if (kind === 'findings') return { measure: { kind, matches: findingsFilter(queries) }, unit: 'count' };
  if (kind !== undefined) return { measure: { kind, matches: matcherOf(queries) }, unit: 'count' };
  const reduce = reductionOf(name.text.toLowerCase());
  if (reduce === undefined) {
    const meant = suggestion(name.text.toLowerCase(), [...PLAIN_MEASURES, ...PLAIN_REDUCTIONS]);
    const all = `${PLAIN_MEASURES.join(', ')}, or one of ${REDUCTION_NAMES.join(', ')} with a field`;
    throw new BudgetError(`There is no measure ${name.text}.${meant} Use ${all}.`, name.offset);
  }
  const of = fieldOf(name, field);
  return { measure: { kind: 'values', matches: matcherOf(queries), of: of.of, reduce }, unit: of.unit };
}

/** Throws `BudgetError` if the field is missing or unknown. */
function fieldOf(name: Piece, field: Piece | null): (typeof FIELDS)[string] {
  const names = Object.keys(FIELDS);
  const fix = `use ${name.text}(...) with one of ${names.join(', ')}.`;
  if (field === null) throw new BudgetError(`${name.text} needs a field: ${fix}`, name.offset);
  const wanted = field.text.toLowerCase();
  const of = Object.hasOwn(FIELDS, wanted) ? FIELDS[wanted] : undefined;
  if (of !== undefined) return of;
  const meant = suggestion(wanted, names);
  throw new BudgetError(`There is no field ${field.text}.${meant} ${fix.replace('use', 'Use')}`, field.offset);
}

function matcherOf(queries: readonly Piece[]): Predicate {
  const filters = queries.map(({ text, offset }) => {
    const filter = compileFilter(text);
    if (filter.ok) return filter.matches;
    const { message, position } = filter.problem;
    throw new BudgetError(`In ${JSON.stringify(text)}: ${message}`, offset + position);
  });
  return (row) => row.kind !== 'connection' && filters.every((matches) => matches(row));
}

const FINDING_FIELDS = ['severity', 'rule', 'confidence', 'where'] as const;

const LEVELS = ['high', 'medium', 'low'];

/** What a field of findings may be; a place can be anything. An unknown value would never match, and limit nothing. */
const FINDING_VALUES: Partial<Record<(typeof FINDING_FIELDS)[number], readonly string[]>> = {
  severity: LEVELS,
  confidence: LEVELS,
  rule: INSIGHT_RULES.map(({ id }) => id),
};

/** Throws `BudgetError` for one that no finding has. */
function knownValues(field: (typeof FINDING_FIELDS)[number], values: string[], at: number): string[] {
  const known = FINDING_VALUES[field];
  const unknown = known && values.find((value) => !known.includes(value));
  if (known === undefined || unknown === undefined) return values;
  const all = field === 'rule' ? 'docs/findings.md lists the rules.' : `Use ${known.join(', ')}.`;
  throw new BudgetError(`No finding has ${field}:${unknown}.${suggestion(unknown, known)} ${all}`, at);
}

/** `severity:high,medium rule:n-plus-one`: all of them must match. */
function findingsFilter(queries: readonly Piece[]): (finding: Finding) => boolean {
  const terms = queries
    .flatMap(({ text, offset }) =>
      [...text.matchAll(/\S+/g)].map((term) => ({ term: term[0], at: offset + term.index })),
    )
    .map(({ term, at }) => {
      const [, name = '', values = ''] = /^([a-z]+):(.+)$/i.exec(term) ?? [];
      const field = FINDING_FIELDS.find((known) => known === name.toLowerCase());
      if (field === undefined) {
        const known = FINDING_FIELDS.map((one) => `${one}:`).join(', ');
        const meant = suggestion(name.toLowerCase(), FINDING_FIELDS);
        throw new BudgetError(`Findings are chosen by ${known}, not by ${term}.${meant}`, at);
      }
      return { field, values: knownValues(field, values.toLowerCase().split(','), at) };
    });
  return (finding) =>
    terms.every(({ field, values }) =>
      field === 'where'
        ? values.some((value) => finding.where.toLowerCase().includes(value))
        : values.includes(finding[field]),
    );
}
