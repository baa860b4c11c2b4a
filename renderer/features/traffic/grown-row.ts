import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import { grownTimings, runningPhase } from '../../../shared/model/timings.ts';

/** A row as it is at `now`, the host's time: of one that is open, the phase that goes on has grown since its row was sent. */
export function grownRow(row: ExchangeSummary, now: number): ExchangeSummary {
  if (row.state !== 'open') return row;
  const elapsed = Math.max(now - row.startedAt, row.total);
  return { ...row, timings: grownTimings(row.timings, elapsed), total: elapsed };
}

/** A stream, a WebSocket or a tunnel that goes on: it may do so all day. */
function isFlowing(row: ExchangeSummary): boolean {
  return row.state === 'open' && runningPhase(row.timings) === 'receive';
}

/** Steps in which an axis grows that open rows stretch: bars grow with each drawing, the axis and all other bars only now and then. */
const STEPS = 8;

function roundedUp(span: number): number {
  const step = 2 ** Math.floor(Math.log2(span)) / STEPS;
  return Math.ceil(span / step) * step;
}

/**
 * Milliseconds that an axis has to show which begins at `from`, for these rows as they are at `now`. What flows runs out of it, for it
 * would squeeze the bars of the others more and more.
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
