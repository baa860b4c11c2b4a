import type { Unit } from '../../filter/comparison.ts';
import type { Finding } from '../../model/insight/finding.ts';

/** One line of a budget, for one session. */
export interface BudgetVerdict {
  expression: string;
  ok: boolean;
  /** Milliseconds, bytes or a number, by `unit`; null if there was nothing to measure. */
  actual: number | null;
  limit: number;
  unit: Unit;
  message: string;
}

/** One figure against the baselines. Only `worse` is a failure; `new` and `gone` are hosts that one side lacks. */
export interface BaselineVerdict {
  /** `requests`, `failed`, `bytes`, `connections`, `ttfb` or `total`; `host` for one that is new or gone. */
  metric: string;
  /** A host, or the method, host and path template of a kind of request; empty for the whole session. */
  where: string;
  ok: boolean;
  verdict: 'same' | 'better' | 'worse' | 'too-few-runs' | 'new' | 'gone';
  /** Medians for times; for the others the largest value of any run. */
  base: number;
  now: number;
  unit: Unit;
  /** Of the Mann-Whitney test and Cliff's delta; null for what is compared exactly. */
  p: number | null;
  delta: number | null;
  message: string;
}

/** What `roundtrip check` found. */
export interface CheckResult {
  ok: boolean;
  sources: { source: string; budgets: BudgetVerdict[]; findings: Finding[] }[];
  baseline: BaselineVerdict[];
  /** Sentences about parts of a budget that can't be checked. */
  notes: string[];
}
