import fs from 'node:fs';
import path from 'node:path';
import { SCENARIOS } from './all-scenarios.ts';
import type { Entry } from './history.ts';
import { missedTargets } from './missed.ts';
import { middle } from './outcome.ts';
import { PROJECT } from './places.ts';
import type { Outcome, Scenario } from './scenario.ts';
import { slowDownSentence, slowDownTable, wholeCommit } from './slow-down-table.ts';
import { markdownTable, outcomeTable, threadLine } from './tables.ts';
import { type Verdict, verdicts } from './targets.ts';

/** Scenarios that have a plot too. */
const PLOTTED = ['h1-get-ordinary', 'h2-get-ordinary', 'plain-get-ordinary', 'page-h1', 'growth'];

function verdictRow({ target, value, met }: Verdict): string[] {
  const measured = value.toLocaleString('en-US', { maximumSignificantDigits: 3 });
  return [target.scenario, target.text, `${target.is} ${target.limit}`, measured, met ? 'yes' : 'NO'];
}

export function verdictTable(found: readonly Verdict[]): string {
  return markdownTable([['scenario', 'what', 'target', 'measured', 'met'], ...found.map(verdictRow)]);
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
  const parts = [`## ${scenario.title} (\`${scenario.name}\`)`, outcomeTable(scenario, outcome), ...threads];
  if (plotted && PLOTTED.includes(scenario.name)) parts.push(plot(scenario, outcome));
  return parts.filter((part) => part !== null).join('\n\n');
}

/** The page with the text between the marks of region `name` replaced by `text`. Throws if it has lost its marks. */
export function withRegion(page: string, name: string, text: string): string {
  const [begin, end] = ['begin', 'end'].map((at) => `<!-- written by npm run bench: ${name} ${at} -->`);
  const [from, to] = [page.indexOf(begin ?? ''), page.indexOf(end ?? '')];
  if (from < 0 || to < from) throw new Error(`the page has lost the marks of "${name}"`);
  return `${page.slice(0, from)}${begin}\n\n${text}\n\n${page.slice(to)}`;
}

/** The commits and days of what is shown. Figures of several commits are not a clean run, and the page says so. */
export function provenance({ machine, outcomes }: Entry): string {
  const of = new Map(outcomes.map(({ commit, day }) => [`${commit}, ${day}`, { commit, day }]));
  const where =
    `${machine.cores} cores of ${machine.cpu}, ${machine.memoryGb} GB, ${machine.system}, Node ${machine.node}, ` +
    `${machine.go}`;
  const commits = new Set([...of.values()].map(({ commit }) => commit));
  const [only] = of.keys();
  if (of.size === 1 && !only?.includes('+')) return `Commit ${only}, ${where}.`;
  if (commits.size === 1 && !only?.includes('+'))
    return `One commit, several days: ${[...of.keys()].join('; ')}, ${where}.`;
  const runs = [...of.values()].map(({ commit, day }) => {
    const names = outcomes
      .filter((each) => each.commit === commit && each.day === day)
      .map(({ name }) => `\`${name}\``);
    return `- commit ${commit}, ${day}: ${names.join(', ')}`;
  });
  return [
    `**Not one clean run.** These figures come from several commits (a + marks uncommitted changes), on ${where}:`,
    runs.join('\n'),
  ].join('\n\n');
}

/**
 * Writes the tables of a run into docs/performance.md and docs/performance-tables.md, between their marks. Where one
 * commit has the whole first table, scenarios of other commits are left out.
 */
export function writePages(newest: Entry): void {
  const commit = wholeCommit(newest.outcomes);
  const found = newest.outcomes.filter((each) => commit === null || each.commit === commit);
  const shown = SCENARIOS.flatMap((scenario) => {
    const outcome = found.find(({ name }) => name === scenario.name);
    return outcome ? [{ scenario, outcome }] : [];
  });
  // Without scenarios that the history still holds and the benchmark no longer has.
  const entry = { ...newest, outcomes: shown.map(({ outcome }) => outcome) };
  const central = shown.find(({ scenario }) => scenario.name === PLOTTED[0]);
  const chart = central ? [plot(central.scenario, central.outcome)] : [];
  const regions = {
    'performance.md': {
      answer: [`**${slowDownSentence(entry.outcomes)}**`, slowDownTable(entry.outcomes), provenance(entry)],
      missed: [missedTargets(entry.outcomes, verdictRow), ...chart],
    },
    'performance-tables.md': {
      tables: [
        provenance(entry),
        '## Targets',
        verdictTable(verdicts(entry.outcomes)),
        ...shown.map(({ scenario, outcome }) => section(scenario, outcome, true)),
      ],
    },
  };
  for (const [name, texts] of Object.entries(regions)) {
    const file = path.join(PROJECT, 'docs', name);
    const page = Object.entries(texts).reduce(
      (text, [region, parts]) => withRegion(text, region, parts.join('\n\n')),
      fs.readFileSync(file, 'utf8'),
    );
    fs.writeFileSync(file, page);
  }
}
