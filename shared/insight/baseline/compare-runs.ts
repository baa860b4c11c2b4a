import { counted } from '../../format/counts.ts';
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

const ORDER: readonly BaselineVerdict['verdict'][] = ['worse', 'new', 'gone', 'better', 'too-few-runs', 'same'];

/**
 * Counts, bytes and connections exactly; times by a rank test, if there are enough runs. The worst come first. A host
 * that only one side has is one line, and no failure: the whole run's figures include it, and a test server's port or a
 * preview's name differ in each run.
 */
export function compareRuns(
  base: readonly RunFigures[],
  now: readonly RunFigures[],
  limits: TimeLimits,
): BaselineVerdict[] {
  const hosts = new Set([...base, ...now].flatMap(({ exact }) => [...exact.keys()]));
  const has = (runs: readonly RunFigures[], host: string) => runs.some(({ exact }) => exact.has(host));
  const figures = [...hosts].flatMap((host) => {
    if (!has(base, host)) return [hostVerdict('new', host, now)];
    if (!has(now, host)) return [hostVerdict('gone', host, base)];
    return EXACT.flatMap((metric) => exactVerdict(metric, host, base, now));
  });
  const times = (['ttfb', 'total'] as const).flatMap((metric) => timeVerdicts(metric, base, now, limits));
  const rank = ({ verdict }: BaselineVerdict) => ORDER.indexOf(verdict);
  return [...figures, ...times].sort((one, other) => rank(one) - rank(other));
}

/** The largest value of any run. */
function mostOf(metric: (typeof EXACT)[number], host: string, runs: readonly RunFigures[]): number {
  return Math.max(...runs.map(({ exact }) => (exact.get(host) ?? NOTHING)[metric]));
}

/** `runs`: of the side that has the host. */
function hostVerdict(verdict: 'new' | 'gone', host: string, runs: readonly RunFigures[]): BaselineVerdict {
  const [requests = 0, failed = 0, bytes = 0, connections = 0] = EXACT.map((metric) => mostOf(metric, host, runs));
  const figures = [
    counted(requests, 'request'),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(bytes >= 0 ? [formatFigure(bytes, 'bytes')] : []),
    counted(connections, 'connection'),
  ].join(', ');
  const message = verdict === 'new' ? `${host}, in no baseline: ${figures}` : `${host}, in the baselines: ${figures}`;
  const [base, now] = verdict === 'new' ? [0, requests] : [requests, 0];
  return { metric: 'host', where: host, ok: true, verdict, base, now, unit: 'count', p: null, delta: null, message };
}

function exactVerdict(
  metric: (typeof EXACT)[number],
  host: string,
  baseRuns: readonly RunFigures[],
  nowRuns: readonly RunFigures[],
): BaselineVerdict[] {
  const [base, now] = [mostOf(metric, host, baseRuns), mostOf(metric, host, nowRuns)];
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
