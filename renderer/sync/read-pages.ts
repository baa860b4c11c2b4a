import type { InspectorApi } from '../../shared/contract/inspector-api.ts';
import { PAGE_LIMIT } from '../../shared/contract/requests/exchange-requests.ts';
import type { ExchangeSummary } from '../../shared/model/exchange-summary.ts';

/** Rows that are read first: more than a window shows at once, and few enough to arrive within a frame or two. */
const NEWEST = 500;

/**
 * All rows of a session: the newest first, because that is what a window shows at once, then the others, a page at a time
 * in ascending order. Rejects with an `InspectorError`.
 */
export async function* readPages(api: InspectorApi, session: string): AsyncGenerator<ExchangeSummary[]> {
  const newest = await api.request('exchanges.newest', { session, limit: NEWEST });
  yield newest.rows;
  const first = newest.rows[0]?.id ?? 0;
  if (newest.rows.length < NEWEST) return;
  let after = 0;
  for (let more = true; more && after < first - 1; ) {
    const page = await api.request('exchanges.page', { session, after, limit: PAGE_LIMIT });
    yield page.rows;
    after = page.rows.at(-1)?.id ?? after;
    more = page.more && page.rows.length > 0;
  }
}
