import path from 'node:path';
import { counted } from '../../../shared/format/counts.ts';
import { compareRuns } from '../../../shared/insight/baseline/compare-runs.ts';
import { type RunFigures, RunTally } from '../../../shared/insight/baseline/run-figures.ts';
import type { Budget } from '../../../shared/insight/budget/budget.ts';
import { lighthouseLines } from '../../../shared/insight/budget/lighthouse.ts';
import { BudgetTally } from '../../../shared/insight/budget/tally.ts';
import type { CheckResult } from '../../../shared/insight/check/check-result.ts';
import { findIn } from '../../../shared/insight/find.ts';
import type { ReportInput } from '../../../shared/insight/report/report.ts';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import { roundtripError } from '../../failures/errors.ts';
import { importFaultLine } from '../import/imported.ts';
import { openSource } from '../import/open-source.ts';
import type { SessionReader } from '../read/session-reader.ts';
import { SessionFacts } from './session-facts.ts';
import { eachRow, firstDocument, runFigures } from './session-run.ts';

/** Rows of the report's waterfall. */
const DRAWN = 500;
/** Rows that are read at once, in search of one that is whole. */
const PAGE = 1000;

type Waterfall = ReportInput['waterfalls'][number];

interface CheckedSource {
  checked: CheckResult['sources'][number];
  notes: string[];
  figures: RunFigures;
  waterfall: Waterfall;
}

async function checkSource(reader: SessionReader, source: string, budget: Budget): Promise<CheckedSource> {
  const { lines, notes } =
    budget.kind === 'lines'
      ? { lines: budget.lines, notes: [] }
      : lighthouseLines(budget.budget, await firstDocument(reader));
  const tallies = lines.map((line) => new BudgetTally(line));
  const run = new RunTally();
  const rows: ExchangeSummary[] = [];
  let total = 0;
  await eachRow(reader, (row) => {
    for (const tally of tallies) tally.add(row);
    run.add(row);
    if (row.kind === 'connection') return;
    total += 1;
    if (rows.length < DRAWN) rows.push(row);
  });
  const findings = findIn(await new SessionFacts(reader).read());
  const budgets = tallies.map((tally) => tally.verdict(findings));
  return { checked: { source, budgets, findings }, notes, figures: run.figures(), waterfall: { source, rows, total } };
}

/**
 * `notes` gets what could not be read of it: a budget that a part of a run meets says little. Rejects with
 * `import.failed` if nothing could be.
 */
async function withReader<T>(source: string, notes: string[], read: (reader: SessionReader) => Promise<T>): Promise<T> {
  const opened = await openSource(path.resolve(source));
  try {
    const result = await read(opened.reader);
    const [first, ...others] = opened.faults.map((fault) => importFaultLine({ ...fault, file: '' }));
    if (first === undefined) return result;
    if (opened.reader.page(0, PAGE).rows.length === 0)
      throw roundtripError('import.failed', { path: source, detail: first.replace(/\.$/, '') });
    const more = others.length === 0 ? '' : ` (and ${counted(others.length, 'more fault')})`;
    notes.push(`${source} could not be read in full. ${first}${more}`);
    return result;
  } finally {
    await opened.close();
  }
}

/** Checks runs against a budget, and against other runs. Rejects as `openSource` does, and with `import.failed`. */
export async function checkRuns(
  sources: readonly string[],
  baselines: readonly string[],
  budget: Budget,
): Promise<{ result: CheckResult; waterfalls: Waterfall[] }> {
  const checked: CheckedSource[] = [];
  const notes: string[] = [];
  // One after the other: each may have a temporary session file.
  for (const source of sources)
    checked.push(await withReader(source, notes, (reader) => checkSource(reader, source, budget)));
  const base: RunFigures[] = [];
  for (const source of baselines) base.push(await withReader(source, notes, runFigures));
  const now = checked.map(({ figures }) => figures);
  const baseline = base.length === 0 ? [] : compareRuns(base, now, budget.times);
  const within = checked.every(({ checked: { budgets } }) => budgets.every(({ ok }) => ok));
  const result: CheckResult = {
    ok: within && baseline.every(({ ok }) => ok),
    sources: checked.map((one) => one.checked),
    baseline,
    notes: [...notes, ...new Set(checked.flatMap((one) => one.notes))],
  };
  return { result, waterfalls: checked.map(({ waterfall }) => waterfall) };
}
