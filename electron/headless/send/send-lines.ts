import { counted } from '../../../shared/format/counts.ts';
import { formatDuration } from '../../../shared/format/durations.ts';
import type { ReplayResult } from '../../../shared/model/replay/replay-request.ts';
import type { ReplaySummary, Spread } from '../../../shared/model/replay/replay-summary.ts';

/** `200  ttfb 12.3 ms  total 14.0 ms  GET https://a.test/`. */
export function responseLine(method: string, url: string, { status, ttfb, total, failure }: ReplayResult): string {
  const times = `ttfb ${formatDuration(ttfb)}  total ${formatDuration(total)}`;
  const line = `${status === 0 ? '---' : status}  ${times}  ${method} ${url}`;
  return failure === null ? line : `${line}\n     ${failure.message}`;
}

function spreadLine(name: string, spread: Spread | null): string {
  if (spread === null) return `${name}  -`;
  const { min, median, p95 } = spread;
  return `${name}  min ${formatDuration(min)}  median ${formatDuration(median)}  p95 ${formatDuration(p95)}`;
}

/** The lines after the last response. */
export function summaryLines({ sent, failed, statuses, ttfb, total }: ReplaySummary): string[] {
  if (sent === 0) return ['No request matches: nothing was sent.'];
  const counts = Object.entries(statuses).map(([status, count]) => `${status} x ${count}`);
  const requests = counted(sent, 'request');
  return [
    '',
    `${requests}, ${failed} failed${counts.length > 0 ? `; ${counts.join(', ')}` : ''}`,
    spreadLine('ttfb ', ttfb),
    spreadLine('total', total),
  ];
}
