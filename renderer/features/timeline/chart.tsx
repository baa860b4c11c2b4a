import { memo } from 'react';
import { shortCount } from '../../../shared/format/counts.ts';
import { formatDuration } from '../../../shared/format/durations.ts';
import type { TimelineBar } from '../../state/timeline-buckets.ts';
import { areaPath, dotsPath, linePath, type Scale } from './chart-paths.ts';
import { LEFT, RIGHT } from './plot-edges.ts';
import { clockLabel, ticksBetween } from './ticks.ts';
import { axisEnd } from './value-axis.ts';

/** CSS pixels. The legend is above the plot, the times are below it. */
const HEIGHT = 88;
const TOP = 22;
const BOTTOM = 70;
/** CSS pixels between the plot and a label. */
const GAP = 8;
/** CSS pixels per label of the time axis, with its margin. */
const LABEL = 96;

interface ChartProps {
  bars: readonly TimelineBar[];
  /** The time at the plot's edges, milliseconds since the Unix epoch. */
  from: number;
  to: number;
  /** CSS pixels. */
  width: number;
}

interface EndsProps {
  end: number;
  /** CSS pixels from the left. */
  at: number;
  anchor: 'start' | 'end';
  text: (value: number) => string;
}

/** From a value to its height in the plot. */
function heightOn(end: number): Scale {
  return (value) => (end > 0 ? BOTTOM - (value / end) * (BOTTOM - TOP) : BOTTOM);
}

const all = ({ ok, failed }: TimelineBar) => ok + failed;
const longest = ({ median, p95 }: TimelineBar) => Math.max(median ?? 0, p95 ?? 0);

/**
 * Requests as bars and TTFBs as lines over a linear time axis. Few elements, made by hand: drawing the same with
 * recharts was the longest task of a window with 100,000 rows.
 */
export const Chart = memo(function Chart({ bars, from, to, width }: ChartProps) {
  const x: Scale = (time) => LEFT + ((time - from) / (to - from)) * (width - LEFT - RIGHT);
  const mostRequests = axisEnd(Math.max(...bars.map(all)), true);
  const longestTtfb = axisEnd(Math.max(...bars.map(longest)), false);
  const [count, ttfb] = [heightOn(mostRequests), heightOn(longestTtfb)];
  const line = { fill: 'none', stroke: 'var(--median)' } as const;
  return (
    <svg className="chart" width={width} height={HEIGHT} aria-hidden="true">
      <TimeAxis from={from} to={to} width={width} x={x} />
      <Ends end={mostRequests} at={LEFT - GAP} anchor="end" text={shortCount} />
      <Ends end={longestTtfb} at={width - RIGHT + GAP} anchor="start" text={formatDuration} />
      <path d={areaPath(bars, { low: () => 0, high: ({ ok }) => ok }, x, count)} fill="var(--bar)" />
      <path d={areaPath(bars, { low: ({ ok }) => ok, high: all }, x, count)} fill="var(--bad)" />
      <path {...line} d={linePath(bars, ({ p95 }) => p95, x, ttfb)} stroke="var(--p95)" strokeDasharray="4 2" />
      <path {...line} d={linePath(bars, ({ median }) => median, x, ttfb)} strokeWidth={1.5} />
      <path {...line} d={dotsPath(bars, x, ttfb)} strokeWidth={3} strokeLinecap="round" />
    </svg>
  );
});

/** The labels of a vertical axis, 0 and its end: a chart this low has no room for more. None if all is 0. */
function Ends({ end, at, anchor, text }: EndsProps) {
  if (end === 0) return null;
  const label = { x: at, dy: '0.355em', textAnchor: anchor };
  return (
    <>
      <text {...label} y={BOTTOM}>
        {text(0)}
      </text>
      <text {...label} y={TOP}>
        {text(end)}
      </text>
    </>
  );
}

/** The time axis. Labels are at round times, as many as fit. */
function TimeAxis({ from, to, width, x }: Omit<ChartProps, 'bars'> & { x: Scale }) {
  const { times, step } = ticksBetween(from, to, Math.max(1, Math.floor((width - LEFT - RIGHT) / LABEL)));
  return (
    <>
      <line x1={LEFT} x2={width - RIGHT} y1={BOTTOM} y2={BOTTOM} stroke="var(--line)" />
      {times.map((time) => (
        <text key={time} x={x(time)} y={BOTTOM + GAP} dy="0.71em" textAnchor="middle">
          {clockLabel(time, step)}
        </text>
      ))}
    </>
  );
}
