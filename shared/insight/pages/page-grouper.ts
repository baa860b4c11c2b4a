import { withoutQuery } from '../../format/url.ts';

/** What grouping reads of an exchange. */
export interface PageRequest {
  id: number;
  /** Milliseconds since the Unix epoch. */
  start: number;
  method: string;
  origin: string;
  path: string;
  status: number;
  mediaType: string;
  request: {
    accept?: string;
    origin?: string;
    referer?: string;
    'sec-fetch-dest'?: string;
    'user-agent'?: string;
  };
  response: { location?: string };
}

/** Where an exchange belongs. */
export interface Grouped {
  /** Numbers from 1; null: to no page. */
  page: number | null;
  /** The exchange that asked for it, as far as its headers tell: its Referer's, or the page's document; null: none. */
  initiator: number | null;
  /** It brought the page's document, or a redirect to it. */
  navigates: boolean;
}

interface OpenPage {
  number: number;
  agent: string;
  origin: string;
  document: number;
  /** Addresses without fragment -> the exchange that had it. */
  urls: Map<string, number>;
  /** Where its last redirect leads, or null. */
  leadsTo: string | null;
}

/** Pages that later exchanges can belong to, and addresses that are kept of one: memory stays bounded. */
const MOST_PAGES = 50;
const MOST_URLS = 5000;

const NONE: Grouped = { page: null, initiator: null, navigates: false };

/**
 * Groups exchanges into pages, in one pass over them by id. A navigation begins a page, and redirects that lead to it
 * belong to it (Fetch Metadata, section 2.1; Accept for clients without it). Others belong to the page that their
 * Referer names: its document, a style or frame of it, or, where a policy cuts the Referer, the latest of its origin.
 */
export class PageGrouper {
  #pages: OpenPage[] = [];
  #count = 0;

  add(exchange: PageRequest): Grouped {
    const grouped = isNavigation(exchange) ? this.#navigate(exchange) : this.#assign(exchange);
    const page = this.#pages.find(({ number }) => number === grouped.page);
    if (page && page.urls.size < MOST_URLS) page.urls.set(exchange.origin + exchange.path, exchange.id);
    return grouped;
  }

  #navigate({ id, origin, path, status, request, response }: PageRequest): Grouped {
    const url = origin + path;
    const agent = request['user-agent'] ?? '';
    const leadsTo = status >= 300 && status < 400 ? resolved(response.location, url) : null;
    const redirecting = this.#pages.find((page) => page.agent === agent && page.leadsTo === url);
    if (redirecting) {
      const initiator = redirecting.document;
      Object.assign(redirecting, { origin, document: id, leadsTo });
      return { page: redirecting.number, initiator, navigates: true };
    }
    this.#count += 1;
    const page = { number: this.#count, agent, origin, document: id, urls: new Map([[url, id]]), leadsTo };
    // The latest first: of two loads of one page, a request belongs to the later.
    this.#pages = [page, ...this.#pages].slice(0, MOST_PAGES);
    return { page: page.number, initiator: null, navigates: true };
  }

  #assign({ origin: target, request }: PageRequest): Grouped {
    const agent = request['user-agent'] ?? '';
    const pages = this.#pages.filter((page) => page.agent === agent);
    const { referer } = request;
    if (referer !== undefined && !isCutForOther(referer, target)) {
      const page = pages.find(({ urls }) => urls.has(referer));
      if (page) return { page: page.number, initiator: page.urls.get(referer) ?? page.document, navigates: false };
    }
    const origin = referer === undefined ? request.origin : originOf(referer);
    // A Referer with a path that no page has comes from elsewhere: another tab before the recording, or another site.
    const isCut = referer === undefined || withoutQuery(referer) === `${origin}/`;
    const page = isCut ? pages.find((one) => one.origin === origin) : undefined;
    return page ? { page: page.number, initiator: page.document, navigates: false } : NONE;
  }
}

function isNavigation({ method, status, mediaType, request }: PageRequest): boolean {
  const destination = request['sec-fetch-dest'];
  if (destination !== undefined) return destination === 'document';
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
