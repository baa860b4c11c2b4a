import * as v from 'valibot';
import { compareSessions } from '../../../shared/compare/compare-sessions.ts';
import { redactQuery } from '../../../shared/format/redact/redaction.ts';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import { damagedRows } from '../../failures/damaged-rows.ts';
import { roundtripError } from '../../failures/errors.ts';
import type { AgentContext } from '../agent-context.ts';
import { defineTool } from '../define-tool.ts';
import { matchingRows, type RowChoice } from '../read/rows.ts';
import { count, Query } from './common-inputs.ts';

/** Rows of one session that are compared in this process's memory. `roundtrip compare` has no limit. */
const MOST = 200_000;

async function rowsOf(context: AgentContext, choice: RowChoice): Promise<ExchangeSummary[]> {
  const rows: ExchangeSummary[] = [];
  for await (const row of matchingRows(context, choice)) {
    if (rows.length === MOST) throw roundtripError('agents.too-many-rows', { limit: MOST });
    rows.push({ ...row, path: redactQuery(row.path) });
  }
  return rows;
}

export const diffSessions = defineTool({
  name: 'diff_sessions',
  description:
    'What differs between two open sessions (ids from status): requests added, gone, and changed in status, size, ' +
    'type, protocol, failure or phases; sums by host and type.',
  input: v.strictObject({ before: v.string(), after: v.string(), query: Query, limit: count(200, 20) }),
  async run({ before, after, query, limit }, context) {
    let damaged = 0;
    const onDamaged = (rows: number) => {
      damaged += rows;
    };
    const rowsIn = (session: string) => rowsOf(context, { session, query, onDamaged });
    const [one, other] = await Promise.all([rowsIn(before), rowsIn(after)]);
    return { ...compareSessions(one, other, { changes: [] }, limit), note: damagedRows(damaged) };
  },
});
