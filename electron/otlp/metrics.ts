import { pathTemplate } from '../../shared/format/path-template.ts';
import type { ExchangeSummary } from '../../shared/model/exchange-summary.ts';
import { DATA_POINT, HISTOGRAM, METRIC, preparedAttributes, RequestFrame, type Resource } from './otlp-messages.ts';
import { ProtobufWriter } from './protobuf-writer.ts';
import { knownMethod } from './request-method.ts';

/** Seconds: the boundaries that the conventions advise for `http.client.request.duration`. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
/** Seconds. Overhead is mostly far below a millisecond. */
const FINE_SECONDS = [0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.1, 1];

const AGGREGATION_CUMULATIVE = 2;
/** Series of each metric. Further ones become one, as the metrics SDK does. */
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
  {
    name: 'roundtrip.overhead',
    description: 'Time added by Roundtrip.',
    bounds: FINE_SECONDS,
    of: (row) => row.overhead,
  },
];

/** The sums of exchanges with one host, template, method and status: a histogram for each measure. */
interface Series {
  /** Fields of a data point. */
  attributes: Uint8Array;
  histograms: readonly Histogram[];
}

interface Histogram {
  counts: Float64Array;
  count: number;
  /** Seconds. */
  sum: number;
}

const OVERFLOW = preparedAttributes(DATA_POINT.attributes, { 'otel.metric.overflow': true });

const DEFAULT_PORT = { http: 80, https: 443 };

/** `api.test:8080` -> `api.test` and 8080, `[::1]` -> `::1` and the scheme's port: as in spans. */
function serverOf({ authority, scheme }: ExchangeSummary): { address: string; port: number } {
  const [, bracketed, plain = authority, port] = /^(?:\[(.*)\]|(.*?))(?::(\d+))?$/.exec(authority) ?? [];
  return { address: bracketed ?? plain, port: port === undefined ? DEFAULT_PORT[scheme] : Number(port) };
}

function attributesFor(row: ExchangeSummary): Uint8Array {
  const { address, port } = serverOf(row);
  return preparedAttributes(DATA_POINT.attributes, {
    'server.address': address,
    'server.port': port,
    'url.template': pathTemplate(row.path),
    'http.request.method': knownMethod(row.method),
    'http.response.status_code': row.status === 0 ? null : row.status,
    'error.type': row.failureCode ?? (row.status >= 400 ? String(row.status) : null),
  });
}

function seriesKey({ scheme, authority, path, method, status, failureCode }: ExchangeSummary): string {
  return `${scheme} ${authority} ${knownMethod(method)} ${pathTemplate(path)} ${status} ${failureCode}`;
}

function note(histogram: Histogram, bounds: readonly number[], seconds: number): void {
  let bucket = 0;
  while (bucket < bounds.length && seconds > (bounds[bucket] ?? 0)) bucket += 1;
  histogram.counts[bucket] = (histogram.counts[bucket] ?? 0) + 1;
  histogram.count += 1;
  histogram.sum += seconds;
}

/** Histograms of exchanges by host, template, method and status. */
export class Metrics {
  readonly #since: number | null;
  readonly #frame: RequestFrame;
  readonly #series = new Map<string, Series>();
  #first = Number.POSITIVE_INFINITY;

  /** `since`: when counting begins, in milliseconds since the Unix epoch; null: with the first exchange's start. */
  constructor(resource: Resource, since: number | null) {
    this.#frame = new RequestFrame(resource);
    this.#since = since;
  }

  add(row: ExchangeSummary): void {
    this.#first = Math.min(this.#first, row.startedAt);
    const { histograms } = this.#seriesOf(row);
    for (let index = 0; index < MEASURES.length; index += 1) {
      const measure = MEASURES[index];
      const histogram = histograms[index];
      if (measure === undefined || histogram === undefined) continue;
      const milliseconds = measure.of(row);
      if (milliseconds >= 0) note(histogram, measure.bounds, milliseconds / 1000);
    }
  }

  #seriesOf(row: ExchangeSummary): Series {
    const key = seriesKey(row);
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    const name = this.#series.size < MOST_SERIES ? key : '';
    const overflow = this.#series.get(name);
    if (overflow !== undefined) return overflow;
    const attributes = name === '' ? OVERFLOW : attributesFor(row);
    const histograms = MEASURES.map(({ bounds }) => ({
      counts: new Float64Array(bounds.length + 1),
      count: 0,
      sum: 0,
    }));
    const made: Series = { attributes, histograms };
    this.#series.set(name, made);
    return made;
  }

  /** The request with all series at `now` (milliseconds since the Unix epoch); null if there are none. */
  snapshot(now: number): Uint8Array<ArrayBuffer> | null {
    if (this.#series.size === 0) return null;
    const writer = new ProtobufWriter();
    const opened = this.#frame.open(writer);
    for (const [index, measure] of MEASURES.entries()) this.#writeMetric(writer, measure, index, now);
    return this.#frame.close(writer, opened);
  }

  #writeMetric(writer: ProtobufWriter, { name, description, bounds }: Measure, index: number, now: number): void {
    const all = [...this.#series.values()].filter(({ histograms }) => (histograms[index]?.count ?? 0) > 0);
    if (all.length === 0) return;
    const metric = writer.begin(RequestFrame.items);
    writer.text(METRIC.name, name);
    writer.text(METRIC.description, description);
    writer.text(METRIC.unit, 's');
    const histogram = writer.begin(METRIC.histogram);
    writer.integer(HISTOGRAM.temporality, AGGREGATION_CUMULATIVE);
    for (const { attributes, histograms } of all) {
      const { counts, count, sum } = histograms[index] ?? { counts: [], count: 0, sum: 0 };
      const point = writer.begin(HISTOGRAM.dataPoints);
      writer.nanos(DATA_POINT.start, this.#since ?? this.#first);
      writer.nanos(DATA_POINT.at, now);
      writer.fixed64(DATA_POINT.count, count);
      writer.double(DATA_POINT.sum, sum);
      writer.packed(DATA_POINT.buckets, counts, 'fixed64');
      writer.packed(DATA_POINT.bounds, bounds, 'double');
      writer.prepared(attributes);
      writer.end(point);
    }
    writer.end(histogram);
    writer.end(metric);
  }
}
