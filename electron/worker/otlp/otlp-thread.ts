import fs from 'node:fs';
import os from 'node:os';
import { parentPort } from 'node:worker_threads';
import { NOTHING_EXPORTED, type OtlpStatus } from '../../../shared/model/otlp/otlp.ts';
import { describe } from '../../failures/errors.ts';
import { Collector } from '../../otlp/collector.ts';
import { ExportAllowance } from '../../otlp/export-allowance.ts';
import { SessionExport } from '../../otlp/session-export.ts';
import { SessionReader } from '../../session/read/session-reader.ts';
import { answerCalls } from '../thread-call.ts';
import type { OtlpCalls, OtlpTarget } from './otlp-calls.ts';

const host = parentPort;
if (host === null) throw new Error('otlp-thread runs as a worker thread');

/** Milliseconds between two reads of the session file. */
const INTERVAL = 1000;
/** Milliseconds between two reports of all histograms. */
const METRICS_INTERVAL = 10_000;

/** Exports one target until it is ended. */
class Following {
  readonly #target: OtlpTarget;
  readonly #collector: Collector;
  readonly #ending = new AbortController();
  /** Counts of ended sessions in this file. */
  readonly #before: { exported: number; dropped: number };
  #reader: SessionReader | null = null;
  #current: SessionExport | null = null;
  readonly #allowance = new ExportAllowance(os.availableParallelism(), INTERVAL);
  #problem: string | null = null;
  #metricsAt = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> = Promise.resolve();

  constructor(target: OtlpTarget, before: { exported: number; dropped: number }) {
    this.#target = target;
    this.#before = before;
    this.#collector = new Collector(target.url, process.env);
    this.#next();
  }

  status(): OtlpStatus {
    const { exported = 0, dropped = 0 } = this.#current?.counts ?? {};
    return {
      url: this.#target.url,
      exported: this.#before.exported + exported,
      dropped: this.#before.dropped + dropped,
      problem: this.#problem ?? this.#collector.problem,
    };
  }

  /** Waits for the current request, sends the rest and the metrics, and closes the file. */
  async end(within: number): Promise<void> {
    clearTimeout(this.#timer);
    const deadline = setTimeout(() => this.#ending.abort(), within);
    await this.#round;
    await this.#look(true);
    clearTimeout(deadline);
    this.#reader?.close();
    this.#reader = null;
  }

  #next(): void {
    this.#timer = setTimeout(() => {
      this.#round = this.#look(false).then(() => {
        if (this.#reader !== null || !this.#ending.signal.aborted) this.#next();
      });
    }, INTERVAL);
  }

  /** Never rejects: errors are in the status, and the next read tries again. */
  async #look(isLast: boolean): Promise<void> {
    try {
      const current = this.#opened();
      if (current === null) return;
      await current.sendAll(this.#ending.signal, isLast ? undefined : this.#allowance.next(current.lastId()));
      const isDue = isLast || performance.now() - this.#metricsAt >= METRICS_INTERVAL;
      if (isDue) {
        this.#metricsAt = performance.now();
        await current.sendMetrics(this.#ending.signal);
      }
      this.#problem = null;
    } catch (error) {
      this.#problem = describe(error);
    }
  }

  /** Null until the file exists. A cleared session starts again. */
  #opened(): SessionExport | null {
    const { path, since, unsampled, version } = this.#target;
    if (this.#reader === null && !fs.existsSync(path)) return null;
    this.#reader ??= new SessionReader(path);
    if (this.#current?.isCurrent()) return this.#current;
    this.#before.exported += this.#current?.counts.exported ?? 0;
    this.#before.dropped += this.#current?.counts.dropped ?? 0;
    this.#current = new SessionExport(this.#reader, { collector: this.#collector, version, since, unsampled });
    return this.#current;
  }
}

let following: Following | null = null;
let said = '';

function statusNow(): OtlpStatus {
  return following?.status() ?? NOTHING_EXPORTED;
}

setInterval(() => {
  const status = statusNow();
  const text = JSON.stringify(status);
  if (text !== said) host.postMessage({ kind: 'notice', notice: status });
  said = text;
}, INTERVAL);

answerCalls<OtlpCalls>(host, {
  follow: async (target) => {
    const { exported, dropped } = statusNow();
    // Exchanges not yet exported go to the new target: the file still has them.
    await following?.end(0);
    following = new Following(target, { exported, dropped });
    return null;
  },
  finish: async ({ within }) => {
    await following?.end(within);
    return statusNow();
  },
});
