import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import { grownTimings, runningPhase } from '../../../shared/model/timings.ts';

/** The row at `now`, the host's time. The current phase of an open exchange has grown since the host sent its row. */
export function grownRow(row: ExchangeSummary, now: number): ExchangeSummary {
  if (row.state !== 'open') return row;
  const elapsed = Math.max(now - row.startedAt, row.total);
  return { ...row, timings: grownTimings(row.timings, elapsed), total: elapsed };
}

/** Whether it is a stream, WebSocket or tunnel in progress, which may last all day. */
function isFlowing(row: ExchangeSummary): boolean {
  return row.state === 'open' && runningPhase(row.timings) === 'receive';
}

/**
 * Steps per power of two in which open rows stretch the axis. The bars of open rows grow with each drawing; the axis,
 * and with it every other bar, changes only at a step.
 */
const STEPS = 8;

/** The next of `STEPS` equal steps between two powers of two. */
function roundedUp(span: number): number {
  const step = 2 ** Math.floor(Math.log2(span)) / STEPS;
  return Math.ceil(span / step) * step;
}

/**
 * The span in milliseconds of an axis that begins at `from`, for these rows at `now`. Streams in progress may extend
 * past its end: an axis that included them would squeeze all other bars more and more.
 */
export function axisSpan(
  rows: readonly ExchangeSummary[],
  from: (row: ExchangeSummary) => number,
  now: number,
): number {
  let over = 1;
  let open = 0;
  for (const row of rows) {
    if (row.state !== 'open' || isFlowing(row)) over = Math.max(over, from(row) + row.total);
    else open = Math.max(open, from(row) + grownRow(row, now).total);
  }
  return open > over ? roundedUp(open) : over;
}
