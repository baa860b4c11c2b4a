import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { text } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { listen } from '../support/listen.ts';

/**
 * `node tests/performance/fleet-cost.ts`: what one CI job costs, for the table of docs/fleet.md. GET requests of 5.1 KB
 * of JSON over six keep-alive connections, none, 1,000 and 5,000; a cost for each thousand is the slope between the
 * last two.
 */
const COUNTS = [0, 1000, 5000] as const;
const CLI = path.resolve('dist/cli.cjs');
const BYTES = 5100;
const CONNECTIONS = 6;

/** MB of an export's requests for spans, uncompressed and compressed as for another machine. */
const exported = { plain: 0, compressed: 0 };

function bodyOf(): string {
  const items = Array.from({ length: 80 }, (_, id) => ({
    id,
    name: `item ${id}`,
    price: (id * 7.3).toFixed(2),
    tags: ['a', 'b'],
  }));
  return JSON.stringify(items).slice(0, BYTES);
}

async function serve(handler: http.RequestListener): Promise<string> {
  return `127.0.0.1:${await listen(http.createServer(handler))}`;
}

function takeSpans(request: http.IncomingMessage, response: http.ServerResponse): void {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.once('end', () => {
    const body = Buffer.concat(pieces);
    const plain = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
    if (request.url === '/v1/traces') {
      exported.plain += plain.length / 1e6;
      exported.compressed += gzipSync(plain, { level: 1 }).length / 1e6;
    }
    response.end();
  });
}

/** The command under bash's `time`, which writes its seconds of CPU to standard error. */
function timed(args: readonly string[]): { child: ChildProcess; seconds: Promise<number> } {
  const script = 'TIMEFORMAT="cpu %U %S"; time "$@"';
  const child = spawn('bash', ['-c', script, 'bash', process.execPath, CLI, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const seconds = text(child.stderr).then((said) => {
    const [, user, system] = /cpu ([\d.]+) ([\d.]+)/.exec(said) ?? [];
    if (user === undefined) throw new Error(said);
    return Number(user) + Number(system);
  });
  return { child, seconds };
}

async function sendThrough(proxy: URL, origin: string, count: number): Promise<void> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const get = async (at: number) => {
    const { hostname, port } = proxy;
    const options = { hostname, port, path: `http://${origin}/api/items/${at}`, agent, headers: { host: origin } };
    const [response] = (await once(http.get(options), 'response')) as [http.IncomingMessage];
    await text(response);
  };
  const worker = async (first: number) => {
    for (let at = first; at < count; at += CONNECTIONS) await get(at);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, first) => worker(first)));
  agent.destroy();
}

async function record(folder: string, origin: string, count: number, more: readonly string[] = []) {
  const [session, har] = [path.join(folder, `${count}.roundtrip`), path.join(folder, `${count}.har`)];
  const own = ['--port', '0', '--data-dir', path.join(folder, 'data'), '--session', session, '--har', har];
  const { child, seconds } = timed(['record', '--json', ...own, ...more]);
  if (child.stdout === null) throw new Error('no stdout');
  const lines = readline.createInterface({ input: child.stdout });
  const [line] = (await once(lines, 'line')) as [string];
  const { proxy, pid } = JSON.parse(line) as { proxy: string; pid: number };
  await sendThrough(new URL(proxy), origin, count);
  process.kill(pid, 'SIGINT');
  return {
    session,
    cpu: await seconds,
    sessionMb: fs.statSync(session).size / 1e6,
    harMb: fs.statSync(har).size / 1e6,
  };
}

async function exportTo(folder: string, session: string, collector: string) {
  const tables = fs.mkdtempSync(path.join(folder, 'tables-'));
  const parquet = await timed(['export', session, '--format', 'parquet', '--out', path.join(tables, 't.parquet')])
    .seconds;
  const sizes = fs.readdirSync(tables).map((name) => fs.statSync(path.join(tables, name)).size);
  Object.assign(exported, { plain: 0, compressed: 0 });
  const otlp = await timed(['export', session, '--format', 'otlp', '--to', collector]).seconds;
  const parquetMb = sizes.reduce((sum, size) => sum + size, 0) / 1e6;
  return { parquetMb, parquetCpu: parquet, otlpMb: exported.plain, otlpSentMb: exported.compressed, otlpCpu: otlp };
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-fleet-'));
const body = bodyOf();
const origin = await serve(
  (_request, response) => void response.setHeader('content-type', 'application/json').end(body),
);
const collector = `http://${await serve(takeSpans)}`;
const rows: Record<string, number>[] = [];
for (const count of COUNTS) {
  const { session, ...costs } = await record(folder, origin, count);
  rows.push({ exchanges: count, ...costs, ...(await exportTo(folder, session, collector)) });
}
const [, few = {}, many = {}] = rows;
const slope = Object.entries(many).map(([name, value]) => [name, (value - (few[name] ?? 0)) / 4] as const);
console.table([...rows, { ...Object.fromEntries(slope), exchanges: 1000 }]);
const live = await record(fs.mkdtempSync(path.join(folder, 'live-')), origin, 5000, ['--otlp', collector]);
console.log(
  `record with --otlp, 5,000 exchanges: ${live.cpu.toFixed(2)} s of CPU; load ${os.loadavg()[0]?.toFixed(1)}`,
);
fs.rmSync(folder, { recursive: true, force: true });
process.exit(0);
