import { PAGE_LIMIT } from '../../../shared/contract/requests/exchange-requests.ts';
import { compileFilter } from '../../../shared/filter/compile.ts';
import type { Predicate } from '../../../shared/filter/query.ts';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import { roundtripError } from '../../failures/errors.ts';
import type { AgentContext } from '../agent-context.ts';

/** Throws `agents.bad-query`. */
export function predicateOf(query: string): Predicate {
  const filter = compileFilter(query);
  if (filter.ok) return filter.matches;
  throw roundtripError('agents.bad-query', { query, detail: filter.problem.message });
}

export interface RowChoice {
  session?: string | undefined;
  query: string;
  /** Only ids above. */
  after?: number;
  /** Gets the number of damaged rows that were left out, page by page. */
  onDamaged?: (rows: number) => void;
}

/** The rows that match, ascending, page by page. Rejects with `agents.bad-query` or `session.not-open`. */
export async function* matchingRows(context: AgentContext, choice: RowChoice): AsyncGenerator<ExchangeSummary> {
  const matches = predicateOf(choice.query);
  const session = await context.sessionId(choice.session);
  let after = choice.after ?? 0;
  for (let more = true; more; ) {
    const from = after;
    const page = await context.reads.take(() =>
      context.api.request('exchanges.page', { session, after: from, limit: PAGE_LIMIT }),
    );
    choice.onDamaged?.(page.badRows);
    for (const row of page.rows) if (matches(row)) yield row;
    after = page.rows.at(-1)?.id ?? after;
    more = page.more;
  }
}
