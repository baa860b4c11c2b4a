import { memo } from 'react';
import { Bar, ComposedChart, type DotItemDotProps, Line, XAxis, YAxis } from 'recharts';
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

/** Whether a TTFB has no neighbour on either side: a line through it has no length, so it needs a dot. */
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

/** What the series need. recharts makes a component for each bar and dot, even one of height 0: empty series are left out. */
function seriesOf({ bars, from, to, width }: ChartProps) {
  const plot = width - LEFT - RIGHT;
  const anyFailed = bars.some(({ failed }) => failed > 0);
  const anyLone = bars.some((_bar, index) => isLone(bars, index));
  const dot = ({ key, index, cx, cy, stroke }: DotItemDotProps) =>
    isLone(bars, index) ? <circle key={key} cx={cx} cy={cy} r={1.5} fill={stroke} /> : null;
  const bucket = bars[0] ? bars[0].to - bars[0].from : 1;
  const barSize = Math.max(1, (plot * bucket) / (to - from) - 1);
  const bar = { yAxisId: 'count', stackId: 'n', barSize, isAnimationActive: false } as const;
  // A gap stays a gap: a line across it would suggest requests that did not happen. A lone value is a dot.
  const line = { yAxisId: 'ttfb', connectNulls: false, isAnimationActive: false, dot: anyLone && dot } as const;
  return { bar, line, anyFailed };
}

const TICK = { fill: 'var(--text-3)', fontSize: 11 };
/** Three ticks: a chart this low has no room for more labels. */
const VALUE_AXIS = { tick: TICK, tickCount: 3, tickLine: false, axisLine: false } as const;

/** The properties of the time axis. Labels stand at round times, as many as have room. */
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
 * Requests as bars and TTFBs as lines over a linear time axis. Memoised: drawing it takes four times as long as the
 * list.
 */
export const Chart = memo(function Chart(props: ChartProps) {
  const data = props.bars.map((each) => ({ ...each, middle: (each.from + each.to) / 2 }));
  const { bar, line, anyFailed } = seriesOf(props);
  return (
    <ComposedChart
      data={data}
      width={props.width}
      height={HEIGHT}
      margin={{ top: 22, right: 0, bottom: 0, left: 0 }}
      accessibilityLayer={false}
    >
      <XAxis {...timeAxisOf(props)} />
      <YAxis {...VALUE_AXIS} yAxisId="count" width={LEFT} allowDecimals={false} />
      <YAxis {...VALUE_AXIS} yAxisId="ttfb" orientation="right" width={RIGHT} tickFormatter={onOneLine} />
      <Bar {...bar} dataKey="ok" fill="var(--bar)" />
      {anyFailed && <Bar {...bar} dataKey="failed" fill="var(--bad)" />}
      <Line {...line} dataKey="p95" stroke="var(--p95)" strokeWidth={1} strokeDasharray="4 2" />
      <Line {...line} dataKey="median" stroke="var(--median)" strokeWidth={1.5} />
    </ComposedChart>
  );
});
