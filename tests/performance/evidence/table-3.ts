/**
 * The third table of docs/evidence.md: `npm run build && node tests/performance/evidence/table-3.ts [--runs 7]`. Two
 * requests through Roundtrip to an origin 67 ms away, with keep-alive and without, over the kernel's TCP
 * (lossy_link.py). Prints the medians of the phases that Roundtrip recorded as a table.
 */
import { parseArgs } from 'node:util';
import { median } from '../runner/statistics.ts';
import { inNetwork } from './lossy-link.ts';

const { values } = parseArgs({ options: { runs: { type: 'string', default: '7' } } });

/** Milliseconds: his TCP handshake. */
const NETWORK = { rtt: 67, lossUp: 0, lossDown: 0 };
const LIMIT = 120_000;

/** HAR's phases; `ssl` is a part of `connect`. */
type Phases = Record<'dns' | 'connect' | 'ssl' | 'send' | 'wait' | 'receive', number>;

const COLUMNS: Readonly<Record<string, (phases: Phases) => number>> = {
  dns: ({ dns }) => Math.max(dns, 0),
  tcp: ({ connect, ssl }) => Math.max(connect, 0) - Math.max(ssl, 0),
  tls: ({ ssl }) => Math.max(ssl, 0),
  request: ({ send }) => send,
  'first byte': ({ wait }) => wait,
  download: ({ receive }) => receive,
  total: ({ dns, connect, send, wait, receive }) => Math.max(dns, 0) + Math.max(connect, 0) + send + wait + receive,
};

async function phasesOf(keepAlive: 'yes' | 'no'): Promise<Phases[]> {
  const requests = inNetwork(NETWORK, 'two-requests.ts', keepAlive);
  try {
    return (await requests.line<{ phases: Phases[] }>(LIMIT)).phases;
  } finally {
    await requests.stop();
  }
}

function lineOf(name: string, runs: readonly Phases[]): string {
  const medians = Object.values(COLUMNS).map((phase) => median(runs.map(phase)).toFixed(0));
  return `| ${[name, ...medians].join(' | ')} |\n`;
}

const found = { yes: [] as Phases[][], no: [] as Phases[][] };
for (let run = 0; run < Number(values.runs); run += 1)
  for (const keepAlive of ['yes', 'no'] as const) found[keepAlive].push(await phasesOf(keepAlive));
const requests = (runs: readonly Phases[][], at: number) => runs.flatMap((run) => run.slice(at, at + 1));
process.stdout.write(
  `| | ${Object.keys(COLUMNS).join(' | ')} |\n|${' --- |'.repeat(Object.keys(COLUMNS).length + 1)}\n`,
);
process.stdout.write(lineOf('first', requests(found.yes, 0)));
process.stdout.write(lineOf('second, without keep-alive', requests(found.no, 1)));
process.stdout.write(lineOf('second, with keep-alive', requests(found.yes, 1)));
