/**
 * The second table of docs/evidence.md: `node tests/performance/evidence/table-2.ts [--posts 500]`. POSTs in one
 * segment and in two, over the kernel's TCP with delay and loss (lossy_link.py). Cells with loss or delay are measured
 * at the same time, because they mostly wait. Takes about ten minutes. Prints mean milliseconds as a table.
 */
import { parseArgs } from 'node:util';
import { inNetwork, type Network } from './lossy-link.ts';

const { values } = parseArgs({ options: { posts: { type: 'string', default: '500' } } });

const DELAY = 200;
const LOSS = 0.2;
const NETWORKS: Readonly<Record<string, Network>> = {
  clean: { rtt: 0, lossUp: 0, lossDown: 0 },
  '20 % loss': { rtt: 0, lossUp: LOSS, lossDown: LOSS },
  '200 ms delay': { rtt: DELAY, lossUp: 0, lossDown: 0 },
  both: { rtt: DELAY, lossUp: LOSS, lossDown: LOSS },
  'delay, loss client to server': { rtt: DELAY, lossUp: LOSS, lossDown: 0 },
  'delay, loss server to client': { rtt: DELAY, lossUp: 0, lossDown: LOSS },
};
const SEGMENTS = ['one', 'two', 'nagle'];
/** Milliseconds for one cell. */
const LIMIT = 60 * 60_000;

async function cell(network: Network, segments: string): Promise<number> {
  const posts = inNetwork(network, 'posts.ts', values.posts, segments);
  try {
    return (await posts.line<{ mean: number }>(LIMIT)).mean;
  } finally {
    await posts.stop();
  }
}

async function row([name, network]: [string, Network]): Promise<string> {
  const means = await Promise.all(SEGMENTS.map((segments) => cell(network, segments)));
  return `| ${[name, ...means.map((mean) => mean.toFixed(1))].join(' | ')} |`;
}

const [clean, ...others] = Object.entries(NETWORKS);
// Alone: other work would lengthen it.
const first = clean ? [await row(clean)] : [];
const rows = [...first, ...(await Promise.all(others.map(row)))];
process.stdout.write(`| network | one segment | two | two, Nagle's algorithm on |\n| --- | --- | --- | --- |\n`);
process.stdout.write(`${rows.join('\n')}\n`);
