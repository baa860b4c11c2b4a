import type { TimelineBar } from '../../state/timeline-buckets.ts';

/** From a time in milliseconds, or a value, to CSS pixels. */
export type Scale = (value: number) => number;

/** Two decimals: a hundredth of a pixel is not visible, and long numbers take time to write and to parse. */
function short(pixels: number): number {
  return Math.round(pixels * 100) / 100;
}

/**
 * The area between two values of each bar, as one path with steps: separate rectangles would show the background
 * between neighbours whose edges are not at whole pixels.
 */
export function areaPath(
  bars: readonly TimelineBar[],
  { low, high }: { low: (bar: TimelineBar) => number; high: (bar: TimelineBar) => number },
  x: Scale,
  y: Scale,
): string {
  const first = bars[0];
  if (first === undefined) return '';
  const there = bars.map((bar) => `V${short(y(high(bar)))}H${short(x(bar.to))}`);
  const back = [...bars].reverse().map((bar) => `V${short(y(low(bar)))}H${short(x(bar.from))}`);
  return `M${short(x(first.from))} ${short(y(low(first)))}${there.join('')}${back.join('')}Z`;
}

/** A line through the middles of the bars. A gap stays a gap: a line across it would suggest requests. */
export function linePath(
  bars: readonly TimelineBar[],
  value: (bar: TimelineBar, at: number) => number | null,
  x: Scale,
  y: Scale,
): string {
  let path = '';
  let isOn = false;
  for (const [at, bar] of bars.entries()) {
    const known = value(bar, at);
    if (known !== null) path += `${isOn ? 'L' : 'M'}${short(x((bar.from + bar.to) / 2))} ${short(y(known))}`;
    isOn = known !== null;
  }
  return path;
}

/**
 * A line without a length for each TTFB that has no neighbour, which round ends show as a dot: `linePath` draws nothing
 * there.
 */
export function dotsPath(bars: readonly TimelineBar[], x: Scale, y: Scale): string {
  const medianAt = (at: number) => bars[at]?.median ?? null;
  const lone = (_: TimelineBar, at: number) =>
    medianAt(at - 1) === null && medianAt(at + 1) === null ? medianAt(at) : null;
  return linePath(bars, lone, x, y).replaceAll(/M[^M]+/g, '$&h0');
}
