import { Child } from './child.ts';
import type { Running } from './contender.ts';
import { CLIENT_ENVIRONMENT, runLoad } from './load-run.ts';
import { LOAD_CLIENT } from './places.ts';
import { residentMemory } from './process-tree.ts';
import type { Column, Context, Round, Scenario } from './scenario.ts';
import { settle } from './settle.ts';

const BULK_BYTES = 2 ** 30;
const QUICK_BULK_BYTES = 2 ** 26;
const BULK_LIMIT = 120_000;
const SAMPLE_INTERVAL = 50;
/** Ordinary requests first: the measured growth is then the body's. */
const WARM_UP = { warmUp: 0.1, measured: 1 };

const BULK_COLUMNS: readonly Column[] = [
  { metric: 'bytesPerSecond', head: 'MB/s', unit: 1e6, digits: 0 },
  { metric: 'growth', head: 'memory above idle, MB', unit: 1e6, digits: 0 },
  { metric: 'notKept', head: 'not recorded, MB', unit: 1e6, digits: 0 },
];
const EVENT_COLUMNS: readonly Column[] = [
  { metric: 'p50', head: 'delay p50 ms', unit: 1000, digits: 2 },
  { metric: 'p99', head: 'p99', unit: 1000, digits: 2 },
  { metric: 'max', head: 'max', unit: 1000, digits: 1 },
];
const BULK = ['direct', 'tunnel', 'no recording', 'roundtrip', 'slow disk waits', 'node-framing', 'node-http'];

const idleMemory = new WeakMap<Running, number>();

/** Runs one command of the load client against the ordinary origin, and returns its output. */
async function ask(command: string, { ports }: Context, { proxy }: Running, extra: readonly string[]): Promise<Round> {
  const args = [command, '-target', `https://localhost:${ports.ordinaryH1}/0/0`, ...extra];
  if (proxy !== null) args.push('-proxy', proxy);
  const child = new Child({ command: LOAD_CLIENT, args, env: CLIENT_ENVIRONMENT });
  try {
    return await child.line<Round>(BULK_LIMIT);
  } finally {
    await child.stop();
  }
}

async function moveBody(context: Context, running: Running, method: string): Promise<Round> {
  const { pid } = running;
  const size = context.quick ? QUICK_BULK_BYTES : BULK_BYTES;
  const notKept = running.bytesNotKept();
  const idle = idleMemory.get(running) ?? 0;
  let peak = idle;
  const timer = setInterval(() => {
    if (pid !== null) peak = Math.max(peak, residentMemory(pid));
  }, SAMPLE_INTERVAL);
  try {
    const moved = await ask('bulk', context, running, ['-method', method, '-size', String(size)]);
    // The status is reported once per second.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    return { ...moved, ...(pid === null ? {} : { growth: peak - idle, notKept: running.bytesNotKept() - notKept }) };
  } finally {
    clearInterval(timer);
    if (pid !== null) await settle(pid);
  }
}

function bulk(name: string, title: string, method: 'GET' | 'POST'): Scenario {
  return {
    ...{ name, title, contenders: BULK, metric: 'bytesPerSecond', better: 'higher', ratiosTo: ['tunnel', 'direct'] },
    columns: BULK_COLUMNS,
    async check({ ports }, contender, running) {
      await runLoad({ origin: 'h1', method: 'GET', connections: 8 }, contender, running, ports, WARM_UP);
      if (running.pid !== null) idleMemory.set(running, residentMemory(running.pid));
    },
    measure: (context, _contender, running) => moveBody(context, running, method),
  };
}

export const BODY_SCENARIOS: readonly Scenario[] = [
  bulk('download', 'One download of 1 GiB, HTTP/1.1', 'GET'),
  bulk('upload', 'One upload of 1 GiB, HTTP/1.1', 'POST'),
  {
    ...{
      name: 'events',
      title: 'Server-sent events, one each 5 ms: how late each arrives',
      metric: 'p50',
      better: 'lower',
    },
    contenders: ['direct', 'tunnel', 'roundtrip', 'node-http', 'mockttp', 'http-mitm-proxy'],
    ratiosTo: ['direct'],
    columns: EVENT_COLUMNS,
    measure: (context, _contender, running) =>
      ask('events', context, running, ['-count', context.quick ? '50' : '300']),
  },
];
