import { formatDuration } from '../format/durations.ts';
import { formatBytes } from '../format/sizes.ts';
import type { Finding } from '../model/insight/finding.ts';

/** `0 ms` reads like a figure that was rounded away, or that nobody knows. */
function durationOrNone(ms: number): string {
  return ms === 0 ? 'none' : formatDuration(ms);
}

/**
 * What a finding costs, as names and figures: the same in the window, on the command line and in reports. A cost of
 * null is unknown, and is left out.
 */
export function costsOf({ costMs, criticalMs, bytes, requests }: Finding): [name: string, figure: string][] {
  const costs: [string, string | null][] = [
    ['time lost', costMs === null ? null : durationOrNone(costMs)],
    ['critical path', criticalMs === null ? null : durationOrNone(criticalMs)],
    ['bytes', bytes === null ? null : formatBytes(bytes)],
    ['requests', requests === null ? null : requests.toLocaleString('en')],
  ];
  return costs.flatMap(([name, figure]) => (figure === null ? [] : [[name, figure]]));
}

/** `time lost 300 ms, critical path none, requests 4`; empty if no cost is known. */
export function costLine(finding: Finding): string {
  return costsOf(finding)
    .map(([name, figure]) => `${name} ${figure}`)
    .join(', ');
}
