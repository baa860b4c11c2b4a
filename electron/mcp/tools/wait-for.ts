import * as v from 'valibot';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import type { AgentContext } from '../agent-context.ts';
import { defineTool } from '../define-tool.ts';
import { pick, USUAL_FIELDS } from '../read/row-fields.ts';
import { matchingRows, predicateOf } from '../read/rows.ts';
import { Query } from './common-inputs.ts';

/** Seconds. Less than the default timeout of MCP clients. */
const LONGEST = 55;

async function firstSince(context: AgentContext, query: string, after: number): Promise<ExchangeSummary | null> {
  for await (const row of matchingRows(context, { query, after })) if (row.state !== 'open') return row;
  return null;
}

export const waitFor = defineTool({
  name: 'wait_for',
  description:
    'Waits until an exchange of the recorded session that matches has ended, and returns it. With `after` (an id), ' +
    'one that came since counts at once: pass the newest id you knew before you caused the traffic.',
  input: v.strictObject({
    query: Query,
    timeout: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(LONGEST)), 30),
    after: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  }),
  async run({ query, timeout, after }, context, signal) {
    const matches = predicateOf(query);
    let resolve: (row: ExchangeSummary | null) => void = () => undefined;
    const promise = new Promise<ExchangeSummary | null>((settle) => {
      resolve = settle;
    });
    // Listens before it reads: an exchange that ends in between would be missed.
    const stop = await context.follower.listen((row) => matches(row) && resolve(row));
    const timer = setTimeout(() => resolve(null), timeout * 1000);
    const leave = () => resolve(null);
    signal.addEventListener('abort', leave);
    try {
      const known = after === undefined ? null : await firstSince(context, query, after);
      const found = known ?? (await promise);
      return found === null ? { found: false } : { found: true, exchange: pick(found, USUAL_FIELDS, context.redactor) };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
      stop();
    }
  },
});
