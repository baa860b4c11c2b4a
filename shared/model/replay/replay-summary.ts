import type { ReplayResult } from './replay-request.ts';

/** Of one measure over several requests, milliseconds. */
export interface Spread {
  min: number;
  median: number;
  p95: number;
}

/** The results of requests that were sent repeatedly. */
export interface ReplaySummary {
  sent: number;
  /** Those without a complete response. */
  failed: number;
  /** How often each status occurred, by status. */
  statuses: Record<string, number>;
  /** Null: no request has the measure. */
  ttfb: Spread | null;
  total: Spread | null;
}

/** The smallest value that at least `share` of the sorted values do not exceed (nearest rank). */
function rank(sorted: readonly number[], share: number): number {
  return sorted[Math.max(Math.ceil(share * sorted.length) - 1, 0)] ?? 0;
}

function spreadOf(values: readonly number[]): Spread | null {
  const sorted = values.filter((value) => value >= 0).sort((one, other) => one - other);
  if (sorted.length === 0) return null;
  return { min: sorted[0] ?? 0, median: rank(sorted, 0.5), p95: rank(sorted, 0.95) };
}

/** Failed requests count in no spread: their times only show when they failed. */
export function summarizeReplays(
  results: readonly (Pick<ReplayResult, 'status' | 'ttfb' | 'total'> & { failure: object | string | null })[],
): ReplaySummary {
  const whole = results.filter(({ failure }) => failure === null);
  const statuses: Record<string, number> = {};
  for (const { status } of results) {
    if (status > 0) statuses[status] = (statuses[status] ?? 0) + 1;
  }
  return {
    sent: results.length,
    failed: results.length - whole.length,
    statuses,
    ttfb: spreadOf(whole.map(({ ttfb }) => ttfb)),
    total: spreadOf(whole.map(({ total }) => total)),
  };
}
