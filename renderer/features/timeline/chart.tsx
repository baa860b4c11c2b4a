import { memo } from 'react';
import { Area, ComposedChart, Line, XAxis, YAxis } from 'recharts';
import { formatDuration } from '../../../shared/format/durations.ts';
import type { TimelineBar } from '../../state/timeline-buckets.ts';
import { LEFT, RIGHT } from './plot-edges.ts';
import { clockLabel, ticksBetween } from './ticks.ts';

/** CSS pixels. */
const HEIGHT = 88;
/** CSS pixels per label of the time axis, with its margin. */
const LABEL = 96;

/** Non-breaking spaces: recharts wraps a label at ordinary ones. */
function onOneLine(milliseconds: number): string {
  return formatDuration(milliseconds).replaceAll(' ', '\u00a0');
}

/** Whether a TTFB has no neighbour on either side: a line through it has no length, and it needs a dot. */
function isLone(bars: readonly TimelineBar[], index: number): boolean {
  const known = (at: number) => (bars[at]?.median ?? null) !== null;
  return known(index) && !known(index - 1) && !known(index + 1);
}

interface ChartProps {
  bars: readonly TimelineBar[];
  /** The time at the plot's edges, milliseconds since the Unix epoch. */
  from: number;
  to: number;
  /** CSS pixels. */
  width: number;
}

/**
 * The bars as points of lines, each at the middle of its bucket. An empty bucket on both sides gives the first and the
 * last bar their whole width.
 */
function pointsOf(bars: readonly TimelineBar[]) {
  const points = bars.map(({ from, to, ok, failed, median, p95 }, index) => {
    return { middle: (from + to) / 2, ok, failed, median, p95, lone: isLone(bars, index) ? median : null };
  });
  const [first, last] = [bars[0], bars.at(-1)];
  if (!first || !last) return points;
  const bucket = first.to - first.from;
  const empty = { ok: 0, failed: 0, median: null, p95: null, lone: null };
  const before = { ...empty, middle: first.from - bucket / 2 };
  return [before, ...points, { ...empty, middle: last.to + bucket / 2 }];
}

/**
 * The bars are one area with steps: recharts makes a component for each bar of a series of bars, and for each dot of a
 * line, which took four times as long with 160 of them.
 */
const BARS = { type: 'step', yAxisId: 'count', stackId: 'n', stroke: 'none', fillOpacity: 1 } as const;
/** A gap stays a gap: a line across it would suggest requests that did not happen. */
const LINE = { yAxisId: 'ttfb', connectNulls: false } as const;
const STILL = { dot: false, activeDot: false, isAnimationActive: false } as const;

const TICK = { fill: 'var(--text-3)', fontSize: 11 };
/** Three ticks: a chart this low has no room for more labels. */
const VALUE_AXIS = { tick: TICK, tickCount: 3, tickLine: false, axisLine: false } as const;

/** The properties of the time axis. Labels are at round times, as many as fit. */
function timeAxisOf({ from, to, width }: ChartProps) {
  const { times, step } = ticksBetween(from, to, Math.max(1, Math.floor((width - LEFT - RIGHT) / LABEL)));
  return {
    type: 'number',
    dataKey: 'middle',
    domain: [from, to],
    allowDataOverflow: true,
    ticks: times,
    interval: 0,
    tickFormatter: (time: number) => clockLabel(time, step),
    tick: TICK,
    height: 18,
    tickLine: false,
    axisLine: { stroke: 'var(--line)' },
  } as const;
}

/**
 * Requests as bars and TTFBs as lines over a linear time axis. Memoised: drawing it takes as long as the list. A lone
 * TTFB is a line without a length, which its round ends show as a dot.
 */
export const Chart = memo(function Chart(props: ChartProps) {
  return (
    <ComposedChart
      data={pointsOf(props.bars)}
      width={props.width}
      height={HEIGHT}
      margin={{ top: 22, right: 0, bottom: 0, left: 0 }}
      accessibilityLayer={false}
    >
      <XAxis {...timeAxisOf(props)} />
      <YAxis {...VALUE_AXIS} yAxisId="count" width={LEFT} allowDecimals={false} />
      <YAxis {...VALUE_AXIS} yAxisId="ttfb" orientation="right" width={RIGHT} tickFormatter={onOneLine} />
      <Area {...BARS} {...STILL} dataKey="ok" fill="var(--bar)" />
      <Area {...BARS} {...STILL} dataKey="failed" fill="var(--bad)" />
      <Line {...LINE} {...STILL} dataKey="p95" stroke="var(--p95)" strokeWidth={1} strokeDasharray="4 2" />
      <Line {...LINE} {...STILL} dataKey="median" stroke="var(--median)" strokeWidth={1.5} />
      <Line {...LINE} {...STILL} dataKey="lone" stroke="var(--median)" strokeWidth={3} strokeLinecap="round" />
    </ComposedChart>
  );
});
