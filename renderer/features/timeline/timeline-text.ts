import { counted } from '../../../shared/format/counts.ts';
import { formatDuration } from '../../../shared/format/durations.ts';
import type { TimelineBar } from '../../state/timeline-buckets.ts';
import { clockLabel } from './ticks.ts';

/** Milliseconds since the Unix epoch. */
interface TimeWindow {
  from: number;
  to: number;
}

/** `12.0 ms`, or `12.0 ms to 80.0 ms`. */
function rangeText(values: readonly number[]): string {
  const [least, most] = [Math.min(...values), Math.max(...values)].map(formatDuration);
  return least === most ? `${least}` : `${least} to ${most}`;
}

/**
 * What the chart shows, for screen readers: `12 requests, 1 of them failed, from 14:05:10.2 to 14:06:00.0; TTFB median
 * 5.00 ms to 80.0 ms, p95 9.00 ms to 300 ms`. With a time window, it is about the bars in it: the keyboard moves its
 * edges bar by bar, which reads the chart in any detail.
 */
export function timelineText(bars: readonly TimelineBar[], timeWindow: TimeWindow | null): string {
  const shown = timeWindow ? bars.filter(({ from, to }) => to > timeWindow.from && from < timeWindow.to) : bars;
  const [first, last] = [shown[0], shown.at(-1)];
  if (!first || !last) return 'No requests';
  const failed = shown.reduce((sum, bar) => sum + bar.failed, 0);
  const requests = shown.reduce((sum, bar) => sum + bar.ok, failed);
  const medians = shown.flatMap(({ median }) => median ?? []);
  const p95s = shown.flatMap(({ p95 }) => p95 ?? []);
  const when = `from ${clockLabel(first.from, 100)} to ${clockLabel(last.to, 100)}`;
  const ttfb = medians.length === 0 ? '' : `; TTFB median ${rangeText(medians)}, p95 ${rangeText(p95s)}`;
  return `${counted(requests, 'request')}, ${failed === 0 ? 'none' : `${failed} of them`} failed, ${when}${ttfb}`;
}
