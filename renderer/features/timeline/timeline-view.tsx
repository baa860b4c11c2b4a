import { X } from 'lucide-react';
import { memo } from 'react';
import { Bar, ComposedChart, Line, XAxis, YAxis } from 'recharts';
import { formatDuration } from '../../../shared/format/durations.ts';
import type { TimelineBar } from '../../state/timeline-buckets.ts';
import { useSize } from '../../ui/use-size.ts';
import { useApp, useWindow } from '../app-context.ts';
import { Brush } from './brush.tsx';
import { useTimelineBars } from './use-timeline-bars.ts';

const HEIGHT = 84;
const LEFT = 40;
const RIGHT = 52;

function clock(time: number): string {
  return new Date(time).toLocaleTimeString('en-GB');
}

/** recharts breaks a label at its spaces. */
function onOneLine(milliseconds: number): string {
  return formatDuration(milliseconds).replaceAll(' ', '\u00a0');
}

export function TimelineView() {
  const { store } = useApp();
  const bars = useTimelineBars();
  const timeWindow = useWindow((state) => state.timeWindow);
  const [ref, { width }] = useSize<HTMLDivElement>();
  const from = bars[0]?.from ?? 0;
  const to = bars.at(-1)?.to ?? 1;
  return (
    <section className="timeline" aria-label="Timeline" ref={ref}>
      {width > 0 && <Chart bars={bars} width={width} />}
      <div className="brush-area" style={{ left: LEFT, right: RIGHT }}>
        <Brush from={from} to={to} />
      </div>
      <div className="legend">
        <i className="key requests" /> Requests <i className="key errors" /> Failed, 5xx <i className="key median" />{' '}
        TTFB median <i className="key p95" /> p95
      </div>
      {timeWindow && (
        <button
          type="button"
          className="window-chip"
          aria-label="Clear time window"
          onClick={() => store.setState({ timeWindow: null })}
        >
          {clock(timeWindow.from)} – {clock(timeWindow.to)} <X size={12} aria-hidden="true" />
        </button>
      )}
    </section>
  );
}

const Chart = memo(function Chart({ bars, width }: { bars: TimelineBar[]; width: number }) {
  const tick = { fill: 'var(--text-3)', fontSize: 10 };
  return (
    <ComposedChart
      data={bars}
      width={width}
      height={HEIGHT}
      margin={{ top: 18, right: 0, bottom: 0, left: 0 }}
      barCategoryGap={1}
      accessibilityLayer={false}
    >
      <XAxis
        dataKey="from"
        tickFormatter={clock}
        tick={tick}
        height={16}
        tickLine={false}
        axisLine={{ stroke: 'var(--line)' }}
        minTickGap={60}
      />
      <YAxis
        yAxisId="count"
        width={LEFT}
        tick={tick}
        tickCount={3}
        allowDecimals={false}
        tickLine={false}
        axisLine={false}
      />
      <YAxis
        yAxisId="ttfb"
        orientation="right"
        width={RIGHT}
        tick={tick}
        tickCount={3}
        tickFormatter={onOneLine}
        tickLine={false}
        axisLine={false}
      />
      <Bar yAxisId="count" stackId="n" dataKey="ok" fill="var(--bar)" maxBarSize={18} isAnimationActive={false} />
      <Bar yAxisId="count" stackId="n" dataKey="failed" fill="var(--bad)" maxBarSize={18} isAnimationActive={false} />
      <Line
        yAxisId="ttfb"
        dataKey="p95"
        stroke="var(--p95)"
        strokeWidth={1}
        strokeDasharray="3 2"
        dot={false}
        connectNulls
        isAnimationActive={false}
      />
      <Line
        yAxisId="ttfb"
        dataKey="median"
        stroke="var(--median)"
        strokeWidth={1.5}
        dot={false}
        connectNulls
        isAnimationActive={false}
      />
    </ComposedChart>
  );
});
