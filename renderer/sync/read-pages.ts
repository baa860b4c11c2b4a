import type { InspectorApi } from '../../shared/contract/inspector-api.ts';
import type { OutputOf } from '../../shared/contract/requests.ts';
import type { RowColumns } from '../../shared/contract/row-columns.ts';
import type { ExchangeTable } from '../state/exchange-table.ts';
import { pageId } from '../state/rows/row-store.ts';
import { NEWEST_ROWS } from './first-calls.ts';

type RowPage = OutputOf<'exchanges.rows'>;

/**
 * Rows of a page: parsing, checking and storing them takes the window's thread about 2 ms. The text stays below 128 KB:
 * V8 keeps larger texts until it collects the whole heap, and with 2,000 rows, the host took 30 % more CPU.
 */
const PAGE = 1000;
/**
 * Pages that are under way at once. A page passes four threads and a process; one at a time, each would wait for the
 * round trip.
 */
const AHEAD = 8;

/**
 * The rows before `newest`, a page at a time in ascending order. Ids mostly increase without gaps: the next pages are
 * requested before the previous one reports where it ends. With gaps, some rows arrive twice, which is harmless.
 */
async function* readOlder(api: InspectorApi, session: string, newest: RowPage): AsyncGenerator<RowColumns> {
  const first = newest.count > 0 ? pageId(newest, 0) : newest.last;
  const coming: Promise<RowPage>[] = [];
  let next = newest.more ? 0 : first;
  const ask = () => {
    for (; coming.length < AHEAD && next < first - 1; next += PAGE) {
      const page = api.request('exchanges.rows', { session, after: next, limit: PAGE });
      // The reader of the pages may end before this one arrives; otherwise, the error is thrown where it is awaited.
      page.catch(() => null);
      coming.push(page);
    }
  };
  for (ask(); coming.length > 0; ask()) {
    const page = await coming.shift();
    if (page === undefined) return;
    next = page.more ? Math.max(next, page.last) : first;
    yield page;
  }
}

/**
 * Milliseconds between two drawings of a list that is being read: each moves all its rows, and costs as much as a page.
 */
const DRAW_EVERY = 500;

/** What users did to the rows of a session, and its newest rows. */
export type FirstRows = Pick<OutputOf<'feed.open'>, 'edits' | 'newest'>;

/** Reads the table's session as `readRows` does, from its newest rows on. */
export async function readSession(api: InspectorApi, table: ExchangeTable): Promise<boolean> {
  const session = table.sessionId;
  const [edits, newest] = await Promise.all([
    api.request('session.edits', { session }),
    api.request('exchanges.rows', { session, after: null, limit: NEWEST_ROWS }),
  ]);
  if (table.sessionId !== session) return false;
  return await readRows(api, table, { edits, newest });
}

/**
 * Reads all rows of the table's session, and draws the newest at once. False: the session changed meanwhile, or
 * `isWanted` said no. Rejects with an `InspectorError`.
 */
export async function readRows(
  api: InspectorApi,
  table: ExchangeTable,
  { edits, newest }: FirstRows,
  isWanted = () => true,
): Promise<boolean> {
  const session = table.sessionId;
  const goesOn = () => table.sessionId === session && isWanted();
  // Before the rows: a removed row must not show for a moment.
  table.edit(edits);
  table.addPage(newest);
  table.draw();
  let drawn = performance.now();
  for await (const page of readOlder(api, session, newest)) {
    if (!goesOn()) return false;
    table.addPage(page);
    if (performance.now() - drawn < DRAW_EVERY) continue;
    drawn = performance.now();
    table.draw();
  }
  table.finish();
  return true;
}
