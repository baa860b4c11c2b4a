import { withoutQuery } from '../../format/url.ts';
import { isSpeculative, navigates } from '../navigation.ts';
import { siteOf } from '../site.ts';
import type { Grouped } from './grouped.ts';
import { type OpenPage, ofDocument, pageWithoutReferer, tabOf } from './open-page.ts';
import type { PageRequest } from './page-request.ts';
import { PreparedDocuments } from './prepared-documents.ts';

/** Pages that later exchanges can belong to, and how much of each is kept: memory stays bounded. */
const MOST_PAGES = 50;
const MOST_URLS = 5000;
const MOST_CONNECTIONS = 500;
const MOST_WORKERS = 500;
const MOST_FRAMES = 100;

interface Url {
  url: string;
}

const NONE: Grouped = { page: null, initiator: null, navigates: false };

/**
 * Groups exchanges into pages, in one pass over them by id. A navigation begins a page, and redirects that lead to it
 * belong to it (Fetch Metadata, section 2.1; Accept for clients without it). Others belong to the page that their
 * Referer names: its document, a style or frame of it, or, where a policy cuts the Referer or the page has changed its
 * address (`history.pushState`), the latest of its origin. Without a Referer, what else the request says decides.
 *
 * A prerendered document belongs to the page that asked for it. It begins its own page with the first request after the
 * user went there: nothing else of the activation is in the traffic.
 */
export class PageGrouper {
  #pages: OpenPage[] = [];
  #count = 0;
  /** Scripts of service workers: they serve each page of their origin. */
  readonly #workers = new Set<string>();
  readonly #prepared = new PreparedDocuments();

  add(exchange: PageRequest): Grouped {
    if (PreparedDocuments.isOne(exchange)) {
      const grouped = this.#assign(exchange);
      this.#prepared.note(exchange, grouped);
      return grouped;
    }
    const grouped = isNavigation(exchange) ? this.#navigate(exchange) : this.#assign(exchange);
    const page = this.#pages.find(({ number }) => number === grouped.page);
    if (page && !isSpeculative(exchange.request)) note(page, exchange);
    if (isWorkerScript(exchange) && this.#workers.size < MOST_WORKERS)
      this.#workers.add(exchange.origin + exchange.path);
    return grouped;
  }

  #navigate({ id, origin, path, status, start, request, response }: PageRequest): Grouped {
    const url = origin + path;
    const agent = request['user-agent'] ?? '';
    const leadsTo = status >= 300 && status < 400 ? resolved(response.location, url) : null;
    const redirecting = this.#pages.find((page) => page.agent === agent && page.leadsTo === url);
    if (redirecting) {
      const initiator = redirecting.document;
      Object.assign(redirecting, { ...ofDocument(origin, id), leadsTo });
      return { page: redirecting.number, initiator, navigates: true };
    }
    this.#prepared.forget({ url, agent });
    const page = this.#begin({ agent, origin, document: id, url, leadsTo, lastAt: start });
    return { page, initiator: null, navigates: true };
  }

  /** Returns its number. */
  #begin({ origin, url, ...of }: Pick<OpenPage, 'agent' | 'origin' | 'document' | 'leadsTo' | 'lastAt'> & Url): number {
    this.#count += 1;
    const page: OpenPage = {
      ...{ number: this.#count, ...of, ...ofDocument(origin, of.document), urls: new Map([[url, of.document]]) },
      ...{ connections: new Set(), isNamed: false, beganAt: of.lastAt },
    };
    // The latest first: of two loads of one page, a request belongs to the later.
    this.#pages = [page, ...this.#pages].slice(0, MOST_PAGES);
    return page.number;
  }

