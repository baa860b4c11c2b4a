import type { ExchangeSummary } from '../../shared/model/exchange-summary.ts';

/** At most this many bars; more would be too narrow to read and slow to draw. Beyond it, the bucket width doubles. */
const MOST_BUCKETS = 160;
/** TTFBs kept per bucket; enough for a p95. */
const SAMPLES = 200;

/** Counts of one bucket. `failed` is included in `count`. */
interface Bucket {
  count: number;
  failed: number;
  ttfbs: number[];
}

/** One bar. `from` and `to` in milliseconds since the Unix epoch; TTFBs in milliseconds, or null if there are none. */
export interface TimelineBar {
  from: number;
  to: number;
  /** Neither failed nor answered with 5xx. */
  ok: number;
  failed: number;
  median: number | null;
  p95: number | null;
}

/** What the timeline reads of a row. */
type TimedRow = Pick<ExchangeSummary, 'startedAt' | 'state' | 'status' | 'ttfb'>;

/** What the chart colours as failed: failures and 5xx. */
function isBad(row: TimedRow): boolean {
  return row.state === 'failed' || row.status >= 500;
}

/** The value at this share of a sorted list; null if it is empty. */
function quantile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null;
}

/** Requests over time, counted as rows arrive: the 100,000th row costs as much as the first. */
export class Timeline {
  /** Milliseconds per bucket. */
  width = 250;
  /** Start of bucket 0, milliseconds since the Unix epoch. A row that started earlier has a negative bucket. */
  #start = 0;
  #buckets = new Map<number, Bucket>();

  clear(): void {
    this.width = 250;
    this.#start = 0;
    this.#buckets.clear();
  }

  /** Counts a new row, or the changes of one that was counted (`old`). */
  replace(old: TimedRow | undefined, row: TimedRow): void {
    if (this.#buckets.size === 0) this.#start = row.startedAt;
    const bucket = this.#bucketAt(row.startedAt);
    bucket.count += old ? 0 : 1;
    bucket.failed += Number(isBad(row)) - Number(old !== undefined && isBad(old));
    if (row.ttfb >= 0 && (old === undefined || old.ttfb < 0)) this.#sample(bucket, row.ttfb);
  }

  /** All bars in order, with empty ones for the gaps. */
  bars(): TimelineBar[] {
    const indexes = [...this.#buckets.keys()];
    const first = Math.min(...indexes);
    const last = Math.max(...indexes);
    const bars: TimelineBar[] = [];
    for (let index = first; index <= last; index += 1) {
      const { count, failed, ttfbs } = this.#buckets.get(index) ?? { count: 0, failed: 0, ttfbs: [] };
      const sorted = [...ttfbs].sort((a, b) => a - b);
      const from = this.#start + index * this.width;
      const [median, p95] = [quantile(sorted, 0.5), quantile(sorted, 0.95)];
      bars.push({ from, to: from + this.width, ok: count - failed, failed, median, p95 });
    }
    return bars;
  }

  /** The first row decides where buckets begin: any multiple of the width from there is the start of one. */
  #bucketAt(time: number): Bucket {
    let index = Math.floor((time - this.#start) / this.width);
    const known = this.#buckets.get(index);
    // Nearly every row falls into an existing bucket.
    if (known) return known;
    while (this.#span(index) > MOST_BUCKETS) {
      this.#widen();
      index = Math.floor((time - this.#start) / this.width);
    }
    const bucket = this.#buckets.get(index) ?? { count: 0, failed: 0, ttfbs: [] };
    this.#buckets.set(index, bucket);
    return bucket;
  }

  /** Buckets from the first to the last, if there were one at `index`. Empty ones in between count: they are drawn. */
  #span(index: number): number {
    const indexes = [...this.#buckets.keys(), index];
    return Math.max(...indexes) - Math.min(...indexes) + 1;
  }

  /** Doubles the width by merging pairs of buckets, which needs no row again. */
  #widen(): void {
    const narrow = this.#buckets;
    this.#buckets = new Map();
    this.width *= 2;
    for (const [index, { count, failed, ttfbs }] of narrow) {
      const half = Math.floor(index / 2);
      const bucket = this.#buckets.get(half) ?? { count: 0, failed: 0, ttfbs: [] };
      bucket.count += count;
      bucket.failed += failed;
      for (const ttfb of ttfbs) this.#sample(bucket, ttfb);
      this.#buckets.set(half, bucket);
    }
  }

  /** Keeps a bounded sample: when it is full, a new TTFB replaces a random one. */
  #sample(bucket: Bucket, ttfb: number): void {
    if (bucket.ttfbs.length < SAMPLES) bucket.ttfbs.push(ttfb);
    else bucket.ttfbs[Math.floor(Math.random() * SAMPLES)] = ttfb;
  }
}
