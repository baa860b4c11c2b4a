import type { InspectorApi } from '../../shared/contract/inspector-api.ts';
import { PAGE_LIMIT } from '../../shared/contract/requests.ts';
import type { ExchangeSummary } from '../../shared/model/exchange-summary.ts';

/** All rows of a session, a page at a time in ascending order. Rejects with an `InspectorError`. */
export async function* readPages(api: InspectorApi, session: string): AsyncGenerator<ExchangeSummary[]> {
  let after = 0;
  for (let more = true; more; ) {
    const page = await api.request('exchanges.page', { session, after, limit: PAGE_LIMIT });
    yield page.rows;
    after = page.rows.at(-1)?.id ?? after;
    more = page.more && page.rows.length > 0;
  }
}
