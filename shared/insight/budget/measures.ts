import type { Unit } from '../../filter/comparison.ts';
import type { ExchangeSummary } from '../../model/exchange-summary.ts';
import { percentile, sumOf } from '../figures.ts';

interface Field {
  unit: Unit;
  /** Below 0: unknown, or it did not take place. */
  of: (row: ExchangeSummary) => number;
}

const time = (of: Field['of']): Field => ({ unit: 'time', of });
const bytes = (of: Field['of']): Field => ({ unit: 'bytes', of });

/** What a budget function can measure. */
export const FIELDS: Readonly<Record<string, Field>> = {
  ttfb: time(({ ttfb }) => ttfb),
  total: time(({ total }) => total),
  blocked: time(({ timings }) => timings.blocked),
  dns: time(({ timings }) => timings.dns),
  connect: time(({ timings }) => timings.connect),
  ssl: time(({ timings }) => timings.ssl),
  send: time(({ timings }) => timings.send),
  receive: time(({ timings }) => timings.receive),
  overhead: time(({ overhead }) => overhead),
  size: bytes(({ responseSize }) => responseSize),
  'request-size': bytes(({ requestSize }) => requestSize),
};

/** How the values of a field are reduced; null if there are none. */
export type Reduction = (values: readonly number[]) => number | null;

const unlessEmpty =
  (of: (values: readonly number[]) => number): Reduction =>
  (values) =>
    values.length === 0 ? null : of(values);

const REDUCTIONS: Readonly<Record<string, Reduction>> = {
  sum: (values) => sumOf(values, (value) => value),
  avg: unlessEmpty((values) => sumOf(values, (value) => value) / values.length),
  min: unlessEmpty((values) => values.reduce((one, other) => Math.min(one, other))),
  max: unlessEmpty((values) => values.reduce((one, other) => Math.max(one, other))),
  median: unlessEmpty((values) => percentile(values, 50)),
};

/** `sum`, `avg`, `min`, `max`, `median` or `p95`; undefined for any other name. */
export function reductionOf(name: string): Reduction | undefined {
  if (Object.hasOwn(REDUCTIONS, name)) return REDUCTIONS[name];
  const percent = /^p(100|\d{1,2}(?:\.\d+)?)$/.exec(name)?.[1];
  return percent === undefined ? undefined : unlessEmpty((values) => percentile(values, Number(percent)));
}

export const PLAIN_REDUCTIONS = Object.keys(REDUCTIONS);
export const REDUCTION_NAMES = [...PLAIN_REDUCTIONS, 'p95 (or any other percentile)'];
