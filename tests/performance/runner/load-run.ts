import { Child } from './child.ts';
import type { Contender, Running } from './contender.ts';
import { LOAD_CLIENT } from './places.ts';
import { cpuByThread, residentMemory } from './process-tree.ts';
import type { OriginPorts, Round, Spans } from './scenario.ts';

const ORIGIN_CA = 'Roundtrip benchmark origin CA';
/** Bytes of every response, and of what is posted. */
const BODY_BYTES = 1024;
/** The ports of net/http, where that is asked for. */
const ORDINARY = { plain: 'ordinaryPlain', h1: 'ordinaryH1', h2: 'ordinaryH2' } as const;
/** Two peers' certificates have negative serial numbers, which Go would refuse. */
export const CLIENT_ENVIRONMENT = { GODEBUG: 'x509negativeserial=1' };

/** What the load client sends. */
export interface Load {
  origin: 'plain' | 'h1' | 'h2';
  connections: number;
  /** At a time on an HTTP/2 connection. */
  streams?: number;
  method: 'GET' | 'POST';
  /**
   * Go's net/http at both ends, which costs as much as ordinary clients and servers, in place of the hand-made framing.
   */
  ordinary?: boolean;
  /** Requests go to the contender as if it were the origin. */
  reverse?: boolean;
  /** Milliseconds that the origin waits. */
  delay?: number;
}

interface LoadReport {
  requests: number;
  perSecond: number;
  p50: number;
  p90: number;
  p99: number;
  max: number;
  histogram: [number, number][];
  errors: number;
  firstError: string;
  issuer: string;
  protocol: string;
}

function argsOf(load: Load, proxy: string | null, ports: OriginPorts, spans: Spans): string[] {
  const scheme = load.origin === 'plain' ? 'http' : 'https';
  const port = ports[load.ordinary ? ORDINARY[load.origin] : load.origin];
  const isReverse = load.reverse === true && proxy !== null;
  const target = `${scheme}://${isReverse ? proxy : `localhost:${port}`}/${load.delay ?? 0}/${BODY_BYTES}`;
  const args = ['load', '-target', target, '-method', load.method, '-connections', String(load.connections)];
  if (proxy !== null && !isReverse) args.push('-proxy', proxy);
  if (load.origin === 'plain' && !isReverse) args.push('-forward');
  if (load.ordinary) args.push('-ordinary');
  if (load.origin === 'h2') args.push('-h2', '-streams', String(load.streams ?? 1));
  if (load.method === 'POST') args.push('-body', String(BODY_BYTES));
  return [...args, '-warm-up', `${spans.warmUp}s`, '-time', `${spans.measured}s`];
}

/** A run with a failed request, or on a different path than stated, is void. */
function verify(report: LoadReport, contender: Contender, { origin }: Load): void {
  if (report.errors > 0) throw new Error(`${report.errors} connections failed: ${report.firstError}`);
  if (report.requests === 0) throw new Error('no request was answered');
  if (origin === 'plain') return;
  const wanted = origin === 'h2' ? 'h2' : 'http/1.1';
  // Some respond without ALPN, which means HTTP/1.1.
  if (report.protocol !== wanted && report.protocol !== '') throw new Error(`it spoke ${report.protocol}`);
  if ((report.issuer !== ORIGIN_CA) !== contender.intercepts) throw new Error(`certificate by ${report.issuer}`);
}

/**
 * Of the responses, how many took 38 to 52 ms: where Nagle's algorithm meets delayed acknowledgements, they pile up
 * there.
 */
function shareAtFortyMs(histogram: readonly [number, number][]): number {
  const count = (slots: readonly [number, number][]) => slots.reduce((sum, [, each]) => sum + each, 0);
  return count(histogram.filter(([us]) => us >= 38_000 && us < 52_000)) / count(histogram);
}

function cpuRound(
  before: Map<string, number>,
  after: Map<string, number>,
  requests: number,
  thread: string | null,
): Round {
  const threads = [...after].map(([name, used]) => [name, (used - (before.get(name) ?? 0)) / requests] as const);
  return {
    cpu: threads.reduce((sum, [, used]) => sum + used, 0),
    ...(thread === null ? {} : { threadCpu: after.has(thread) ? (new Map(threads).get(thread) ?? 0) : Number.NaN }),
    ...Object.fromEntries(threads.filter(([, used]) => used >= 0.05).map(([name, used]) => [`thread ${name}`, used])),
  };
}

/** One round of one contender. Rejects if the run is void. */
export async function runLoad(
  load: Load,
  contender: Contender,
  { proxy, pid }: Running,
  ports: OriginPorts,
  spans: Spans,
): Promise<Round> {
  const child = new Child({ command: LOAD_CLIENT, args: argsOf(load, proxy, ports, spans), env: CLIENT_ENVIRONMENT });
  const limit = (spans.warmUp + spans.measured) * 1000 + 20_000;
  const cpu = () => (pid === null ? new Map<string, number>() : cpuByThread(pid));
  try {
    await child.line(limit);
    const before = cpu();
    await child.line(limit);
    const after = cpu();
    const report = await child.line<LoadReport>(limit);
    verify(report, contender, load);
    const { perSecond, p50, p90, p99, max, requests, histogram } = report;
    return {
      ...{ perSecond, p50, p90, p99, max, requests, fortyMs: shareAtFortyMs(histogram) },
      ...(pid === null ? {} : { ...cpuRound(before, after, requests, contender.thread), memory: residentMemory(pid) }),
    };
  } finally {
    await child.stop();
  }
}
