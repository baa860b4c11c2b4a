import type { InspectorApi } from '../../shared/contract/inspector-api.ts';
import type { RowColumns } from '../../shared/contract/row-columns.ts';
import type { ExchangeTable } from '../state/exchange-table.ts';
import { pageId } from '../state/rows/row-store.ts';

/** Rows that are read first: more than a window shows at once, and few enough to arrive within a frame or two. */
const NEWEST = 500;
/** Rows of a page: to parse, check and keep them takes the window's thread about 5 ms. */
const PAGE = 2000;

/**
 * All rows of a session: the newest first, because that is what a window shows at once, then the others, a page at a time
 * in ascending order. The host reads a page while the window takes in the one before. Rejects with an `InspectorError`.
 */
async function* readPages(api: InspectorApi, session: string): AsyncGenerator<RowColumns> {
  const newest = await api.request('exchanges.rows', { session, after: null, limit: NEWEST });
  const read = (after: number) => api.request('exchanges.rows', { session, after, limit: PAGE });
  let next = newest.more ? read(0) : null;
  const first = newest.count > 0 ? pageId(newest, 0) : newest.last;
  yield newest;
  while (next !== null) {
    const page = await next;
    next = page.more && page.last < first - 1 ? read(page.last) : null;
    yield page;
  }
}

/** Milliseconds between two drawings of a list that is being read: each moves all its rows, and costs as much as a page. */
const DRAW_EVERY = 150;

/**
 * Reads all rows of the table's session into it, and draws the newest at once. False: the session changed meanwhile, or
 * `isWanted` said no. Rejects with an `InspectorError`.
 */
export async function readRows(api: InspectorApi, table: ExchangeTable, isWanted = () => true): Promise<boolean> {
  const session = table.sessionId;
  let drawn = Number.NEGATIVE_INFINITY;
  for await (const page of readPages(api, session)) {
    if (table.sessionId !== session || !isWanted()) return false;
    table.addPage(page);
    if (performance.now() - drawn < DRAW_EVERY) continue;
    drawn = performance.now();
    table.draw();
  }
  table.finish();
  return true;
}
