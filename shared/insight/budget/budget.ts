import type { LighthouseBudget, TimeLimits } from './budget-file.ts';
import type { BudgetLine } from './expression.ts';

/** A budget file, read. */
export type Budget =
  | { kind: 'lines'; lines: readonly BudgetLine[]; times: TimeLimits }
  | { kind: 'lighthouse'; budget: LighthouseBudget; times: TimeLimits };
