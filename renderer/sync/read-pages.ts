import type { InspectorApi } from '../../shared/contract/inspector-api.ts';
import type { OutputOf } from '../../shared/contract/requests.ts';
import type { RowColumns } from '../../shared/contract/row-columns.ts';
import type { ExchangeTable } from '../state/exchange-table.ts';
import { pageId } from '../state/rows/row-store.ts';

type RowPage = OutputOf<'exchanges.rows'>;

/** Rows that a window reads first: more than it shows at once, and few enough to arrive within a frame or two. */
const NEWEST_ROWS = 500;
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

/** The newest rows; requested before anything else, without waiting for the window's other first reads. */
function readNewest(api: InspectorApi, session: string): Promise<RowPage> {
  return api.request('exchanges.rows', { session, after: null, limit: NEWEST_ROWS });
}

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

/**
 * Reads what users did to the rows of the table's session, then all its rows, and draws the newest at once. False: the
 * session changed meanwhile, or `isWanted` said no. Rejects with an `InspectorError`.
 */
export async function readSession(api: InspectorApi, table: ExchangeTable, isWanted = () => true): Promise<boolean> {
  const session = table.sessionId;
  const goesOn = () => table.sessionId === session && isWanted();
  const [edits, newest] = await Promise.all([api.request('session.edits', { session }), readNewest(api, session)]);
  if (!goesOn()) return false;
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
