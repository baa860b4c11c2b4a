import path from 'node:path';
import type { Failure } from '../../../shared/model/failure.ts';
import { NOTHING_EXPORTED, type OtlpSettings, type OtlpStatus } from '../../../shared/model/otlp/otlp.ts';
import { failure } from '../../failures/errors.ts';
import { Thread } from '../thread.ts';
import type { OtlpCalls, OtlpNotice } from './otlp-calls.ts';

/** Names the thread in the sentence of its death. */
const EXPORTER = 'the one that exports to the collector';

/** Milliseconds that the end of a recording waits for the collector. */
const AT_THE_END = 5000;

export interface OtlpRunnerOptions {
  /** The folder of the threads' bundles. */
  threadFolder: string;
  version: string;
  sessionPath: string;
  /** The collector stopped accepting, or exchanges were not exported. */
  onFailure: (failure: Failure) => void;
}

/** Exports the recorded session to a collector, on a thread that starts with the first address. */
export class OtlpRunner {
  readonly #options: OtlpRunnerOptions;
  #path: string;
  #settings: Pick<OtlpSettings, 'url' | 'unsampled'> = { url: '', unsampled: false };
  #since = Date.now();
  #thread: Thread<OtlpCalls, OtlpNotice> | null = null;
  #status = NOTHING_EXPORTED;

  constructor(options: OtlpRunnerOptions) {
    this.#options = options;
    this.#path = options.sessionPath;
  }

  status(): OtlpStatus {
    return this.#status;
  }

  /** Exports what begins from now on. */
  start({ url, unsampled }: OtlpSettings): void {
    this.#since = Date.now();
    this.#settings = { url, unsampled };
    this.#follow();
  }

  apply({ url, unsampled }: OtlpSettings): void {
    if (url === this.#settings.url && unsampled === this.#settings.unsampled) return;
    this.start({ url, unsampled, traceLink: '' });
  }

  /** The recording continues in another file. */
  moved(sessionPath: string): void {
    if (sessionPath === this.#path) return;
    this.#path = sessionPath;
    this.#follow();
  }

  /** Sends the rest, once everything is in the file. Reports what was not exported. */
  async finish(): Promise<void> {
    const thread = this.#thread;
    if (thread === null) return;
    this.#thread = null;
    this.#status = await thread.call('finish', { within: AT_THE_END }).catch(() => this.#status);
    await thread.stop(0);
    const { dropped, problem, url } = this.#status;
    if (dropped > 0)
      this.#options.onFailure(failure('otlp.dropped', { url, count: dropped, detail: problem ?? 'it did not answer' }));
  }

  #follow(): void {
    const { url, unsampled } = this.#settings;
    if (url === '' && this.#thread === null) return;
    if (url === '') return void this.finish();
    this.#thread ??= this.#startThread();
    const { version } = this.#options;
    const target = { path: this.#path, url, unsampled, since: this.#since, version };
    void this.#thread.call('follow', target).catch(() => null);
  }

  #startThread(): Thread<OtlpCalls, OtlpNotice> {
    return new Thread<OtlpCalls, OtlpNotice>({
      file: path.join(this.#options.threadFolder, 'otlp-thread.cjs'),
      name: 'roundtrip OTLP',
      helper: EXPORTER,
      onNotice: (status) => this.#note(status),
      onDeath: (detail) => {
        this.#thread = null;
        this.#options.onFailure(failure('engine.helper-died', { what: EXPORTER, detail }));
      },
    });
  }

  /** Reports the collector once when it stops accepting. */
  #note(status: OtlpStatus): void {
    const { problem, url } = status;
    if (problem !== null && this.#status.problem === null)
      this.#options.onFailure(failure('otlp.not-accepted', { url, detail: problem }));
    this.#status = status;
  }
}
