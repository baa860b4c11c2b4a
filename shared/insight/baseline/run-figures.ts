import { pathTemplate } from '../../format/path-template.ts';
import type { ExchangeSummary } from '../../model/exchange-summary.ts';
import { median } from '../figures.ts';

/** What is compared exactly, for the whole run or a host. */
export interface ExactFigures {
  requests: number;
  failed: number;
  /** Of response bodies, on the wire; -1: none of them is known. */
  bytes: number;
  connections: number;
}

/** One run, as baselines compare it. */
export interface RunFigures {
  /** By host; the empty name is the whole run. */
  exact: ReadonlyMap<string, ExactFigures>;
  /** Medians of the run in milliseconds by kind, `GET api.test/users/{id}`. */
  ttfb: ReadonlyMap<string, number>;
  total: ReadonlyMap<string, number>;
}

interface HostTally extends Omit<ExactFigures, 'connections'> {
  connections: Set<number>;
}

/** Collects a run's figures from its rows. */
export class RunTally {
  readonly #hosts = new Map<string, HostTally>([['', newTally()]]);
  readonly #ttfb = new Map<string, number[]>();
  readonly #total = new Map<string, number[]>();

  add(row: ExchangeSummary): void {
    if (row.kind === 'connection' || isAbandoned(row)) return;
    for (const host of ['', row.authority]) this.#count(host, row);
    if (row.state !== 'complete' || row.kind !== 'http') return;
    const kind = `${row.method} ${row.authority}${pathTemplate(row.path)}`;
    if (row.ttfb >= 0) push(this.#ttfb, kind, row.ttfb);
    if (row.total >= 0) push(this.#total, kind, row.total);
  }

  #count(host: string, { state, responseSize, upstreamConnection }: ExchangeSummary): void {
    const tally = this.#hosts.get(host) ?? newTally();
    this.#hosts.set(host, tally);
    tally.requests += 1;
    if (state === 'failed') tally.failed += 1;
    // The first known one takes the place of -1.
    if (responseSize >= 0) tally.bytes = Math.max(tally.bytes, 0) + responseSize;
    if (upstreamConnection > 0) tally.connections.add(upstreamConnection);
  }

  figures(): RunFigures {
    const exact = new Map(
      [...this.#hosts].map(([host, tally]) => [host, { ...tally, connections: tally.connections.size }]),
    );
    return { exact, ttfb: medians(this.#ttfb), total: medians(this.#total) };
  }
}

/**
 * The client gave up a handshake, so nothing was requested. Browsers do so a different number of times in each run: two
 * recordings of one page had 46 and 52.
 */
function isAbandoned({ kind, failureCode }: ExchangeSummary): boolean {
  return kind === 'tunnel' && failureCode?.startsWith('tls.client-') === true;
}

function newTally(): HostTally {
  return { requests: 0, failed: 0, bytes: -1, connections: new Set() };
}

function push(map: Map<string, number[]>, key: string, value: number): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}

function medians(values: ReadonlyMap<string, number[]>): Map<string, number> {
  return new Map([...values].map(([kind, of]) => [kind, median(of)]));
}
