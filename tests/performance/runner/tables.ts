import { middle, ratio, resultOf } from './outcome.ts';
import type { Column, Outcome, Result, Scenario } from './scenario.ts';

export function markdownTable(rows: readonly (readonly string[])[]): string {
  const [head = [], ...rest] = rows;
  const widths = head.map((_cell, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  const line = (row: readonly string[]) =>
    `| ${head.map((_cell, at) => (row[at] ?? '').padEnd(widths[at] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rest.map(line)].join('\n');
}

function number(value: number, digits: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: digits, minimumFractionDigits: digits });
}

function cell(result: Result, { metric, unit, digits }: Column): string {
  const found = middle(result, metric);
  return found === null ? '' : number(found.median / unit, digits);
}

function ratioCell(result: Result, outcome: Outcome, scenario: Scenario, to: string): string {
  const found = ratio(result, resultOf(outcome, to), scenario.metric);
  return found === null ? '' : `${number(found.median, 2)} ±${number(found.spread / 2, 2)}`;
}

/**
 * A contender a line: medians of its rounds, and its ratios to others within the rounds, ± half the interquartile
 * range.
 */
export function outcomeTable(scenario: Scenario, outcome: Outcome): string {
  const ratios = scenario.ratiosTo.filter((to) => resultOf(outcome, to));
  const [first, ...columns] = scenario.columns;
  const head = ['', first?.head ?? '', ...ratios.map((to) => `x ${to}`), ...columns.map(({ head }) => head)];
  const rows = outcome.results.map((result) => {
    if (result.rounds.length === 0) return [result.contender, 'void'];
    const comparisons = ratios.map((to) => ratioCell(result, outcome, scenario, to));
    return [
      result.contender,
      first ? cell(result, first) : '',
      ...comparisons,
      ...columns.map((each) => cell(result, each)),
    ];
  });
  const failures = outcome.results.filter(({ failure }) => failure !== null);
  return [markdownTable([head, ...rows]), ...failures.map((each) => `${each.contender}: ${each.failure}`)].join('\n\n');
}

/** Where the CPU of each request goes, by thread; null if nothing was counted by thread. */
export function threadLine(result: Result): string | null {
  const names = new Set(
    result.rounds.flatMap((round) => Object.keys(round)).filter((name) => name.startsWith('thread ')),
  );
  const parts = [...names].map((name) => ({ name: name.slice(7), used: middle(result, name)?.median ?? 0 }));
  if (parts.length === 0) return null;
  const shown = parts.sort((a, b) => b.used - a.used).map(({ name, used }) => `${name} ${number(used, 1)}`);
  return `${result.contender}, CPU us per request: ${shown.join(', ')}`;
}
