import { gzipSync } from 'node:zlib';
import { describe } from '../failures/errors.ts';
import { rejectedItems } from './rejected-items.ts';

/** Milliseconds for one request; a collector that takes longer counts as down. */
const PATIENCE = 10_000;
/** Milliseconds before each further attempt; the last value repeats. */
const PAUSES = [500, 1000, 2000, 5000, 10_000, 30_000];
/** Milliseconds; the longest accepted `Retry-After` if the number of attempts is limited. */
const LONGEST_PAUSE = 30_000;
/** Statuses after which the OTLP specification allows another attempt. */
const RETRYABLE = new Set([429, 502, 503, 504]);

/** The outcome of a request: accepted except for `rejected` items, refused, or to be sent again. */
type Outcome =
  | { kind: 'accepted'; rejected: number; problem: string | null }
  | { kind: 'refused'; problem: string }
  | Again;

/** `after`: milliseconds that the collector requests as a pause. */
interface Again {
  kind: 'again';
  problem: string;
  after: number | null;
}

/** The milliseconds of a `Retry-After`: seconds, or a date. */
function retryAfter(value: string | null): number | null {
  if (value === null) return null;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(date - Date.now(), 0);
}

/** `OTEL_EXPORTER_OTLP_HEADERS`: `name=value,name=value`, percent-encoded values. */
function headersOf(text = ''): Record<string, string> {
  const pairs = text.split(',').map((pair) => /^\s*([^=\s]+)\s*=(.*)$/.exec(pair));
  return Object.fromEntries(pairs.flatMap((found) => (found ? [[found[1], decode(found[2]?.trim() ?? '')]] : [])));
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

async function outcomeOf(response: Response): Promise<Outcome> {
  const body = new Uint8Array(await response.arrayBuffer());
  const problem = `the collector answered ${response.status}`;
  if (RETRYABLE.has(response.status))
    return { kind: 'again', problem, after: retryAfter(response.headers.get('retry-after')) };
  if (!response.ok) return { kind: 'refused', problem };
  const rejected = rejectedItems(body, response.headers.get('content-type') ?? '');
  return { kind: 'accepted', rejected, problem: rejected > 0 ? `the collector rejected ${rejected} of a batch` : null };
}

/** Compressing for this machine would cost more than it saves. */
function isOnThisMachine(url: string): boolean {
  const host = URL.parse(url)?.hostname ?? '';
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host);
}

export interface CollectorOptions {
  /** After this many attempts a request counts as not accepted; default: there is no limit. */
  attempts?: number;
  /** Milliseconds for one attempt; default 10,000. */
  patience?: number;
  /** Another attempt follows in `pause` milliseconds. `problem`: why the last one failed. */
  onRetry?: (retry: { problem: string; attempt: number; pause: number }) => void;
  /** A request used up its attempts. */
  onGaveUp?: () => void;
}

/** A collector that speaks OTLP over HTTP with Protocol Buffers, the form that every collector accepts. */
export class Collector {
  readonly #base: string;
  readonly #headers: Record<string, string>;
  readonly #compresses: boolean;
  readonly #options: CollectorOptions;
  /** Why the last request was not fully accepted, as part of a sentence; null: it was. */
  problem: string | null = null;

  /** `url`: the collector's address, to which the signals' paths are added, as of OTEL_EXPORTER_OTLP_ENDPOINT. */
  constructor(url: string, env: Readonly<Record<string, string | undefined>>, options: CollectorOptions = {}) {
    this.#options = options;
    this.#base = url.replace(/\/+$/, '').replace(/\/v1\/(?:traces|metrics)$/, '');
    this.#compresses = !isOnThisMachine(url);
    this.#headers = {
      ...headersOf(env.OTEL_EXPORTER_OTLP_HEADERS),
      'content-type': 'application/x-protobuf',
      ...(this.#compresses && { 'content-encoding': 'gzip' }),
    };
  }

  /**
   * Sends until the collector accepts or refuses, the attempts are used up, or the signal aborts. Resolves with how
   * many of `items` were not accepted.
   */
  async send(
    signal: 'traces' | 'metrics',
    body: Uint8Array<ArrayBuffer>,
    items: number,
    until: AbortSignal,
  ): Promise<number> {
    // Not on zlib's own threads: they have the priority of the threads that carry traffic.
    const bytes = this.#compresses ? gzipSync(body, { level: 1 }) : body;
    for (let attempt = 1; !until.aborted; attempt += 1) {
      const outcome = await this.#post(`${this.#base}/v1/${signal}`, bytes, until);
      // An abort is not a problem of the collector: the previous problem explains more.
      if (until.aborted && outcome.kind === 'again') break;
      this.problem = outcome.problem;
      if (outcome.kind === 'accepted') return outcome.rejected;
      if (outcome.kind === 'refused' || this.#givesUp(attempt, outcome.problem)) return items;
      await this.#pause(attempt, outcome, until);
    }
    return items;
  }

  #givesUp(attempt: number, problem: string): boolean {
    if (attempt < (this.#options.attempts ?? Number.POSITIVE_INFINITY)) return false;
    this.problem = `${problem}, in ${attempt} attempts`;
    this.#options.onGaveUp?.();
    return true;
  }

  async #pause(attempt: number, { problem, after }: Again, until: AbortSignal): Promise<void> {
    const asked = after ?? PAUSES[Math.min(attempt, PAUSES.length) - 1] ?? 0;
    const milliseconds = this.#options.attempts === undefined ? asked : Math.min(asked, LONGEST_PAUSE);
    this.#options.onRetry?.({ problem, attempt, pause: milliseconds });
    await pause(milliseconds, until);
  }

  async #post(url: string, body: Uint8Array<ArrayBuffer>, until: AbortSignal): Promise<Outcome> {
    const patience = AbortSignal.timeout(this.#options.patience ?? PATIENCE);
    const signal = AbortSignal.any([until, patience]);
    try {
      return await outcomeOf(
        await fetch(url, { method: 'POST', headers: this.#headers, body, signal, redirect: 'error' }),
      );
    } catch (error) {
      const problem = patience.aborted ? 'the collector did not answer' : reasonOf(error);
      return { kind: 'again', problem, after: null };
    }
  }
}

/** `fetch failed` is not specific; its cause is. */
function reasonOf(error: unknown): string {
  return describe(error instanceof Error && error.cause !== undefined ? error.cause : error);
}

/** Resolves early when the signal aborts. */
function pause(milliseconds: number, until: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      until.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    until.addEventListener('abort', done);
    if (until.aborted) done();
  });
}
