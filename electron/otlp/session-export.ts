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
 * returns after a day should get current exchanges.
 */
const MOST_BEHIND = 1_000_000;
/**
 * Exchanges whose metrics are still counted when spans are no longer received. More would delay the end of the program.
 */
const MOST_AT_END = 100_000;

export interface SessionExportOptions {
  collector: Collector;
  version: string;
  /** Milliseconds since the Unix epoch: exchanges that began before are left out; null: none are. */
  since: number | null;
  unsampled: boolean;
  matches?: Predicate;
  /** Exchanges that may wait for the collector; default 1,000,000. */
  mostBehind?: number;
}

/** Exchanges, not spans. */
export interface ExportCounts {
  exported: number;
  dropped: number;
}

/**
 * Exports a session file, including later additions. The file is the queue: nothing waits in memory, and the engine is
 * not involved.
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
  /** Exchanges in the next request. */
  #added = 0;

  constructor(reader: SessionReader, options: SessionExportOptions) {
    this.#reader = reader;
    this.#options = options;
    this.#session = reader.sessionId();
    const resource = { version: options.version, session: this.#session };
    this.#metrics = new Metrics(resource, options.since);
    this.#spans = new ExchangeSpans(resource, options.unsampled);
  }

  /** Exchanges that were left out, because another tool's file tells no times of them. */
  untimed(): number {
    return this.#spans.untimed;
  }

  /** Whether the file still holds the session that this exports. */
  isCurrent(): boolean {
    return this.#reader.sessionId() === this.#session;
  }

  /** The highest id in the file, of all that Roundtrip recorded. */
  lastId(): number {
    return this.#reader.lastId();
  }

  /**
   * Sends what has ended by now: all of it, or until `allowed` milliseconds of the thread's CPU time are exceeded by a
   * page. Resolves early, with the rest counted as dropped, when the signal aborts.
   */
  async sendAll(until: AbortSignal, allowed = Number.POSITIVE_INFINITY): Promise<void> {
    const begun = process.threadCpuUsage();
    await this.#sendEnded(until);
    for (let more = true; more; ) {
      this.#dropTooOld(this.#mostBehind(until.aborted));
      const page = this.#reader.page(this.#after, PAGE);
      this.#add(page.rows, until);
      this.#after = page.rows.at(-1)?.id ?? this.#after;
      await this.#send(until);
      const { user, system } = process.threadCpuUsage(begun);
      more = page.more && (user + system) / 1000 < allowed;
    }
  }

  async sendMetrics(until: AbortSignal): Promise<void> {
    const request = this.#metrics.snapshot(Date.now());
    if (request !== null) await this.#options.collector.send('metrics', request, 0, until);
  }

  /** Without a limit, each exchange is counted at the end too: an export reports how many that match were not sent. */
  #mostBehind(isEnding: boolean): number {
    const { mostBehind = MOST_BEHIND } = this.#options;
    return isEnding && Number.isFinite(mostBehind) ? MOST_AT_END : mostBehind;
  }

  #dropTooOld(mostBehind: number): void {
    const first = this.#reader.lastId() - mostBehind;
    if (first <= this.#after) return;
    this.counts.dropped += first - this.#after;
    this.#after = first;
  }

  /** Exchanges that were open when their page was read. A request for each would cost more than all their spans. */
  async #sendEnded(until: AbortSignal): Promise<void> {
    let near: ExchangeSummary[] = [];
    for (const id of [...this.#open].sort((one, other) => one - other)) {
      const [row] = this.#reader.page(id - 1, 1).rows;
      if (row?.id === id && row.state === 'open') continue;
      this.#open.delete(id);
      if (row?.id !== id) continue;
      // Everything between the first and the last of them in the file is read too.
      if (id - (near[0]?.id ?? id) >= PAGE) {
        this.#add(near, until);
        near = [];
      }
      near.push(row);
      if (this.#added >= PAGE) await this.#send(until);
    }
    this.#add(near, until);
    await this.#send(until);
  }

  /** Adds the spans of those that have ended to the next request. */
  #add(rows: readonly ExchangeSummary[], until: AbortSignal): void {
    const { since, matches } = this.#options;
    const wanted = rows.filter((row) => row.startedAt >= (since ?? 0) && (matches?.(row) ?? true));
    for (const { id, state } of wanted) if (state === 'open') this.#open.add(id);
    const ended = wanted.filter(({ state }) => state !== 'open');
    if (ended.length === 0) return;
    const measured = ended.filter(({ kind }) => kind === 'http' || kind === 'upgrade');
    for (const row of measured) this.#metrics.add(row);
    if (until.aborted) {
      this.counts.dropped += measured.length;
      return;
    }
    for (const exchange of this.#reader.exchanges(ended, this.#connections))
      if (this.#spans.add(exchange)) this.#added += 1;
  }

  async #send(until: AbortSignal): Promise<void> {
    const request = this.#spans.take();
    const count = this.#added;
    this.#added = 0;
    if (request === null) return;
    const rejected = await this.#options.collector.send('traces', request.bytes, request.spans, until);
    const dropped = Math.min(count, Math.ceil((rejected * count) / request.spans));
    this.counts.dropped += dropped;
    this.counts.exported += count - dropped;
  }
}