  /** What a prepared document asked for; null: none did. The first such request after activation begins its page. */
  #ofPrepared(exchange: PageRequest): Grouped | null {
    const document = this.#prepared.initiatorOf(exchange);
    if (document === undefined) return null;
    const { agent, origin, url, exchange: initiator } = document;
    if (isSpeculative(exchange.request)) return { page: document.page, initiator, navigates: false };
    this.#prepared.forget(document);
    const lastAt = exchange.start;
    return {
      page: this.#begin({ agent, origin, url, document: initiator, leadsTo: null, lastAt }),
      initiator,
      navigates: false,
    };
  }

  #assign(exchange: PageRequest): Grouped {
    const ofPrepared = this.#ofPrepared(exchange);
    if (ofPrepared !== null) return ofPrepared;
    const { origin: target, request } = exchange;
    const agent = request['user-agent'] ?? '';
    const pages = this.#pages.filter((page) => page.agent === agent);
    if (pages.length === 0) return NONE;
    const { referer } = request;
    if (referer !== undefined && !isCutForOther(referer, target) && !this.#workers.has(referer)) {
      const named = pages.filter(({ urls }) => urls.has(referer));
      const page = tabOf(named, exchange);
      if (page) {
        page.isNamed = true;
        return { page: page.number, initiator: page.urls.get(referer) ?? page.document, navigates: false };
      }
    }
    const named = referer === undefined ? null : ofOrigin(pages, referer, exchange);
    if (named !== null) return named;
    const page = pageWithoutReferer(pages, exchange);
    return page ? { page: page.number, initiator: page.document, navigates: false } : NONE;
  }
}

/**
 * The latest page of a Referer's origin, which then has that address: `history.pushState` changes it. A frame's Referer
 * is cut for other origins too.
 */
function ofOrigin(pages: readonly OpenPage[], referer: string, exchange: PageRequest): Grouped | null {
  const origin = originOf(referer) ?? '';
  const own = pages.filter((one) => one.origin === origin);
  const page = tabOf(own.length > 0 ? own : pages.filter(({ frames }) => frames.has(origin)), exchange);
  if (page === undefined) return null;
  page.isNamed = true;
  const initiator = page.frames.get(origin) ?? page.document;
  // A cut Referer is the same for each page.
  if (referer !== `${origin}/` && page.urls.size < MOST_URLS) page.urls.set(referer, initiator);
  return { page: page.number, initiator, navigates: false };
}

function note(page: OpenPage, { id, origin, path, client, start, request }: PageRequest): void {
  if (page.urls.size < MOST_URLS) page.urls.set(origin + path, id);
  if (page.connections.size < MOST_CONNECTIONS) page.connections.add(client);
  page.lastAt = Math.max(page.lastAt, start);
  const isFrame = /^i?frame$/.test(request['sec-fetch-dest'] ?? '');
  if (!isFrame || page.frames.size >= MOST_FRAMES) return;
  if (!page.frames.has(origin)) page.frames.set(origin, id);
  page.sites.add(siteOf(origin));
}

/** Service Workers, section 4.4: the field comes with each fetch of such a script. */
function isWorkerScript({ request }: PageRequest): boolean {
  return request['service-worker'] === 'script' || request['sec-fetch-dest'] === 'serviceworker';
}

function isNavigation({ method, status, mediaType, request }: PageRequest): boolean {
  const said = navigates(request);
  if (said !== null) return said;
  const isRedirect = status >= 300 && status < 400 && status !== 304;
  return method === 'GET' && /^text\/html\b/.test(request.accept ?? '') && (isRedirect || mediaType === 'text/html');
}

/**
 * Browsers send other origins no more than their own (`strict-origin-when-cross-origin`, the default):
 * `https://shop.test/` is then any page of the shop, and the latest is the likeliest.
 */
function isCutForOther(referer: string, target: string): boolean {
  const origin = originOf(referer);
  return origin !== target && referer === `${origin}/`;
}

function originOf(url: string): string | undefined {
  return /^[a-z]+:\/\/[^/?#]+/i.exec(url)?.[0];
}

/** A Location as an absolute address without fragment (RFC 3986, section 5.2); null for one with dot segments. */
function resolved(location: string | undefined, base: string): string | null {
  const target = location?.split('#', 1)[0];
  if (target === undefined || /(?:^|\/)\.\.?(?:\/|$)/.test(target)) return null;
  if (/^https?:\/\//i.test(target)) return target;
  if (target.startsWith('//')) return `${base.slice(0, base.indexOf('//'))}${target}`;
  if (target.startsWith('/')) return `${originOf(base)}${target}`;
  const folder = withoutQuery(base);
  return `${folder.slice(0, folder.lastIndexOf('/') + 1)}${target}`;
}
