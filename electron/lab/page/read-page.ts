import { findPages } from '../../../shared/insight/pages/find-pages.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import type { Page } from '../../../shared/model/insight/page.ts';
import { roundtripError } from '../../failures/errors.ts';
import { SessionFacts } from '../../session/insight/session-facts.ts';
import { ConnectionCache } from '../../session/read/connection-cache.ts';
import type { SessionReader } from '../../session/read/session-reader.ts';
import { originOf, type RecordedPage, type RecordedResponse, urlOf } from './recorded-page.ts';
import { revalidationTimes, serverTimes } from './server-times.ts';

/** Rows read at once. */
const PAGE = 250;

function* rowsOf(reader: SessionReader): Generator<ExchangeSummary[]> {
  let after = 0;
  for (let more = true; more; ) {
    const page = reader.page(after, PAGE);
    yield page.rows;
    after = page.rows.at(-1)?.id ?? after;
    more = page.more;
  }
}

function* exchangesOf(reader: SessionReader, wanted: (row: ExchangeSummary) => boolean): Generator<Exchange> {
  const connections = new ConnectionCache();
  for (const page of rowsOf(reader)) {
    const rows = page.filter(wanted);
    if (rows.length > 0) yield* reader.exchanges(rows, connections);
  }
}

/** Counts what cannot be replayed, by reason. */
class Omissions {
  readonly #counts = new Map<string, number>();

  add(reason: string): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + 1);
  }

  sentences(): string[] {
    return [...this.#counts].map(
      ([reason, count]) => `${count === 1 ? '1 exchange' : `${count} exchanges`} ${reason}.`,
    );
  }
}

/** Why an exchange has no response to replay, as the end of a sentence; null if it has one. */
function omission({ kind, state, upstream, response }: Exchange): string | null {
  if (kind === 'upgrade') return 'switched protocols (WebSocket); its messages are not replayed';
  // Browsers give up some handshakes, and their own services may not be reachable.
  if (kind === 'tunnel' && upstream === null) return 'failed before a request was sent';
  if (kind === 'tunnel') return 'passed through encrypted and cannot be replayed';
  if (state !== 'complete' || response === null) return 'had no complete response and is not replayed';
  const { body } = response;
  return body.stored < body.size ? 'is not replayed, because its body was not recorded' : null;
}

function responseOf(exchange: Exchange, serverTime: number): Omit<RecordedResponse, 'revalidationTime'> {
  const { id, request, response } = exchange;
  return {
    ...{ id, method: request.method, scheme: request.scheme, host: request.host, port: request.port },
    path: request.path,
    status: response?.status ?? 0,
    statusText: response?.statusText ?? '',
    headers: response?.headers ?? [],
    size: response?.body.size ?? 0,
    serverTime,
  };
}

/** A 304 has no body for a browser that starts with an empty cache. */
function withoutNotModified(responses: RecordedResponse[], omissions: Omissions): RecordedResponse[] {
  const whole = new Set(responses.filter(({ status }) => status === 200).map((response) => urlOf(response)));
  return responses.filter((response) => {
    if (response.status !== 304) return true;
    if (!whole.has(urlOf(response))) omissions.add('got 304, and its body is not in the recording');
    return false;
  });
}

/** Pages that a failure names. */
const NAMED = 10;

function named(pages: readonly Page[]): string {
  const names = pages.slice(0, NAMED).map(({ number, url }) => `${number} (${url})`);
  const more = pages.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Throws `lab.no-document`. `exchanges`: of the page, by id. */
function replayable(page: Page, exchanges: readonly Exchange[]): RecordedPage {
  const omissions = new Omissions();
  const timeOf = serverTimes(exchanges);
  const usable = exchanges.filter((exchange) => {
    const reason = exchange.kind === 'connection' ? '' : omission(exchange);
    if (reason) omissions.add(reason);
    return reason === null;
  });
  const timed = usable.map((exchange) => responseOf(exchange, timeOf(exchange)));
  const revalidationTime = revalidationTimes(timed);
  const responses = withoutNotModified(
    timed.map((response) => ({ ...response, revalidationTime: revalidationTime(response) })),
    omissions,
  );
  const document = responses.find(({ id }) => id === page.document);
  const start = exchanges[0];
  if (start === undefined || document?.method !== 'GET')
    throw roundtripError('lab.no-document', { page: page.number, url: page.url });
  const h2 = usable.filter(({ client }) => client.protocol === 'h2').length;
  return {
    ...{ number: page.number, startedAt: page.startedAt, wasHttp2: h2 * 2 > usable.length, responses },
    url: urlOf(start.request),
    origin: originOf(document),
    documentId: document.id,
    notes: omissions.sentences(),
  };
}

/**
 * Reads the page of a session with that number, or with that document: its exchanges, and those until the next page
 * that belong to none. Memory holds the page's heads, not its bodies. Rejects with `lab.no-page` or `lab.no-document`.
 */
export async function readPage(reader: SessionReader, wanted: number, document?: number): Promise<RecordedPage> {
  const pages = findPages(await new SessionFacts(reader).read());
  const page = pages.find((one) => (document === undefined ? one.number === wanted : one.document === document));
  if (page === undefined) throw roundtripError('lab.no-page', { page: wanted, pages: named(pages) });
  const { number } = page;
  const first = page.exchanges[0] ?? 0;
  const own = new Set(page.exchanges);
  const others = new Set(pages.flatMap(({ exchanges }) => exchanges));
  const next = Math.min(...pages.flatMap((one) => (one.number > number ? one.exchanges.slice(0, 1) : [])));
  const belongs = ({ id }: ExchangeSummary) => own.has(id) || (id >= first && id < next && !others.has(id));
  return replayable(page, [...exchangesOf(reader, belongs)]);
}
