import { X } from 'lucide-react';
import { useSize } from '../../ui/use-size.ts';
import { useApp, useWindow } from '../app-context.ts';
import { Brush } from './brush.tsx';
import { Chart } from './chart.tsx';
import { LEFT, RIGHT } from './plot-edges.ts';
import { clockLabel } from './ticks.ts';
import { timelineText } from './timeline-text.ts';
import { useTimelineBars } from './use-timeline-bars.ts';

/** A session with fewer buckets leaves room on the right: a single bar as wide as the window says nothing. */
const FEWEST_BUCKETS = 40;

const KEYS = [
  ['requests', 'Requests'],
  ['errors', 'Failed, 5xx'],
  ['median', 'TTFB median'],
  ['p95', 'p95'],
] as const;

/** The timeline above the list: chart, brush, legend and the chip of the selected time window. */
export function TimelineView() {
  const bars = useTimelineBars();
  const timeWindow = useWindow((state) => state.timeWindow);
  const [ref, { width }] = useSize<HTMLDivElement>();
  const [first, last] = [bars[0], bars.at(-1)];
  const bucket = first ? first.to - first.from : 1;
  const from = first?.from ?? 0;
  const to = Math.max(last?.to ?? 1, from + FEWEST_BUCKETS * bucket);
  return (
    <section className="timeline" aria-label="Timeline" ref={ref}>
      {/* Not before the width is measured: the chart needs it in pixels. Without bars, its axes would say nothing. */}
      {width > 0 && bars.length > 0 && (
        <div role="img" aria-label={timelineText(bars, timeWindow)}>
          <Chart bars={bars} from={from} to={to} width={width} />
        </div>
      )}
      <div className="brush-area" style={{ left: LEFT, right: RIGHT }}>
        <Brush from={from} to={to} step={bucket} />
      </div>
      {/* Hidden from screen readers: it explains colours. */}
      <div className="legend" aria-hidden="true">
        {KEYS.map(([key, text]) => (
          <span key={key}>
            <i className={`key ${key}`} /> {text}{' '}
          </span>
        ))}
      </div>
      <WindowChip />
    </section>
  );
}

/** The selected time window; a click clears it. */
function WindowChip() {
  const { store } = useApp();
  const timeWindow = useWindow((state) => state.timeWindow);
  if (timeWindow === null) return null;
  const clock = (time: number) => clockLabel(time, timeWindow.to - timeWindow.from > 60_000 ? 1000 : 100);
  const text = `${clock(timeWindow.from)} – ${clock(timeWindow.to)}`;
  return (
    <button
      type="button"
      className="chip window-chip"
      aria-label={`Clear time window ${text}`}
      onClick={() => store.setState({ timeWindow: null })}
    >
      {text} <X size={12} aria-hidden="true" />
    </button>
  );
}
