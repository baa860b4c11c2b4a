import { formatDuration } from '../format/durations.ts';
import { formatBytes } from '../format/sizes.ts';
import type { Change } from '../model/compare/comparison.ts';

/** `status 200 → 500`, `size 1.2 KB → 340 KB`, `wait 73 ms → 1.20 s`. */
export function changeInWords({ what, before, after }: Change, arrow = '→'): string {
  return `${what} ${inWords(what, before)} ${arrow} ${inWords(what, after)}`;
}

function inWords(what: Change['what'], value: Change['before']): string {
  if (typeof value !== 'number') return value ?? 'none';
  if (what === 'status') return String(value);
  return what === 'size' ? formatBytes(value) : formatDuration(value);
}
