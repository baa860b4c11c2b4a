import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { median } from '../runner/statistics.ts';
import { writeFindingsSession } from './findings-session.ts';

/**
 * `node tests/performance/findings/findings-cost.ts [--exchanges 100000] [--rounds 5] [CLI ...]`: the CPU time and peak
 * memory of `roundtrip findings` for a session of that many exchanges. Further builds (`dist/cli.cjs` of another
 * commit) take turns with the first. GNU time measures.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { exchanges: { type: 'string', default: '100000' }, rounds: { type: 'string', default: '5' } },
});
const programs = positionals.length === 0 ? ['dist/cli.cjs'] : positionals;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-findings-'));
const session = path.join(folder, 'session.roundtrip');

interface Cost {
  /** Seconds, of user and kernel together. */
  cpu: number;
  /** Megabytes. */
  memory: number;
}

function costOf(program: string): Cost {
  const times = path.join(folder, 'times');
  const command = [process.execPath, path.resolve(program), 'findings', session];
  execFileSync('time', ['-o', times, '-f', '%U %S %M', ...command], { stdio: 'ignore' });
  const [user = 0, kernel = 0, kilobytes = 0] = fs.readFileSync(times, 'utf8').trim().split(' ').map(Number);
  return { cpu: user + kernel, memory: kilobytes / 1000 };
}

try {
  writeFindingsSession(session, Number(values.exchanges));
  const costs = new Map(programs.map((program): [string, Cost[]] => [program, []]));
  for (let round = 0; round < Number(values.rounds); round += 1)
    for (const [program, found] of costs) found.push(costOf(program));
  for (const [program, found] of costs) {
    const cpu = median(found.map((cost) => cost.cpu));
    const memory = median(found.map((cost) => cost.memory));
    console.log(`${program}: ${cpu.toFixed(2)} s of CPU, ${memory.toFixed(0)} MB (medians of ${found.length})`);
  }
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
