import type { TimeWindow } from './window-state.ts';

/**
 * The selectable range, milliseconds since the Unix epoch; `step` is how far one key press moves an edge, milliseconds.
 */
export interface BrushRange {
  from: number;
  to: number;
  step: number;
}

/** The start or the end of the time window. */
export type Edge = 'from' | 'to';

/** Where a key moves an edge that is at `at`, or null for any other key. `far` moves ten steps instead of one. */
export function edgeAfterKey(key: string, at: number, { from, to, step }: BrushRange, far: boolean): number | null {
  const stride = far ? 10 * step : step;
  const places: Record<string, number> = {
    ArrowLeft: at - stride,
    ArrowDown: at - stride,
    ArrowRight: at + stride,
    ArrowUp: at + stride,
    PageDown: at - 10 * step,
    PageUp: at + 10 * step,
    Home: from,
    End: to,
  };
  return Object.hasOwn(places, key) ? (places[key] ?? null) : null;
}

/** Moves one edge, at least a step away from the other. Null (no time window) if the result is the whole range. */
export function withEdge(now: TimeWindow | null, edge: Edge, wanted: number, range: BrushRange): TimeWindow | null {
  const { from, to } = now ?? range;
  const moved =
    edge === 'from'
      ? { from: Math.max(range.from, Math.min(wanted, to - range.step)), to }
      : { from, to: Math.min(range.to, Math.max(wanted, from + range.step)) };
  return moved.from <= range.from && moved.to >= range.to ? null : moved;
}
