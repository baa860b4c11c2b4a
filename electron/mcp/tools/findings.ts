import * as v from 'valibot';
import { findIn } from '../../../shared/insight/find.ts';
import { damagedRows } from '../../failures/damaged-rows.ts';
import { defineTool } from '../define-tool.ts';
import { matchingFacts } from '../read/facts.ts';
import { count, Query, Session } from './common-inputs.ts';

export const findings = defineTool({
  name: 'findings',
  description:
    'What is slow, wasteful or wrong, worst first: N+1 requests, repeated preflights, missing caching or ' +
    'compression, errors, and more, with evidence (ids), cost and remedy.',
  input: v.strictObject({ query: Query, limit: count(100, 20), session: Session }),
  async run({ query, limit, session }, context) {
    const { facts, damaged } = await matchingFacts(context, { query, session });
    const found = findIn(facts);
    const shown = found.slice(0, limit).map((finding) => ({
      ...finding,
      where: context.redactor.learnAddress(finding.where),
      detail: context.redactor.learnAddress(finding.detail),
      exchanges: finding.exchanges.slice(0, 20),
    }));
    return { found: found.length, findings: shown, note: damagedRows(damaged) };
  },
});
