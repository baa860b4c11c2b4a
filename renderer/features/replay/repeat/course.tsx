import { CartesianGrid, Line, LineChart, XAxis, YAxis } from 'recharts';
import { formatDuration } from '../../../../shared/format/durations.ts';
import type { RepeatResult } from '../../../../shared/model/replay/composed-request.ts';

/** CSS pixels: the dialog's width without its padding. */
const WIDTH = 778;
const HEIGHT = 150;
/** Points in the chart. Of more results, the slowest of each group is drawn. */
const MOST_POINTS = 300;

/** `at`: the number of the group's first result, from 1. Times in milliseconds; null is a gap in the line. */
interface Point {
  at: number;
  ttfb: number | null;
  total: number | null;
}

/** Failed requests are gaps: their times only show when they failed. */
function pointsOf(results: readonly RepeatResult[]): Point[] {
  const size = Math.ceil(results.length / MOST_POINTS);
  const points: Point[] = [];
  for (let from = 0; from < results.length; from += size) {
    const whole = results.slice(from, from + size).filter(({ failure }) => failure === null);
    const slowest = (of: (result: RepeatResult) => number) => (whole.length > 0 ? Math.max(...whole.map(of)) : null);
    points.push({ at: from + 1, ttfb: slowest(({ ttfb }) => ttfb), total: slowest(({ total }) => total) });
  }
  return points;
}

/**
 * Response times, in the order in which the responses ended. The chart has no keyboard layer: the table above it has
 * the figures.
 */
export function Course({ results }: { results: readonly RepeatResult[] }) {
  const tick = { fill: 'var(--text-3)', fontSize: 11 };
  const line = { isAnimationActive: false, dot: results.length < 2, strokeWidth: 1.5 } as const;
  return (
    <figure className="repeat-course" aria-label="Response times in order">
      <LineChart
        data={pointsOf(results)}
        width={WIDTH}
        height={HEIGHT}
        margin={{ top: 8, right: 8, bottom: 0, left: 8 }}
        accessibilityLayer={false}
      >
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis dataKey="at" type="number" domain={[1, 'dataMax']} allowDecimals={false} tick={tick} height={20} />
        <YAxis tick={tick} width={64} tickFormatter={(ms: number) => formatDuration(ms).replaceAll(' ', '\u00a0')} />
        <Line dataKey="total" name="Total" stroke="var(--accent)" {...line} />
        <Line dataKey="ttfb" name="TTFB" stroke="var(--ok)" strokeDasharray="4 2" {...line} />
      </LineChart>
      <figcaption className="muted">
        <i className="key total" aria-hidden="true" /> Total <i className="key ttfb" aria-hidden="true" /> TTFB, by
        response number
      </figcaption>
    </figure>
  );
}
