import fs from 'node:fs';
import path from 'node:path';
import { markdownTable } from './tables.ts';

/** V8's own file, as `--cpu-prof` writes it: times in microseconds. */
interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
}

/**
 * What a Node contender runs with, its home within its folder. `profiles`: each of its threads writes its profile there
 * as it ends; null: none does.
 */
export function nodeEnvironment(folder: string, profiles: string | null): Record<string, string> {
  const profiling = { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profiles} --cpu-prof-interval=200` };
  return { NODE_ENV: 'production', HOME: folder, ...(profiles === null ? {} : profiling) };
}

function selfTimes(file: string): { total: number; functions: Map<string, number> } {
  const profile: CpuProfile = JSON.parse(fs.readFileSync(file, 'utf8'));
  const names = new Map(
    profile.nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => {
      const place = url === '' ? '' : ` ${path.basename(url)}:${lineNumber + 1}`;
      return [id, `${functionName || '(anonymous)'}${place}`];
    }),
  );
  const functions = new Map<string, number>();
  let total = 0;
  for (const [at, node] of profile.samples.entries()) {
    const name = names.get(node) ?? '?';
    const time = profile.timeDeltas[at] ?? 0;
    if (name === '(idle)') continue;
    functions.set(name, (functions.get(name) ?? 0) + time);
    total += time;
  }
  return { total, functions };
}

/** Where the time of each thread went, without idle time: the most expensive functions by self time. */
export function profileTables(folder: string, functionsShown: number): string {
  const tables = fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.cpuprofile'))
    .map((name) => {
      const { total, functions } = selfTimes(path.join(folder, name));
      const dearest = [...functions].sort(([, a], [, b]) => b - a).slice(0, functionsShown);
      const rows = dearest.map(([what, time]) => [
        what,
        `${((100 * time) / total).toFixed(1)} %`,
        (time / 1000).toFixed(0),
      ]);
      const table = markdownTable([['function', 'self', 'ms'], ...rows]);
      return `### ${name}: ${(total / 1e6).toFixed(2)} s busy\n\n${table}`;
    });
  return tables.join('\n\n');
}
