import type { Measured } from './load-run.ts';
import { type LoadResult, ratio } from './load-scenario.ts';
import { median } from './statistics.ts';

export function markdownTable(rows: readonly (readonly string[])[]): string {
  const [head = [], ...rest] = rows;
  const widths = head.map((_cell, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  const line = (row: readonly string[]) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rest.map(line)].join('\n');
}

export function number(value: number | null, digits = 0): string {
  if (value === null || Number.isNaN(value)) return '-';
  return value.toLocaleString('en-US', { maximumFractionDigits: digits, minimumFractionDigits: digits });
}

function middle(result: LoadResult, of: (measured: Measured) => number | null): number | null {
  const values = result.rounds.map(of).filter((value) => value !== null);
  return values.length === 0 ? null : median(values);
}

function share(result: LoadResult, other: LoadResult | undefined): string {
  const found = ratio(result, other, (each) => each.perSecond);
  return found === null ? '-' : `${found.median.toFixed(2)} ±${(found.spread / 2).toFixed(2)}`;
}

/** The rounds of one scenario, a contender a line. Latencies in milliseconds, CPU in microseconds per request. */
export function loadTable(results: readonly LoadResult[]): string {
  const of = (name: string) => results.find((result) => result.contender === name);
  const head = [
    'contender',
    'req/s',
    'of tunnel',
    'of direct',
    'p50 ms',
    'p90',
    'p99',
    'max',
    'thread us',
    'CPU us',
    'MB',
  ];
  const rows = results.map((result) => {
    if (result.rounds.length === 0) return [result.contender, `void: ${result.failure}`];
    const ms = (pick: (measured: Measured) => number) => number((middle(result, pick) ?? 0) / 1000, 2);
    const memory = middle(result, (each) => each.memory);
    return [
      result.failure === null ? result.contender : `${result.contender} (void rounds: ${result.failure})`,
      number(middle(result, (each) => each.perSecond)),
      share(result, of('tunnel')),
      share(result, of('direct')),
      ...[ms((each) => each.p50), ms((each) => each.p90), ms((each) => each.p99), ms((each) => each.max)],
      number(
        middle(result, (each) => each.threadCpu),
        1,
      ),
      number(
        middle(result, (each) => each.processCpu),
        1,
      ),
      number(memory === null ? null : memory / 1e6),
    ];
  });
  return markdownTable([head, ...rows]);
}

/** CPU per request of each thread of the product, microseconds. */
export function threadLine(result: LoadResult): string {
  const names = new Set(result.rounds.flatMap((round) => Object.keys(round.threads)));
  const parts = [...names].map((name) => ({
    name,
    used: median(result.rounds.map((round) => round.threads[name] ?? 0)),
  }));
  const shown = parts.filter(({ used }) => used >= 0.05).sort((a, b) => b.used - a.used);
  return `${result.contender}: ${shown.map(({ name, used }) => `${name} ${used.toFixed(1)}`).join(', ')} us per request`;
}
