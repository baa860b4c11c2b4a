import { Child } from './child.ts';
import type { Running } from './contender.ts';
import { CLIENT_ENVIRONMENT, type Load, runLoad } from './load-run.ts';
import { LOAD_CLIENT } from './places.ts';
import { cpuByThread, residentMemory } from './process-tree.ts';
import type { Context, Round, Scenario } from './scenario.ts';

/** More addresses than rounds can use up: the origin listens on as many. */
export const NEW_HOSTS = 1000;
const HOSTS_A_ROUND = 20;
const HOSTS_TOGETHER = 200;
const LIMIT = 60_000;
const IDLE_CONNECTIONS = 1000;
const QUICK_IDLE_CONNECTIONS = 100;
/** Milliseconds to come to rest, and of watching the rest. */
const IDLE_SPANS = { settle: 1500, watched: 3000 };
const INTERCEPTORS = ['roundtrip', 'node-http', 'mockttp', 'http-mitm-proxy', 'mitmproxy'];
const ONE: Load = { origin: 'h1', method: 'GET', connections: 1 };
const MANY: Load = { origin: 'h1', method: 'GET', connections: 64 };
const HARDLY = { warmUp: 0.1, measured: 0.3 };

function client(command: string, { ports }: Context, { proxy }: Running, extra: readonly string[]): Child {
  const args = [command, '-target', `https://localhost:${ports.h1}/0/1024`, ...extra];
  if (proxy !== null) args.push('-proxy', proxy);
  return new Child({ command: LOAD_CLIENT, args, env: CLIENT_ENVIRONMENT });
}

async function newHosts(context: Context, running: Running, round: number, together: boolean): Promise<Round> {
  const count = together ? HOSTS_TOGETHER : HOSTS_A_ROUND;
  const from = (round * count) % NEW_HOSTS;
  const args = ['-from', String(from), '-count', String(count), ...(together ? ['-together'] : [])];
  const child = client('hosts', context, running, args);
  try {
    return await child.line<Round>(LIMIT);
  } finally {
    await child.stop();
  }
}

function hosts(name: string, title: string, metric: string, together: boolean): Scenario {
  return {
    ...{
      name,
      title,
      metric,
      better: 'lower',
      ratiosTo: ['direct'],
      contenders: ['direct', 'tunnel', ...INTERCEPTORS],
    },
    columns: [
      { metric: 'p50', head: 'p50 ms', unit: 1000, digits: 1 },
      { metric: 'max', head: 'max', unit: 1000, digits: 1 },
      { metric: 'all', head: 'all ms', unit: 1000, digits: 0 },
    ],
    async check({ ports }, contender, running) {
      await runLoad(ONE, contender, running, ports, HARDLY);
    },
    measure: (context, _contender, running, round) => newHosts(context, running, round, together),
  };
}

const sum = (used: Map<string, number>) => [...used.values()].reduce((total, each) => total + each, 0);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function idle(context: Context, running: Running): Promise<Round> {
  const { pid } = running;
  if (pid === null) throw new Error('there is no proxy to hold them');
  const before = residentMemory(pid);
  const count = context.quick ? QUICK_IDLE_CONNECTIONS : IDLE_CONNECTIONS;
  const child = client('idle', context, running, ['-connections', String(count)]);
  try {
    await child.line(LIMIT);
    await pause(IDLE_SPANS.settle);
    const used = sum(cpuByThread(pid));
    await pause(IDLE_SPANS.watched);
    const cpuPerSecond = (sum(cpuByThread(pid)) - used) / (IDLE_SPANS.watched / 1000);
    return { perConnection: (residentMemory(pid) - before) / count, cpuPerSecond };
  } finally {
    child.process.stdin?.end();
    await child.stop();
  }
}

export const CONNECTION_SCENARIOS: readonly Scenario[] = [
  hosts('new-host', 'The first request to a host that is new, connecting and TLS included', 'p50', false),
  hosts('new-hosts-together', '200 new hosts at once', 'all', true),
  {
    ...{ name: 'idle', title: '1,000 idle connections, HTTP/1.1 in TLS', metric: 'perConnection', better: 'lower' },
    contenders: ['tunnel', ...INTERCEPTORS],
    ratiosTo: ['mockttp'],
    // Allocated memory is not released: a second round would still have it.
    rounds: 1,
    columns: [
      { metric: 'perConnection', head: 'KB a connection', unit: 1000, digits: 0 },
      { metric: 'cpuPerSecond', head: 'CPU while idle, ms/s', unit: 1000, digits: 1 },
    ],
    async check({ ports }, contender, running) {
      await runLoad(MANY, contender, running, ports, { warmUp: 2, measured: 1 });
    },
    measure: (context, _contender, running) => idle(context, running),
  },
  {
    ...{
      name: 'growth',
      title: 'As the session grows: the same load again and again, one session',
      metric: 'perSecond',
    },
    ...{ better: 'higher', contenders: ['roundtrip'], ratiosTo: [], rounds: 12 },
    columns: [
      { metric: 'perSecond', head: 'requests/s', unit: 1, digits: 0 },
      { metric: 'memory', head: 'MB', unit: 1e6, digits: 0 },
    ],
    async check({ ports }, contender, running) {
      await runLoad(MANY, contender, running, ports, { warmUp: 0.2, measured: 1 });
    },
    measure: ({ ports, quick }, contender, running) =>
      runLoad(MANY, contender, running, ports, quick ? HARDLY : { warmUp: 0.2, measured: 2 }),
  },
];
