import * as v from 'valibot';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import { defineTool } from '../define-tool.ts';
import { pick, ROW_FIELDS, USUAL_FIELDS } from '../read/row-fields.ts';
import { matchingRows } from '../read/rows.ts';
import { count, Query, Session } from './common-inputs.ts';

export const list = defineTool({
  name: 'list',
  description:
    'Exchanges that match a query, newest first. Query: space means and; `OR`, `-` (not), parentheses; host:api ' +
    'path:/v1 status:>=400 method:POST type:json ttfb:>200ms total:>1s size:>10kb error:tls is:failed, or plain ' +
    'text. Times in ms, sizes in bytes. `cursor` of a result gives the next page.',
  input: v.strictObject({
    query: Query,
    fields: v.optional(v.array(v.picklist(ROW_FIELDS)), USUAL_FIELDS),
    limit: count(500, 50),
    cursor: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
    session: Session,
  }),
  async run({ query, fields, limit, cursor = Number.POSITIVE_INFINITY, session }, context) {
    // Pages ascend: the last matches below the cursor are kept while all pass.
    const kept: ExchangeSummary[] = [];
    let matching = 0;
    for await (const row of matchingRows(context, { session, query })) {
      if (row.id >= cursor) break;
      matching += 1;
      kept.push(row);
      if (kept.length > limit) kept.shift();
    }
    const next = matching > kept.length ? (kept[0]?.id ?? null) : null;
    return { matching, cursor: next, exchanges: kept.reverse().map((row) => pick(row, fields, context.redactor)) };
  },
});
