import type { Predicate } from '../../shared/filter/query.ts';
import type { ExchangeSummary } from '../../shared/model/exchange-summary.ts';
import { ConnectionCache } from '../session/read/connection-cache.ts';
import type { SessionReader } from '../session/read/session-reader.ts';
import type { Collector } from './collector.ts';
import { ExchangeSpans } from './exchange-spans.ts';
import { Metrics } from './metrics.ts';

/** Exchanges read at once, and sent in one request: some 4,000 spans in 0.5 MB. */
const PAGE = 500;
/**
 * Exchanges that may wait in the session file for the collector. Beyond that the oldest are dropped: a collector that
 * comes back after an hour should get what happens now.
 */
const MOST_BEHIND = 100_000;

export interface SessionExportOptions {
  collector: Collector;
  version: string;
  /** Milliseconds since the Unix epoch: exchanges that began before are left out. */
  since: number;
  unsampled: boolean;
  matches?: Predicate;
  /** Exchanges that may wait for the collector; default 100,000. */
  mostBehind?: number;
}

/** Exchanges, not spans. */
export interface ExportCounts {
  exported: number;
  dropped: number;
}

/**
 * Exports a session file, and what is added to it. The file is the queue: nothing waits in memory, and the engine does
 * nothing for it.
 */
export class SessionExport {
  readonly counts: ExportCounts = { exported: 0, dropped: 0 };
  readonly #reader: SessionReader;
  readonly #options: SessionExportOptions;
  readonly #session: string;
  readonly #connections = new ConnectionCache();
  readonly #metrics: Metrics;
  readonly #spans: ExchangeSpans;
  /** Rows up to this id were exported, skipped, or are in `#open`. */
  #after = 0;
  readonly #open = new Set<number>();

  constructor(reader: SessionReader, options: SessionExportOptions) {
    this.#reader = reader;
    this.#options = options;
    this.#session = reader.sessionId();
    const resource = { version: options.version, session: this.#session };
    this.#metrics = new Metrics(resource, options.since);
    this.#spans = new ExchangeSpans(resource, options.unsampled);
  }

  /** Whether the file still holds the session that this exports. */
  isCurrent(): boolean {
    return this.#reader.sessionId() === this.#session;
  }

  /** Sends everything that has ended by now. Resolves early, with the rest counted as dropped, when the signal aborts. */
  async sendAll(until: AbortSignal): Promise<void> {
    this.#dropTooOld();
    await this.#sendEnded(until);
    for (let more = true; more; ) {
      const page = this.#reader.page(this.#after, PAGE);
      await this.#send(page.rows, until);
      this.#after = page.rows.at(-1)?.id ?? this.#after;
      more = page.more;
    }
  }

  async sendMetrics(until: AbortSignal): Promise<void> {
    const request = this.#metrics.snapshot(Date.now());
    if (request !== null) await this.#options.collector.send('metrics', request, 0, until);
  }

  #dropTooOld(): void {
    const { mostBehind = MOST_BEHIND } = this.#options;
    const first = this.#reader.lastId() - mostBehind;
    if (first <= this.#after) return;
    this.counts.dropped += first - this.#after;
    this.#after = first;
  }

  /** Exchanges that were open when their page was read. */
  async #sendEnded(until: AbortSignal): Promise<void> {
    for (const id of [...this.#open]) {
      const [row] = this.#reader.page(id - 1, 1).rows;
      if (row?.id === id && row.state === 'open') continue;
      this.#open.delete(id);
      if (row?.id === id) await this.#send([row], until);
    }
  }

  async #send(rows: readonly ExchangeSummary[], until: AbortSignal): Promise<void> {
    const { since, matches, collector } = this.#options;
    const wanted = rows.filter((row) => row.startedAt >= since && (matches?.(row) ?? true));
    for (const { id, state } of wanted) if (state === 'open') this.#open.add(id);
    const ended = wanted.filter(({ state }) => state !== 'open');
    if (ended.length === 0) return;
    const measured = ended.filter(({ kind }) => kind === 'http' || kind === 'upgrade');
    for (const row of measured) this.#metrics.add(row);
    if (until.aborted) {
      // Spans of 100,000 exchanges, which nobody receives, would delay the end of the program by seconds.
      this.counts.dropped += measured.length;
      return;
    }
    let count = 0;
    for (const exchange of this.#reader.exchanges(ended, this.#connections)) if (this.#spans.add(exchange)) count += 1;
    const request = this.#spans.take();
    if (request === null) return;
    const rejected = await collector.send('traces', request.bytes, request.spans, until);
    const dropped = Math.min(count, Math.ceil((rejected * count) / request.spans));
    this.counts.dropped += dropped;
    this.counts.exported += count - dropped;
  }
}
