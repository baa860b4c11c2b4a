import { Child } from './child.ts';
import type { Contender, Running } from './contenders.ts';
import { LOAD_CLIENT } from './places.ts';
import { cpuByThread, residentMemory } from './process-tree.ts';
import { BODY_BYTES, type LoadScenario } from './scenarios.ts';

export const ORIGIN_CA = 'Roundtrip benchmark origin CA';

export interface OriginPorts {
  plain: number;
  h1: number;
  h2: number;
  ordinaryPlain: number;
  ordinaryH1: number;
  ordinaryH2: number;
}

/** The ports of net/http, where that is asked for. */
const ORDINARY = { plain: 'ordinaryPlain', h1: 'ordinaryH1', h2: 'ordinaryH2' } as const;

/** Seconds before counting, and of counting. */
export interface Spans {
  warmUp: number;
  measured: number;
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

/** What one contender did in one round. Latencies and CPU are in microseconds, memory in bytes. */
export interface Measured {
  perSecond: number;
  p50: number;
  p90: number;
  p99: number;
  max: number;
  histogram: [number, number][];
  /** Per request; null where nothing stands between client and origin. */
  threadCpu: number | null;
  processCpu: number | null;
  threads: Record<string, number>;
  memory: number | null;
}

function argsOf(scenario: LoadScenario, proxy: string | null, ports: OriginPorts, spans: Spans): string[] {
  const scheme = scenario.origin === 'plain' ? 'http' : 'https';
  const port = ports[scenario.ordinary ? ORDINARY[scenario.origin] : scenario.origin];
  const target = `${scheme}://localhost:${port}/${scenario.delay ?? 0}/${BODY_BYTES}`;
  const args = ['load', '-target', target, '-method', scenario.method, '-connections', String(scenario.connections)];
  if (proxy !== null) args.push('-proxy', proxy);
  if (scenario.forward) args.push('-forward');
  if (scenario.ordinary) args.push('-ordinary');
  if (scenario.origin === 'h2') args.push('-h2', '-streams', String(scenario.streams ?? 1));
  if (scenario.method === 'POST') args.push('-body', String(BODY_BYTES));
  return [...args, '-warm-up', `${spans.warmUp}s`, '-time', `${spans.measured}s`];
}

/** A run that failed a request, or went another way than it says, is void. */
function verify(report: LoadReport, contender: Contender, scenario: LoadScenario): void {
  if (report.errors > 0) throw new Error(`${report.errors} connections failed: ${report.firstError}`);
  if (report.requests === 0) throw new Error('no request was answered');
  if (scenario.origin === 'plain') return;
  const wanted = scenario.origin === 'h2' ? 'h2' : 'http/1.1';
  // Some answer without ALPN at all, which means HTTP/1.1.
  if (report.protocol !== wanted && report.protocol !== '') throw new Error(`it spoke ${report.protocol}`);
  if ((report.issuer !== ORIGIN_CA) !== contender.intercepts) throw new Error(`certificate by ${report.issuer}`);
}

function perRequest(before: Map<string, number>, after: Map<string, number>, requests: number): Record<string, number> {
  const threads: Record<string, number> = {};
  for (const [name, used] of after) threads[name] = (used - (before.get(name) ?? 0)) / requests;
  return threads;
}

/** One round of one contender. Rejects where the run is void. */
export async function runLoad(
  scenario: LoadScenario,
  contender: Contender,
  running: Running,
  ports: OriginPorts,
  spans: Spans,
): Promise<Measured> {
  const child = new Child({
    command: LOAD_CLIENT,
    args: argsOf(scenario, running.proxy, ports, spans),
    // Two peers' certificates have negative serial numbers, which Go would refuse.
    env: { GODEBUG: 'x509negativeserial=1' },
  });
  const limit = (spans.warmUp + spans.measured) * 1000 + 20_000;
  try {
    await child.line(limit);
    const before = running.pid === null ? new Map<string, number>() : cpuByThread(running.pid);
    await child.line(limit);
    const after = running.pid === null ? new Map<string, number>() : cpuByThread(running.pid);
    const report = await child.line<LoadReport>(limit);
    verify(report, contender, scenario);
    const threads = perRequest(before, after, report.requests);
    const { perSecond, p50, p90, p99, max, histogram } = report;
    return {
      ...{ perSecond, p50, p90, p99, max, histogram, threads },
      threadCpu: contender.thread === null ? null : (threads[contender.thread] ?? 0),
      processCpu: running.pid === null ? null : Object.values(threads).reduce((sum, each) => sum + each, 0),
      memory: running.pid === null ? null : residentMemory(running.pid),
    };
  } finally {
    await child.stop();
  }
}
