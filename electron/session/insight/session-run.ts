import { setImmediate as nextTurn } from 'node:timers/promises';
import { type RunFigures, RunTally } from '../../../shared/insight/baseline/run-figures.ts';
import { isDocument } from '../../../shared/insight/budget/lighthouse.ts';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import type { SessionReader } from '../read/session-reader.ts';

const PAGE = 2000;

/** Calls `visit` for each row, by id. Yields the thread between pages. */
export async function eachRow(reader: SessionReader, visit: (row: ExchangeSummary) => void): Promise<void> {
  let after = 0;
  for (let more = true; more; ) {
    const page = reader.page(after, PAGE);
    for (const row of page.rows) visit(row);
    after = page.rows.at(-1)?.id ?? after;
    more = page.more;
    await nextTurn();
  }
}

/** The figures of a session that baselines compare. */
export async function runFigures(reader: SessionReader): Promise<RunFigures> {
  const tally = new RunTally();
  await eachRow(reader, (row) => tally.add(row));
  return tally.figures();
}

/** The first page of a session, or null. */
export async function firstDocument(reader: SessionReader): Promise<ExchangeSummary | null> {
  let after = 0;
  for (let more = true; more; ) {
    const page = reader.page(after, PAGE);
    const found = page.rows.find(isDocument);
    if (found) return found;
    after = page.rows.at(-1)?.id ?? after;
    more = page.more;
    await nextTurn();
  }
  return null;
}
