import type { ExchangeSummary } from '../../model/exchange-summary.ts';
import type { Finding } from '../../model/insight/finding.ts';
import type { BudgetVerdict } from '../check/check-result.ts';
import { formatFigure } from '../check/format-figure.ts';
import type { BudgetLine, Operator } from './expression.ts';

const HOLDS: Record<Operator, (actual: number, limit: number) => boolean> = {
  '<': (actual, limit) => actual < limit,
  '<=': (actual, limit) => actual <= limit,
  '>': (actual, limit) => actual > limit,
  '>=': (actual, limit) => actual >= limit,
  '==': (actual, limit) => actual === limit,
  '!=': (actual, limit) => actual !== limit,
};

/** Counts rows for one line of a budget. */
export class BudgetTally {
  readonly #line: BudgetLine;
  #count = 0;
  readonly #values: number[] = [];
  readonly #connections = new Set<number>();

  constructor(line: BudgetLine) {
    this.#line = line;
  }

  add(row: ExchangeSummary): void {
    const { measure } = this.#line;
    if (measure.kind === 'findings' || !measure.matches(row)) return;
    this.#count += 1;
    if (measure.kind === 'connections' && row.upstreamConnection > 0) this.#connections.add(row.upstreamConnection);
    if (measure.kind !== 'values') return;
    const value = measure.of(row);
    if (value >= 0) this.#values.push(value);
  }

  verdict(findings: readonly Finding[]): BudgetVerdict {
    const { text, operator, limit, unit } = this.#line;
    const actual = this.#actual(findings);
    // Nothing was measured, and nothing is over its budget: the message states this.
    const ok = actual === null || HOLDS[operator](actual, limit);
    const what = actual === null ? 'nothing to measure' : formatFigure(actual, unit);
    return { expression: text, ok, actual, limit, unit, message: `${text}: ${what}` };
  }

  #actual(findings: readonly Finding[]): number | null {
    const { measure } = this.#line;
    if (measure.kind === 'findings') return findings.filter(measure.matches).length;
    if (measure.kind === 'connections') return this.#connections.size;
    if (measure.kind !== 'values') return this.#count;
    // A sum of values that are all unknown is not 0.
    return this.#values.length === 0 && this.#count > 0 ? null : measure.reduce(this.#values);
  }
}
