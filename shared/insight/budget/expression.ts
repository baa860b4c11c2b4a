import { quantity, type Unit } from '../../filter/comparison.ts';
import { compileFilter } from '../../filter/compile.ts';
import { type Predicate, QueryError } from '../../filter/query.ts';
import type { Finding } from '../../model/insight/finding.ts';
import { FIELDS, REDUCTION_NAMES, type Reduction, reductionOf } from './measures.ts';

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
export class BudgetError extends Error {}

/** Measure, operator, limit, query. Operators within a query follow a colon. */
const LINE = /^(.*?[\w)\s])\s*(<=|>=|==|!=|<|>|=)\s*([\d.]+\s*[a-zµ]*)(?:\s+where\s+(.*))?$/is;
/** Name, field with its own query, query. */
const MEASURE = /^\s*([a-z][\w.]*)\s*(?:\(\s*([\w-]*)\s*(?:\bwhere\s+(.*))?\))?(?:\s+where\s+(.*))?$/is;
const EXAMPLE = 'p95(ttfb) < 300ms where host:api';

/** Throws `BudgetError`. */
export function parseBudgetLine(text: string): BudgetLine {
  const [, left = '', operator = '', limit = '', after] = LINE.exec(text.trim()) ?? [];
  if (left === '') throw new BudgetError(`It has no limit: write it like ${EXAMPLE}.`);
  const [, name = '', field, inside, between] = MEASURE.exec(left) ?? [];
  if (name === '') throw new BudgetError(`${JSON.stringify(left.trim())} can't be measured: write it like ${EXAMPLE}.`);
  const queries = [inside, between, after].flatMap((query) => (query?.trim() ? [query.trim()] : []));
  const { measure, unit } = measureOf(name.toLowerCase(), field?.toLowerCase(), queries);
  return {
    text: text.trim(),
    measure,
    operator: operator === '=' ? '==' : (operator as Operator),
    limit: limitOf(limit, unit),
    unit,
  };
}

function limitOf(text: string, unit: Unit): number {
  try {
    const compact = text.replace(/\s/g, '');
    return quantity(compact, unit, { position: 0, length: compact.length });
  } catch (error) {
    throw error instanceof QueryError ? new BudgetError(error.message) : error;
  }
}

function measureOf(name: string, field: string | undefined, queries: string[]): { measure: Measure; unit: Unit } {
  if (name === 'findings') return { measure: { kind: 'findings', matches: findingsFilter(queries) }, unit: 'count' };
  if (name === 'count' || name === 'connections') {
    return { measure: { kind: name, matches: matcherOf(queries) }, unit: 'count' };
  }
  const reduce = reductionOf(name);
  const functions = `count, connections, findings, or one of ${REDUCTION_NAMES.join(', ')} with a field`;
  if (reduce === undefined) throw new BudgetError(`There is no measure ${name}: use ${functions}.`);
  const of = field === undefined || !Object.hasOwn(FIELDS, field) ? undefined : FIELDS[field];
  if (of === undefined) {
    const given = field ? `There is no field ${field}` : `${name} needs a field`;
    throw new BudgetError(`${given}: use ${name}(...) with one of ${Object.keys(FIELDS).join(', ')}.`);
  }
  return { measure: { kind: 'values', matches: matcherOf(queries), of: of.of, reduce }, unit: of.unit };
}

function matcherOf(queries: readonly string[]): Predicate {
  const filters = queries.map((query) => {
    const filter = compileFilter(query);
    if (!filter.ok) throw new BudgetError(`In ${JSON.stringify(query)}: ${filter.problem.message}`);
    return filter.matches;
  });
  return (row) => row.kind !== 'connection' && filters.every((matches) => matches(row));
}

const FINDING_FIELDS = ['severity', 'rule', 'confidence', 'where'] as const;

/** `severity:high,medium rule:n-plus-one`: all of them must match. */
function findingsFilter(queries: readonly string[]): (finding: Finding) => boolean {
  const terms = queries
    .flatMap((query) => query.split(/\s+/))
    .map((term) => {
      const [, name = '', values = ''] = /^([a-z]+):(.+)$/i.exec(term) ?? [];
      const field = FINDING_FIELDS.find((known) => known === name.toLowerCase());
      if (field === undefined) {
        throw new BudgetError(
          `Findings are chosen by ${FINDING_FIELDS.map((known) => `${known}:`).join(', ')}, not by ${term}.`,
        );
      }
      return { field, values: values.toLowerCase().split(',') };
    });
  return (finding) =>
    terms.every(({ field, values }) =>
      field === 'where'
        ? values.some((value) => finding.where.toLowerCase().includes(value))
        : values.includes(finding[field]),
    );
}
