import { PageGrouper } from '../../../shared/insight/pages/page-grouper.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { firstHeader, mediaTypeOf, type RawHeaders } from '../../../shared/model/headers.ts';

/** Exchanges of no page. */
const REST = 'page_0';

interface HarPage {
  startedDateTime: string;
  id: string;
  title: string;
  pageTimings: { onContentLoad: -1; onLoad: -1 };
}

const PAGE_FIELDS = [
  'accept',
  'origin',
  'purpose',
  'referer',
  'sec-fetch-dest',
  'sec-fetch-mode',
  'sec-fetch-site',
  'sec-purpose',
  'service-worker',
  'user-agent',
] as const;

/** The pages of a HAR: those that browsers loaded, and one for everything else. */
export class HarPages {
  readonly #grouper = new PageGrouper();
  readonly #pages: HarPage[] = [];
  #rest = false;

  /** The id of an exchange's page. Call it for each exchange, in order. */
  of(exchange: Exchange): string {
    const { request, response, startedAt } = exchange;
    const origin = `${request.scheme}://${request.authority}`;
    const grouped = this.#grouper.add({
      ...{ id: exchange.id, start: startedAt, method: request.method, origin, path: request.path },
      status: response?.status ?? 0,
      client: exchange.client.id,
      mediaType: mediaTypeOf(response ? firstHeader(response.headers, 'content-type') : undefined),
      request: fieldsOf(request.headers, PAGE_FIELDS),
      response: response ? fieldsOf(response.headers, ['location']) : {},
    });
    if (grouped.page === null) {
      this.#rest = true;
      return REST;
    }
    const id = `page_${grouped.page}`;
    // Numbers ascend by one. A prerendered page begins with what it asks for once it is shown.
    const url = grouped.navigates ? origin + request.path : (firstHeader(request.headers, 'referer') ?? '');
    if (grouped.page > this.#pages.length) this.#pages.push(pageOf(id, url, startedAt));
    return id;
  }

  /** After the last exchange. `rest`: describes the exchanges of no page. */
  list({ title, startedAt }: { title: string; startedAt: number }): HarPage[] {
    const isNeeded = this.#rest || this.#pages.length === 0;
    return [...(isNeeded ? [pageOf(REST, title, startedAt)] : []), ...this.#pages];
  }
}

function pageOf(id: string, title: string, startedAt: number): HarPage {
  const startedDateTime = new Date(startedAt).toISOString();
  return { startedDateTime, id, title, pageTimings: { onContentLoad: -1, onLoad: -1 } };
}

function fieldsOf<N extends string>(headers: RawHeaders, names: readonly N[]): { [K in N]?: string } {
  const fields: { [K in N]?: string } = {};
  for (const name of names) {
    const value = firstHeader(headers, name);
    if (value !== undefined) fields[name] = value;
  }
  return fields;
}
