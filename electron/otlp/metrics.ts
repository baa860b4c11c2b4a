import { pathTemplate } from '../../shared/format/path-template.ts';
import type { ExchangeSummary } from '../../shared/model/exchange-summary.ts';
import { attributesOf, type KeyValue, nanos } from './otlp-json.ts';

/** Seconds: the boundaries that the conventions advise for `http.client.request.duration`. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
/** Seconds. Overhead is mostly far below a millisecond. */
const FINE_SECONDS = [0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.1, 1];

const AGGREGATION_CUMULATIVE = 2;
/** Series of one metric. Further ones become one, as the metrics SDK does. */
const MOST_SERIES = 2000;

interface Measure {
  name: string;
  description: string;
  bounds: readonly number[];
  /** Milliseconds; below 0: unknown. */
  of: (row: ExchangeSummary) => number;
}

const MEASURES: readonly Measure[] = [
  {
    name: 'http.client.request.duration',
    description: 'Duration of exchanges.',
    bounds: SECONDS,
    of: (row) => row.total,
  },
  {
    name: 'roundtrip.ttfb',
    description: "From the request's last byte to the response's first.",
    bounds: SECONDS,
    of: (row) => row.ttfb,
  },
  { name: 'roundtrip.overhead', description: 'What Roundtrip added.', bounds: FINE_SECONDS, of: (row) => row.overhead },
];

interface Series {
  attributes: KeyValue[];
  counts: number[];
  sum: number;
}

const OVERFLOW = attributesOf({ 'otel.metric.overflow': true });

function attributesFor(row: ExchangeSummary): KeyValue[] {
  return attributesOf({
    'server.address': row.authority,
    'url.template': pathTemplate(row.path),
    'http.request.method': row.method,
    'http.response.status_code': row.status === 0 ? null : row.status,
    'error.type': row.failureCode ?? (row.status >= 400 ? String(row.status) : null),
  });
}

function seriesKey({ authority, path, method, status, failureCode }: ExchangeSummary): string {
  return `${authority} ${method} ${pathTemplate(path)} ${status} ${failureCode}`;
}

/** Histograms of exchanges by host, template, method and status, from `since` on (milliseconds since the Unix epoch). */
export class Metrics {
  readonly #since: number;
  readonly #all = MEASURES.map((measure) => ({ measure, series: new Map<string, Series>() }));

  constructor(since: number) {
    this.#since = since;
  }

  add(row: ExchangeSummary): void {
    const key = seriesKey(row);
    for (const { measure, series } of this.#all) {
      const milliseconds = measure.of(row);
      if (milliseconds < 0) continue;
      const one = this.#seriesOf(series, key, row, measure);
      const seconds = milliseconds / 1000;
      const bucket = measure.bounds.findIndex((bound) => seconds <= bound);
      const at = bucket < 0 ? measure.bounds.length : bucket;
      one.counts[at] = (one.counts[at] ?? 0) + 1;
      one.sum += seconds;
    }
  }

  #seriesOf(series: Map<string, Series>, key: string, row: ExchangeSummary, { bounds }: Measure): Series {
    const name = series.has(key) || series.size < MOST_SERIES ? key : '';
    const known = series.get(name);
    if (known) return known;
    const attributes = name === '' ? OVERFLOW : attributesFor(row);
    const made: Series = { attributes, counts: new Array(bounds.length + 1).fill(0), sum: 0 };
    series.set(name, made);
    return made;
  }

  /** As OTLP has them, at `now` (milliseconds since the Unix epoch). */
  snapshot(now: number): object[] {
    const times = { startTimeUnixNano: nanos(this.#since), timeUnixNano: nanos(now) };
    return this.#all
      .filter(({ series }) => series.size > 0)
      .map(({ measure: { name, description, bounds }, series }) => ({
        ...{ name, description, unit: 's' },
        histogram: {
          aggregationTemporality: AGGREGATION_CUMULATIVE,
          dataPoints: [...series.values()].map(({ attributes, counts, sum }) => ({
            ...{ attributes, ...times, sum, explicitBounds: bounds },
            count: String(counts.reduce((all, one) => all + one, 0)),
            bucketCounts: counts.map(String),
          })),
        },
      }));
  }
}
