import type { InspectorApi } from '../../shared/contract/inspector-api.ts';
import type { SummaryRow } from '../../shared/model/exchange-summary.ts';
import { idOf } from '../state/rows/row-store.ts';

/** Rows that are read first: more than a window shows at once, and few enough to arrive within a frame or two. */
const NEWEST = 500;
/** Rows of a page: to parse and check them takes the window's thread about 10 ms. */
const PAGE = 2500;

/**
 * All rows of a session: the newest first, because that is what a window shows at once, then the others, a page at a time
 * in ascending order. The host reads a page while the window takes in the one before. Rejects with an `InspectorError`.
 */
export async function* readPages(api: InspectorApi, session: string): AsyncGenerator<readonly SummaryRow[]> {
  const newest = await api.request('exchanges.rows', { session, after: null, limit: NEWEST });
  const first = newest.rows[0];
  const read = (after: number) => api.request('exchanges.rows', { session, after, limit: PAGE });
  let next = newest.more && first ? read(0) : null;
  yield newest.rows;
  while (next !== null && first) {
    const page = await next;
    next = page.more && page.last < idOf(first) - 1 ? read(page.last) : null;
    yield page.rows;
  }
}
