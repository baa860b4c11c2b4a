import os from 'node:os';
import path from 'node:path';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import { errorsOf, MEASURES, type Noted, roundOf } from './accuracy-errors.ts';
import { Child } from './child.ts';
import type { Running } from './contender.ts';
import { HOME } from './places.ts';
import type { Column, Context, Round, Scenario } from './scenario.ts';
import { quantile } from './statistics.ts';

const ENDS = path.join(HOME, 'accuracy-ends');
const EXCHANGES = 2000;
const QUICK_EXCHANGES = 400;
/** Milliseconds: for all exchanges of a run, and for their rows to be in the session file. */
const LIMIT = 180_000;
const ROWS_LIMIT = 10_000;

interface Ends {
  protocol: 'h1' | 'h2';
  parallel: number;
  loaded: boolean;
}

interface OriginReport {
  responses: Record<string, [first: number, last: number, answered: number]>;
}

interface ClientReport {
  exchanges: Record<string, [number: string, sent: number, first: number, last: number]>;
  /** Nanoseconds from the arrival of bytes until the client had read them. */
  lateness: number[];
}

interface Seen {
  /** What both ends noted, by path. */
  noted: Map<string, Noted>;
  lateness: number[];
}

/** As many busy programs as there are cores. */
function burners(loaded: boolean): Child[] {
  const count = loaded ? os.availableParallelism() : 0;
  return Array.from({ length: count }, () => new Child({ command: process.execPath, args: ['-e', 'for (;;);'] }));
}

async function seen(
  { protocol, parallel }: Ends,
  leaf: string,
  proxy: string,
  exchanges: number,
  seed: number,
): Promise<Seen> {
  const origin = new Child({ command: 'python3', args: [path.join(ENDS, 'origin.py'), leaf, String(seed)] });
  try {
    const { port } = await origin.line<{ port: number }>(LIMIT);
    const facts = [proxy.split(':')[1], port, protocol, parallel, exchanges, seed];
    const client = new Child({ command: 'python3', args: [path.join(ENDS, 'client.py'), ...facts.map(String)] });
    const sent = await client.line<ClientReport>(LIMIT);
    origin.process.stdin?.write('report\n');
    const answered = await origin.line<OriginReport>(LIMIT);
    const noted = new Map(
      Object.entries(sent.exchanges).flatMap(([where, [number, out, first, last]]) => {
        const [came, whole, back] = answered.responses[number] ?? [];
        if (came === undefined || whole === undefined || back === undefined) return [];
        return [
          [
            where,
            { client: { sent: out, first, last }, origin: { first: came, last: whole, answered: back } },
          ] as const,
        ];
      }),
    );
    return { noted, lateness: sent.lateness };
  } finally {
    await origin.stop();
  }
}

/** Rows whose paths are among those. Rejects if some never arrive. */
async function rowsOf({ rowsAfter }: Running, paths: ReadonlySet<string>): Promise<ExchangeSummary[]> {
  const until = Date.now() + ROWS_LIMIT;
  const found: ExchangeSummary[] = [];
  for (let after = 0; found.length < paths.size; ) {
    const rows = (await rowsAfter?.(after)) ?? [];
    after = rows.at(-1)?.id ?? after;
    found.push(...rows.filter((row) => paths.has(row.path) && row.state === 'complete'));
    if (rows.length > 0) continue;
    if (Date.now() > until) throw new Error(`${paths.size - found.length} exchanges have no row`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    after = 0;
    found.length = 0;
  }
  return found;
}

async function measure(ends: Ends, { upstreamLeaf, quick }: Context, running: Running, round: number): Promise<Round> {
  const seed = round + 1;
  const busy = burners(ends.loaded);
  try {
    const exchanges = quick ? QUICK_EXCHANGES : EXCHANGES;
    const { noted, lateness } = await seen(ends, upstreamLeaf, running.proxy ?? '', exchanges, seed);
    if (noted.size < exchanges) throw new Error(`${exchanges - noted.size} exchanges were not noted at both ends`);
    const rows = await rowsOf(running, new Set(noted.keys()));
    // Connecting is separate, and has no stamps here.
    const steady = rows.filter(({ timings, attempts }) => timings.connect < 0 && attempts === 1);
    const errors = steady.map((row) => errorsOf(row, noted.get(row.path) as Noted));
    return { ...roundOf(errors), readerP99: quantile(lateness, 0.99) / 1000 };
  } finally {
    await Promise.all(busy.map((each) => each.stop()));
  }
}

const COLUMNS: readonly Column[] = [
  ...MEASURES.flatMap((name) => [
    { metric: `${name}P50`, head: `${name} p50 ms`, unit: 1000, digits: 3 },
    { metric: `${name}P99`, head: 'p99', unit: 1000, digits: 2 },
  ]),
  { metric: 'waitOver', head: 'wait too long p99', unit: 1000, digits: 2 },
  { metric: 'readerP99', head: 'client reads late p99', unit: 1000, digits: 2 },
];

function accuracyScenario(ends: Ends): Scenario {
  const { protocol, parallel, loaded } = ends;
  const spoken = protocol === 'h1' ? 'HTTP/1.1' : 'HTTP/2';
  const titled = `${spoken}, ${parallel} at a time${loaded ? ', every core busy' : ''}`;
  return {
    name: `accuracy-${protocol}-${parallel}${loaded ? '-loaded' : ''}`,
    title: `How far each phase is off: ${titled}`,
    contenders: ['roundtrip'],
    metric: 'waitP50',
    better: 'lower',
    ratiosTo: [],
    columns: COLUMNS,
    rounds: 1,
    measure: (context, _contender, running, round) => measure(ends, context, running, round),
  };
}

/**
 * What a row says about an exchange, compared with what its ends noted by the kernel's timestamps: 0 to 20 ms at the
 * origin, small bodies.
 */
export const ACCURACY_SCENARIOS: readonly Scenario[] = [false, true].flatMap((loaded) =>
  (['h1', 'h2'] as const).flatMap((protocol) =>
    [1, 16].map((parallel) => accuracyScenario({ protocol, parallel, loaded })),
  ),
);
