import type { TimeLimits } from '../budget/budget-file.ts';
import type { BaselineVerdict } from '../check/check-result.ts';
import { formatFigure } from '../check/format-figure.ts';
import { median } from '../figures.ts';
import { mannWhitney } from './mann-whitney.ts';
import type { ExactFigures, RunFigures } from './run-figures.ts';

/** Runs a side: fewer can't reach p < 0.05 with a margin (5 against 5 reaches 0.008). */
const RUNS = 5;
const SIGNIFICANT = 0.05;
/** Cliff's delta: smaller effects are "negligible" or "small" (Romano and others, 2006). */
const EFFECT = 0.33;

const EXACT = ['requests', 'failed', 'bytes', 'connections'] as const;
const NOTHING: ExactFigures = { requests: 0, failed: 0, bytes: 0, connections: 0 };

/** Counts, bytes and connections exactly; times by a rank test, if there are enough runs. The worst come first. */
export function compareRuns(
  base: readonly RunFigures[],
  now: readonly RunFigures[],
  limits: TimeLimits,
): BaselineVerdict[] {
  const hosts = new Set([...base, ...now].flatMap(({ exact }) => [...exact.keys()]));
  const exact = [...hosts].flatMap((host) => EXACT.flatMap((metric) => exactVerdict(metric, host, base, now)));
  const times = (['ttfb', 'total'] as const).flatMap((metric) => timeVerdicts(metric, base, now, limits));
  const rank = ({ verdict }: BaselineVerdict) => ['worse', 'better', 'too-few-runs', 'same'].indexOf(verdict);
  return [...exact, ...times].sort((one, other) => rank(one) - rank(other));
}

function exactVerdict(
  metric: (typeof EXACT)[number],
  host: string,
  baseRuns: readonly RunFigures[],
  nowRuns: readonly RunFigures[],
): BaselineVerdict[] {
  const most = (runs: readonly RunFigures[]) =>
    Math.max(...runs.map(({ exact }) => (exact.get(host) ?? NOTHING)[metric]));
  const [base, now] = [most(baseRuns), most(nowRuns)];
  // Imported runs may not know their sizes: that is neither better nor worse.
  if (base < 0 || now < 0) return [];
  const unit = metric === 'bytes' ? 'bytes' : 'count';
  const verdict = now > base ? 'worse' : now < base ? 'better' : 'same';
  const figures = metric === 'bytes' ? `${now} bytes, at most ${base} before` : `${now}, at most ${base} before`;
  const message = `${metric}${host === '' ? '' : ` of ${host}`}: ${figures}`;
  return [{ metric, where: host, ok: now <= base, verdict, base, now, unit, p: null, delta: null, message }];
}

/** Of the kinds of request that both sides have. */
function timeVerdicts(
  metric: 'ttfb' | 'total',
  baseRuns: readonly RunFigures[],
  nowRuns: readonly RunFigures[],
  limits: TimeLimits,
): BaselineVerdict[] {
  const kinds = new Set(nowRuns.flatMap((run) => [...run[metric].keys()]));
  return [...kinds].flatMap((kind) => {
    const valuesOf = (runs: readonly RunFigures[]) => runs.flatMap((run) => run[metric].get(kind) ?? []);
    const [base, now] = [valuesOf(baseRuns), valuesOf(nowRuns)];
    return base.length === 0 ? [] : [timeVerdict(metric, kind, { base, now }, limits)];
  });
}

function timeVerdict(
  metric: string,
  where: string,
  values: { base: readonly number[]; now: readonly number[] },
  { minimumMs, minimumShare }: TimeLimits,
): BaselineVerdict {
  const [base, now] = [median(values.base), median(values.now)];
  const figures = `${metric} of ${where}: ${formatFigure(now, 'time')}, ${formatFigure(base, 'time')} before`;
  const common = { metric, where, base, now, unit: 'time' as const };
  if (values.base.length < RUNS || values.now.length < RUNS) {
    const runs = `${values.base.length} and ${values.now.length}, ${RUNS} a side are needed`;
    const message = `${figures}; too few runs to tell (${runs})`;
    return { ...common, ok: true, verdict: 'too-few-runs', p: null, delta: null, message };
  }
  const { p, delta } = mannWhitney(values.base, values.now);
  const moved = Math.abs(now - base);
  const counts = p < SIGNIFICANT && Math.abs(delta) >= EFFECT && moved > minimumMs && moved > base * minimumShare;
  const verdict = !counts ? 'same' : now > base ? 'worse' : 'better';
  const message = `${figures} (p = ${p.toFixed(3)}, Cliff's delta = ${delta.toFixed(2)})`;
  return { ...common, ok: verdict !== 'worse', verdict, p, delta, message };
}
