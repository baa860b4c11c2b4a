import * as v from 'valibot';
import { type BudgetLine, parseBudgetLine } from '../../../shared/insight/budget/expression.ts';
import { BudgetTally } from '../../../shared/insight/budget/tally.ts';
import { findIn } from '../../../shared/insight/find.ts';
import { damagedRows } from '../../failures/damaged-rows.ts';
import { describe, roundtripError } from '../../failures/errors.ts';
import { defineTool } from '../define-tool.ts';
import { matchingFacts } from '../read/facts.ts';
import { matchingRows } from '../read/rows.ts';
import { Session } from './common-inputs.ts';

/** Throws `agents.bad-budget`. */
function lineOf(text: string): BudgetLine {
  try {
    return parseBudgetLine(text);
  } catch (error) {
    throw roundtripError('agents.bad-budget', { line: text, detail: describe(error) });
  }
}

export const checkBudget = defineTool({
  name: 'check_budget',
  description:
    'Checks limits: lines such as "count < 120", "p95(ttfb) < 300ms where host:api type:json", "findings == 0". ' +
    'Says for each whether it holds, and the figure.',
  input: v.strictObject({
    budget: v.pipe(v.array(v.pipe(v.string(), v.maxLength(500))), v.minLength(1), v.maxLength(50)),
    session: Session,
  }),
  async run({ budget, session }, context) {
    const lines = budget.map(lineOf);
    const tallies = lines.map((line) => new BudgetTally(line));
    let damaged = 0;
    const onDamaged = (rows: number) => {
      damaged += rows;
    };
    const choice = { session, query: '' };
    for await (const row of matchingRows(context, { ...choice, onDamaged }))
      for (const tally of tallies) tally.add(row);
    const needsFindings = lines.some(({ measure }) => measure.kind === 'findings');
    const read = needsFindings ? await matchingFacts(context, choice) : { facts: [], damaged };
    const found = findIn(read.facts);
    const verdicts = tallies.map((tally) => tally.verdict(found));
    return { ok: verdicts.every(({ ok }) => ok), verdicts, note: damagedRows(read.damaged) };
  },
});
