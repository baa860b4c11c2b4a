import type { Fact } from '../../shared/insight/fact.ts';
import { factOf } from '../../shared/insight/fact-from.ts';
import { findingOf, type InsightRule } from '../../shared/insight/insight-rule.ts';
import { Scene } from '../../shared/insight/scene.ts';
import type { Protocol } from '../../shared/model/connection.ts';
import type { Finding } from '../../shared/model/insight/finding.ts';
import type { Timings } from '../../shared/model/timings.ts';
import { exampleExchange } from './example-exchange.ts';

const EPOCH = 1_790_000_000_000;
let lastId = 0;

export interface ExampleFact {
  /** Milliseconds after the first moment of the session. */
  at?: number;
  /** Milliseconds to the first byte; the whole exchange takes as long, and what `timings` adds. */
  wait?: number;
  timings?: Partial<Timings>;
  method?: string;
  /** Without it, `https://api.test`. */
  origin?: string;
  path?: string;
  status?: number;
  size?: number;
  requestSize?: number;
  heads?: { request?: number; response?: number };
  protocol?: Protocol;
  client?: number;
  upstream?: number;
  /** What the browser requested (Sec-Fetch-Dest). */
  dest?: string;
  request?: Record<string, string>;
  response?: Record<string, string>;
  tls?: { version?: string; resumed?: boolean };
  retries?: string[];
  /** Overrides of the fact itself. */
  fact?: Partial<Fact>;
}

const flat = (fields: Record<string, string>) => Object.entries(fields).flat();

/** A complete, fast exchange over a reused HTTP/2 connection, unless told otherwise: nothing to report. */
export function exampleFact(of: ExampleFact = {}): Fact {
  const { scheme, host } = originParts(of.origin ?? 'https://api.test');
  const { protocol = 'h2', at = 0, wait = 20, size = 0 } = of;
  lastId += 1;
  const example = exampleExchange();
  const tls = {
    version: 'TLSv1.3',
    cipher: '',
    alpn: null,
    serverName: host,
    resumed: false,
    certificate: null,
    ...of.tls,
  };
  const upstream = example.upstream && {
    ...example.upstream,
    id: of.upstream ?? 2,
    protocol,
    tls: of.tls ? tls : null,
  };
  const dest = of.dest === undefined ? {} : { 'sec-fetch-dest': of.dest };
  const exchange = exampleExchange({
    id: lastId,
    startedAt: EPOCH + at,
    client: { ...example.client, id: of.client ?? 1, protocol },
    upstream,
    attempts: [...(of.retries ?? []), null].map((retryReason) => ({
      ...example.attempts[0],
      startedAfter: 0,
      duration: 1,
      connection: upstream,
      failure: null,
      retryReason,
    })),
    request: {
      method: of.method ?? 'GET',
      scheme,
      authority: host,
      host,
      path: of.path ?? '/',
      headers: flat({ 'user-agent': 'example/1.0', ...dest, ...of.request }),
      headSize: of.heads?.request ?? 100,
      body: { size: of.requestSize ?? 0, stored: 0, complete: true },
    },
    response: {
      status: of.status ?? 200,
      headers: flat(of.response ?? {}),
      headSize: of.heads?.response ?? 100,
      body: { size, stored: size, complete: true },
    },
    timings: { blocked: 0, dns: -1, connect: -1, ssl: -1, send: 0, wait, receive: 0, ...of.timings },
  });
  return { ...plain(factOf(exchange)), ...of.fact };
}

/** A copy whose fields are all its own: tests make others of it by `{ ...fact, path: '/' }`. */
export function plain(fact: Fact): Fact {
  const getters = Object.entries(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(fact)));
  const names = getters.filter(([, { get }]) => get !== undefined).map(([name]) => name as keyof Fact);
  return { ...fact, ...(Object.fromEntries(names.map((name) => [name, fact[name]])) as unknown as Fact) };
}

function originParts(origin: string): { scheme: 'http' | 'https'; host: string } {
  const [scheme, host = ''] = origin.split('://');
  return { scheme: scheme === 'http' ? 'http' : 'https', host };
}

/** `count` facts, each from its place in the row. */
export function exampleFacts(count: number, of: (index: number) => ExampleFact): Fact[] {
  return Array.from({ length: count }, (_, index) => exampleFact(of(index)));
}

/** What one rule finds. */
export function foundBy(rule: InsightRule, facts: readonly Fact[]): Finding[] {
  const scene = new Scene(facts);
  return rule.find(scene).map((evidence) => findingOf(rule, evidence, scene));
}
