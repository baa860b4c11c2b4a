import type { Unit } from '../../filter/comparison.ts';
import { formatDuration } from '../../format/durations.ts';
import { formatBytes } from '../../format/sizes.ts';

/** A figure for people, by its unit. */
export function formatFigure(value: number, unit: Unit): string {
  if (unit === 'time') return formatDuration(value);
  return unit === 'bytes' ? formatBytes(Math.round(value)) : String(value);
}
