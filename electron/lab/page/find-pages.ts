import type { Exchange } from '../../../shared/model/exchange.ts';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import { firstHeader, mediaTypeOf } from '../../../shared/model/headers.ts';

const HTML = ['text/html', 'application/xhtml+xml'];

/** Whether a row can be a page's document or a redirect to one: its details decide. */
export function mayBeDocument(row: ExchangeSummary): boolean {
  if (row.kind !== 'http' || row.state !== 'complete' || row.method !== 'GET') return false;
  return isRedirect(row.status) || (row.status === 200 && HTML.includes(row.mediaType));
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400 && status !== 304;
}

/**
 * Whether a browser navigated to it (Fetch Metadata, section 2.1). Clients without these fields are recognized by what
 * they accept: only navigations ask for HTML first.
 */
function isNavigation({ request }: Exchange): boolean {
  const destination = firstHeader(request.headers, 'sec-fetch-dest');
  if (destination !== undefined) return destination === 'document';
  return mediaTypeOf(firstHeader(request.headers, 'accept')?.split(',', 1)[0]) === 'text/html';
}

function redirectsTo({ request, response }: Exchange): string | null {
  const location = response && isRedirect(response.status) ? firstHeader(response.headers, 'location') : undefined;
  const base = `${request.scheme}://${request.authority}${request.path}`;
  return location !== undefined && URL.canParse(location, base) ? new URL(location, base).href : null;
}

function urlOfExchange({ request }: Exchange): string {
  return new URL(`${request.scheme}://${request.authority}${request.path}`).href;
}

export interface PageStart {
  /** The document, or the first of the redirects that led to it. */
  start: Exchange;
  document: Exchange;
}

/** Where the session's pages begin. `candidates`: the exchanges of rows that `mayBeDocument`, ascending. */
export function pageStarts(candidates: readonly Exchange[]): PageStart[] {
  const starts: PageStart[] = [];
  let chain: { start: Exchange; target: string } | null = null;
  for (const exchange of candidates.filter(isNavigation)) {
    const start: Exchange = chain?.target === urlOfExchange(exchange) ? chain.start : exchange;
    const target = redirectsTo(exchange);
    chain = target === null ? null : { start, target };
    if (target === null) starts.push({ start, document: exchange });
  }
  return starts;
}
