import type { TimeWindow } from './window-state.ts';

/** What can be selected of, in milliseconds since the Unix epoch, and what one key stroke moves an edge by. */
export interface BrushRange {
  from: number;
  to: number;
  step: number;
}

export type Edge = 'from' | 'to';

/** What a key asks of an edge: where it shall go, or null for a key that is none of these. With `far`, ten times as far. */
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

/** Moves one edge: it stays a step away from the other. The whole range is the same as no window, which is null. */
export function withEdge(now: TimeWindow | null, edge: Edge, wanted: number, range: BrushRange): TimeWindow | null {
  const { from, to } = now ?? range;
  const moved =
    edge === 'from'
      ? { from: Math.max(range.from, Math.min(wanted, to - range.step)), to }
      : { from, to: Math.min(range.to, Math.max(wanted, from + range.step)) };
  return moved.from <= range.from && moved.to >= range.to ? null : moved;
}
