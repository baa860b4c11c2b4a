import fs from 'node:fs';
import path from 'node:path';
import { SCENARIOS } from './all-scenarios.ts';
import type { Entry } from './history.ts';
import { middle } from './outcome.ts';
import { PROJECT } from './places.ts';
import type { Outcome, Scenario } from './scenario.ts';
import { markdownTable, outcomeTable, threadLine } from './tables.ts';
import { type Verdict, verdicts } from './targets.ts';

const PAGE = path.join(PROJECT, 'docs', 'performance.md');
const BEGIN = '<!-- written by npm run bench: begin -->';
const END = '<!-- written by npm run bench: end -->';
/** Scenarios that have a plot too. */
const PLOTTED = ['h1-get-ordinary', 'h2-get-ordinary', 'plain-get-ordinary', 'page-h1', 'growth'];

export function verdictTable(found: readonly Verdict[]): string {
  const rows = found.map(({ target, value, met }) => [
    target.scenario,
    target.text,
    `${target.is} ${target.limit}`,
    value.toLocaleString('en-US', { maximumSignificantDigits: 3 }),
    met ? 'yes' : 'NO',
  ]);
  return markdownTable([['scenario', 'what', 'target', 'measured', 'met'], ...rows]);
}

/** A bar a contender, or for one contender alone a bar a round. Mermaid's xychart, which forges draw. */
function plot(scenario: Scenario, outcome: Outcome): string {
  const column = scenario.columns.find(({ metric }) => metric === scenario.metric);
  const unit = column?.unit ?? 1;
  const [only] = outcome.results;
  const alone = outcome.results.length === 1;
  const bars = alone
    ? (only?.rounds ?? []).map((round, at) => [String(at + 1), round[scenario.metric] ?? 0] as const)
    : outcome.results.flatMap((result) => {
        const found = middle(result, scenario.metric);
        return found === null ? [] : [[result.contender, found.median] as const];
      });
  return [
    '```mermaid',
    'xychart-beta horizontal',
    `  title "${scenario.title.replaceAll('"', '')}: ${column?.head ?? ''}"`,
    `  x-axis [${bars.map(([name]) => `"${name}"`).join(', ')}]`,
    `  bar [${bars.map(([, value]) => Math.round(value / unit)).join(', ')}]`,
    '```',
  ].join('\n');
}

/** A scenario's heading, table, CPU by thread, and plot. */
export function section(scenario: Scenario, outcome: Outcome, plotted: boolean): string {
  const threads = outcome.results.filter(({ contender }) => contender === 'roundtrip').map(threadLine);
  const parts = [`### ${scenario.title} (\`${scenario.name}\`)`, outcomeTable(scenario, outcome), ...threads];
  if (plotted && PLOTTED.includes(scenario.name)) parts.push(plot(scenario, outcome));
  return parts.filter((part) => part !== null).join('\n\n');
}

/** Writes the tables of a run into docs/performance.md, between its marks. */
export function writePage({ machine, outcomes }: Entry): void {
  const page = fs.readFileSync(PAGE, 'utf8');
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${PAGE} has lost its marks`);
  const sections = SCENARIOS.flatMap((scenario) => {
    const outcome = outcomes.find(({ name }) => name === scenario.name);
    return outcome ? [section(scenario, outcome, true)] : [];
  });
  const days = [...new Set(outcomes.map(({ day }) => day))].sort().join(', ');
  const commits = [...new Set(outcomes.map(({ commit }) => commit))].join(', ');
  const facts = `${days}, commit ${commits}: ${machine.cores} cores of ${machine.cpu}, ${machine.memoryGb} GB, ${machine.system}, Node ${machine.node}, ${machine.go}.`;
  const written = [BEGIN, facts, '### Targets', verdictTable(verdicts(outcomes)), ...sections].join('\n\n');
  fs.writeFileSync(PAGE, `${page.slice(0, begin)}${written}\n\n${page.slice(end)}`);
}
